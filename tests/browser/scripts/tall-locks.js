/** Closed offers without an open reason that are higher than an open one of a line. */
export default () =>
  [...document.querySelectorAll(".offer[aria-expanded=false]")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 52.5)
    .map((one) => `is locked and tall: ${one.innerText.slice(0, 120)}`);
