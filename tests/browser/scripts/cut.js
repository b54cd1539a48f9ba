/** Lines whose letters are cut below, and signs that do not fit in what they are drawn on. */
export default () => {
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const pen = document.createElement("canvas").getContext("2d"), range = document.createRange();
  // The lowest ink of a line: below its baseline, which is above the end of its box by the
  // descent of its font.
  const isCut = (one) => {
    const edge = one.getBoundingClientRect().top + one.clientTop + one.clientHeight;
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      pen.font = getComputedStyle(texts.currentNode.parentElement).font;
      const { fontBoundingBoxDescent: descent, actualBoundingBoxDescent: ink } = pen.measureText(
        "gjpqy",
      );
      range.selectNodeContents(texts.currentNode);
      for (const { top, bottom } of range.getClientRects()) {
        if ((top + bottom) / 2 < edge && bottom - descent + ink > edge + 0.5) return true;
      }
    }
    return false;
  };
  const isClipped = (one) =>
    !one.closest(".visually-hidden") && getComputedStyle(one).overflowY !== "visible";
  const lines = shown(
    "h1, h2, h3, h4, .result, .name, .one-line, .clamped, .last-title, .lane-title",
  )
    .filter((one) => isClipped(one) && isCut(one));
  const out = [];
  const HOLDERS = [[".tray > li", ".tray"], [".left-token > *", ".left-token"], [
    ".slot > *",
    ".slot",
  ], [".offer-place > *", ".offer-place"]];
  for (const [inner, outer] of HOLDERS) {
    for (const one of shown(inner)) {
      const [own, whole] = [one, one.closest(outer)].map((of) => of.getBoundingClientRect());
      const [left, right] = [whole.left - own.left, own.right - whole.right];
      const over = [left, right, whole.top - own.top, own.bottom - whole.bottom];
      if (Math.max(...over) > 1) {
        out.push(`is not whole in its ${outer}: ${one.outerHTML.slice(0, 120)}`);
      }
    }
  }
  // A dock that scrolls by itself cuts shadows: they have the room in it that the column has.
  for (const one of shown(".dock :is(.button, .offer)")) {
    const dock = one.closest(".dock"), { boxShadow } = getComputedStyle(one);
    const [own, column] = [dock, dock.parentElement].map((of) => of.getBoundingClientRect());
    const { left, right, bottom } = one.getBoundingClientRect();
    const [, down, blur] = boxShadow.match(/px (\d+)px (\d+)px/)?.map(Number) ?? [0, 0, 0];
    const still = getComputedStyle(dock).overflowY === "visible" ||
      dock.scrollHeight > dock.clientHeight;
    const over = [
      Math.min(bottom + down + blur, column.bottom) - own.bottom,
      Math.min(right + blur, column.right) - own.right,
      own.left - Math.max(left - blur, column.left),
    ];
    if (blur && !still && Math.max(...over) > 1) {
      out.push(`has its shadow cut: ${one.textContent.slice(0, 50)}`);
    }
  }
  // A symbol fits in a diamond if its corners do: the sum of their distances from the middle is at
  // most half of it.
  for (const face of shown("[data-outline=d8] > .face:not(.numbered)")) {
    const { left, width, top, height } = face.getBoundingClientRect();
    for (const sign of face.querySelectorAll(".glyph")) {
      const { left: from, right: to, top: high, bottom: low } = sign.getBoundingClientRect();
      const far = (ends, middle) => Math.max(...ends.map((end) => Math.abs(end - middle)));
      if (far([from, to], left + width / 2) + far([high, low], top + height / 2) > width / 2) {
        out.push(`runs over the edge of its die: ${face.outerHTML.slice(0, 120)}`);
      }
    }
  }
  return [
    ...lines.map((one) => `loses the feet of its letters: ${one.textContent.slice(0, 50)}`),
    ...out,
  ];
};
