/**
 * What axe decides about an element: its name, its attributes, those of their values that colours
 * depend on, and where it stands. The marks are on those that no state before had.
 */
export default (known) => {
  const before = new Set(JSON.parse(known));
  const written = /^(class|role|type|data-kind|data-tone|data-state|data-colour)$/;
  const kind = (one) =>
    one.localName + [...one.attributes]
      .map(({ name, value }) => written.test(name) ? `[${name}=${value}]` : `[${name}]`)
      .filter((each) => !/^\[(style|data-new-kind)\]$/.test(each)).sort().join("");
  const found = new Set();
  for (const one of document.querySelectorAll("body *")) {
    one.removeAttribute("data-new-kind");
    if (one.parentElement.closest("svg") || !one.checkVisibility()) continue;
    const whole = `${kind(one.parentElement)} > ${kind(one)}`;
    if (before.has(whole)) continue;
    one.setAttribute("data-new-kind", "");
    found.add(whole);
  }
  return [...found];
};
