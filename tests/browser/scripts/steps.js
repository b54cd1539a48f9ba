/**
 * What is asked for stands in the dock alone, and what is asked can be answered there, or in rows
 * that are in sight. What is locked says why, and the graph of the points is below what can be
 * done.
 */
export default () => {
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const docked = new Set(shown(".dock[data-mine=true] [data-move]").map((one) => one.dataset.move));
  const beside = shown(".offers-place [data-move], .drawer-place .drawer-group [data-move]");
  const twice = beside.map((one) => one.dataset.move).filter((key) => docked.has(key));
  const asked = shown(".dock[data-mine=true]").length > 0;
  const seen = (one) => one.getBoundingClientRect().top < innerHeight;
  const closed = shown(":is(.offer, .menu-row)[aria-disabled=true]:not([data-asleep] *)");
  const mute = closed.filter((one) =>
    !one.matches(".dock *") && !one.querySelector(".offer-note, .why")?.innerText &&
    !one.closest(".offer-place")?.querySelector(".because")
  );
  const box = (one) => one.getBoundingClientRect();
  const above = (one, other) =>
    one.top < other.top && one.left < other.right && other.left < one.right;
  const graphs = shown(".glance").filter((one) =>
    shown(".offers-place [data-move], .drawer-place")
      .some((other) => above(box(one), box(other)))
  );
  const stuck = asked && !shown(".dock button").length && !shown(".menu-rows").some(seen);
  return [
    ...twice.map((key) => `stands twice: ${key}`),
    ...(stuck ? ["is asked for, and has no button"] : []),
    ...mute.map((one) => `is locked, and says not why: ${one.innerText}`),
    ...graphs.map(() => "the graph of points is above what can be done"),
  ];
};
