/** The names that two buttons in sight have, which do the same. */
export default () => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const named = (one) =>
    one.getAttribute("aria-label") ?? one.innerText.trim().replace(/\s+/g, " ");
  // A line of the log, a card and a place of a board each have their own.
  const own = ".log-list, .person-card, .board-item, .strip, [role=tab]";
  const names = [...top.querySelectorAll("button, a.button")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(own)).map(
      named,
    );
  return names.filter((name, n) => names.indexOf(name) !== n);
};
