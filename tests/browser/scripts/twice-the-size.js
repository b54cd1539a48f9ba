/** What is wrong with a page when its text has twice the size. */
export default () => {
  const root = document.documentElement;
  const boxes = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect());
  const labels = boxes(".views .tab > span:not(.dot)");
  const [views] = boxes(".views");
  const [button] = document.querySelector("dialog[open]") ? [] : boxes(".dock #primary");
  const table = document.querySelector(".table");
  const found = Object.entries({
    "the page is too wide": root.scrollWidth > root.clientWidth,
    "the page scrolls as a whole": table && innerWidth >= 1000 &&
      root.scrollHeight > root.clientHeight,
    "labels of tabs touch": labels.some((one, n) => n && labels[n - 1].right > one.left),
    "a tab is cut": labels.some((one) => one.right > innerWidth),
    "the tabs are cut": views && views.bottom > innerHeight,
    "the button at the thumb lies over the tabs": innerWidth < 1000 && views && button &&
      button.bottom > views.top,
    "a notice takes a third of a phone": innerWidth < 1000 &&
      boxes(".thumb > .toast").some((one) => one.height > innerHeight / 3),
  });
  return found.filter(([, wrong]) => wrong).map(([what]) => what);
};
