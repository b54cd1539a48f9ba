/** Texts that end in dots, where neither a tap nor a pointer shows the whole. */
export default () => {
  const isShort = (one) => {
    const { textOverflow, overflowX, webkitLineClamp: lines } = getComputedStyle(one);
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = one;
    const ends = textOverflow === "ellipsis" && overflowX !== "visible";
    return (ends && scrollWidth > clientWidth + 1) ||
      (lines !== "none" && scrollHeight > clientHeight + 1);
  };
  const opens = "[title], button, a, summary, [role=button], input";
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => !one.closest(".visually-hidden") && !one.closest(opens) && isShort(one))
    .map((one) => `is cut without a way to the whole: ${one.outerHTML.slice(0, 160)}`);
};
