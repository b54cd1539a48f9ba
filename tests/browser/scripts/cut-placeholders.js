/** Placeholders that have no room in their field. */
export default () => {
  const pen = document.createElement("canvas").getContext("2d");
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const shown = [...top.querySelectorAll("input")].filter((one) =>
    one.checkVisibility() && one.placeholder
  );
  return shown.filter((one) => {
    const style = getComputedStyle(one);
    pen.font = style.font;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return pen.measureText(one.placeholder).width > room;
  }).map((one) => one.placeholder);
};
