/** Buttons of one name and weight that no group tells apart: a card, a line, a list, a question. */
export default () => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const group = (one) => one.parentElement.closest("li, article, fieldset, .log-entry, .menu");
  const named = (one) => (one.ariaLabel ?? one.innerText).trim().replace(/\s+/g, " ");
  const all = [...top.querySelectorAll("button:not(:disabled, [aria-disabled=true])")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && named(one));
  const alike = Object.groupBy(
    all,
    (one) => [named(one), one.dataset.kind, one.dataset.tone].join(),
  );
  return Object.values(alike)
    .filter((same) => new Set(same.map((one) => group(one) ?? top)).size < same.length)
    .map(([one, other]) =>
      `stands twice: ${named(one)}, in ${[one, other].map((of) => of.parentElement.className)}`
    );
};
