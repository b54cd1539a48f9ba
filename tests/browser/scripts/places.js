/**
 * The places that speak, the first of them before the others, and last the dock where it asks
 * something.
 */
export default () => {
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).at(-1);
  return [
    ".outcome[data-shown=true] > .result",
    ".stage[data-phase=build] .action-title",
    ".recap h3",
    ".loose > li",
    ".last-result .result",
    ".calm-words",
    ".slots .slot[aria-current]",
    ".dock[data-mine=true] .dock-state",
  ].map(shown);
};
