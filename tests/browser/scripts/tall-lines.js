/** Where a long title takes more room than what it is about. */
export default () =>
  [...document.querySelectorAll(
    `.action-title, .dock-state, .waits li, .lane-title, .proposal .name,
    .log-scene, .log-entry:not([data-kind='words.said'], [data-kind='dice.rolled'])`,
  )]
    .filter((one) =>
      one.checkVisibility() && one.offsetHeight > 4.5 * parseFloat(getComputedStyle(one).lineHeight)
    )
    .map((one) => `${one.className} has ${one.offsetHeight} px of ${one.textContent.slice(0, 40)}`);
