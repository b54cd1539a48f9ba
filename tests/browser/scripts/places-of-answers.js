/** The difficulties of the open form, and where they are in it. */
export default () => {
  const all = [...document.querySelectorAll("dialog[open] [data-ask=difficulty] label.pick")];
  const boxes = all.map((one) => one.getBoundingClientRect());
  const form = all[0].closest("form").getBoundingClientRect();
  return all.map((one, n) => [
    one.innerText.split("\n")[0],
    Math.round(boxes[n].left - form.left),
    Math.round(boxes[n].top - form.top),
  ]);
};
