/** What the tab key goes to is scrolled just into the window, and there nothing may lie over it. */
export default () => {
  const BARS =
    ".dock-state, .dock-row, .thumb, .views, .table-head, .form-foot, .sheet-head, .screen-foot";
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const pressed =
    "button:not([disabled], [aria-disabled=true]), a[href], input, select, textarea, summary";
  const out = [];
  const scrolled = document.querySelectorAll(".middle, .right, .side, .dock, .thumb, dialog");
  const columns = [document.scrollingElement, ...scrolled];
  const before = columns.map((one) => one.scrollTop);
  for (const one of place.querySelectorAll(pressed)) {
    if (
      !one.checkVisibility({ visibilityProperty: true }) ||
      one.closest(".visually-hidden, .skip-link")
    ) continue;
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) continue;
    // What is higher than the room between the bars is seen by its upper part.
    const y = Math.min((top + bottom) / 2, top + innerHeight / 6);
    const over = document.elementFromPoint((left + right) / 2, y);
    const own = over &&
      (one.contains(over) || over.contains(one) || over.closest("label")?.contains(one));
    const bar = over?.closest(BARS);
    if (!own && bar && !bar.contains(one)) {
      out.push(`${one.outerHTML.slice(0, 160)} below .${bar.className}`);
    }
  }
  columns.forEach((one, n) => {
    one.scrollTop = before[n];
  });
  return out;
};
