/** Whether the words in the empty search are whole. */
export default () => {
  const field = document.querySelector(".log-filter input");
  const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
  const pen = Object.assign(document.createElement("canvas").getContext("2d"), {
    font: `${fontSize} ${fontFamily}`,
  });
  return pen.measureText(field.placeholder).width <=
    field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
};
