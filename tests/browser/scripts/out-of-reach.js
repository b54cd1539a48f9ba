export default () => {
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.closest(".visually-hidden, .skip-link");
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const missed = [];
  for (const one of place.querySelectorAll("button, a[href], select, textarea")) {
    if (!seen(one) || one.matches(".visually-hidden")) continue;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!top || !(one.contains(top) || top.closest("label")?.contains(one))) {
      missed.push(`${one.outerHTML.slice(0, 160)} is under ${top?.tagName} ${top?.className}`);
    }
  }
  return missed.slice(0, 4);
};
