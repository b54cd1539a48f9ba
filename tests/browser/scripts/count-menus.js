/** Counts how often the way to the rows is shown. */
export default () => {
  globalThis.ways = 0;
  const count = () => {
    ways += document.querySelectorAll(".dock-menu:not([hidden])").length;
  };
  new MutationObserver(count).observe(document.body, {
    attributes: true,
    childList: true,
    subtree: true,
  });
};
