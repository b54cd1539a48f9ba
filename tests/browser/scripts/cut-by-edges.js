export default () => {
  const wide = document.documentElement.clientWidth;
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.closest(".visually-hidden, .skip-link");
  const scrolls = (one) => {
    for (let at = one; at; at = at.parentElement) {
      if (
        /auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth + 1 &&
        at.matches(".heat-place, .board, .wide")
      ) return true;
    }
    return false;
  };
  const found = [];
  if (document.documentElement.scrollWidth > wide) found.push("the page is wider");
  const parts = "button, a, input, select, textarea, h1, h2, h3, h4, p, li, article, form";
  for (const one of document.querySelectorAll(parts)) {
    if (!seen(one) || scrolls(one) || one.matches("input.visually-hidden")) continue;
    const box = one.getBoundingClientRect();
    if (box.width && (box.right > wide + 1 || box.left < -1)) {
      found.push(`${one.outerHTML.slice(0, 140)} from ${box.left} to ${box.right}`);
    }
  }
  for (
    const one of document.querySelectorAll(
      ".side, .middle, .right, .dock, .table-head, dialog[open], .log-list",
    )
  ) {
    if (seen(one) && one.scrollWidth > one.clientWidth + 1) {
      found.push(`${one.className} is ${one.scrollWidth} in ${one.clientWidth}`);
    }
  }
  return found.slice(0, 6);
};
