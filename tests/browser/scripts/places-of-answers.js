/** The difficulties of the open form, and where they are as seen from the first one. */
export default () => {
  const all = [...document.querySelectorAll("dialog[open] [data-ask=difficulty] label.pick")];
  const boxes = all.map((one) => one.getBoundingClientRect());
  return all.map((one, n) => [
    one.innerText.split("\n")[0],
    Math.round(boxes[n].left - boxes[0].left),
    Math.round(boxes[n].top - boxes[0].top),
  ]);
};
