/** What of the table a notice covers. */
export default () => {
  const boxes = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
      .map((one) => [one.className, one.getBoundingClientRect()]);
  const told = boxes(".table-head, .slots, .fallen, .outcome .result, .last-result");
  return boxes(".toast, .announced > ul").flatMap(([, toast]) =>
    told
      .filter(([, box]) => toast.top < box.bottom && box.top < toast.bottom)
      .filter(([, box]) => toast.left < box.right && box.left < toast.right)
      .map(([name]) => name)
  );
};
