/** A script that keeps what the page says of its line from now on. */
export default () => {
  globalThis.shown = [];
  const look = () =>
    shown.push(...[...document.querySelectorAll(".banner")].map((one) => one.innerText));
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
  });
};
