/**
 * What can be pressed in sight, the heaviest first: gold before gold edges before plain, then by
 * the size and weight of the words times their contrast and the area. In an open sheet only its
 * buttons count. Cards are read, not pressed.
 */
export default () => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const PRESSABLE = "button:not(.card, .last-result), a.button, summary, label:is(.pick, .choice)";
  const luminance = (rgb) =>
    rgb.match(/[\d.]+/g).slice(0, 3).map((n) => (n / 255) ** 2.2)
      .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = luminance(getComputedStyle(document.body).backgroundColor);
  const heaviestWords = (one) => {
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), weights = [0];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (!data.trim() || parentElement.closest(".visually-hidden")) continue;
      const { color, fontSize, fontWeight } = getComputedStyle(parentElement);
      const [less, more] = [ground, luminance(color)].sort((one, other) => one - other);
      weights.push(parseFloat(fontSize) * fontWeight * (more + 0.05) / (less + 0.05));
    }
    return Math.max(...weights);
  };
  const seen = (one) => {
    const { left, right, top: high, bottom } = one.getBoundingClientRect();
    const [width, height] = [
      Math.min(right, innerWidth) - Math.max(left, 0),
      Math.min(bottom, innerHeight) - Math.max(high, 0),
    ];
    if (width < 8 || height < 8 || !one.checkVisibility({ visibilityProperty: true })) return null;
    const over = document.elementFromPoint(
      Math.max(left, 0) + width / 2,
      Math.max(high, 0) + height / 2,
    );
    return over && one.contains(over) ? { width, height } : null;
  };
  const pen = document.body.appendChild(document.createElement("i"));
  const colour = (value) => (pen.style.color = value, getComputedStyle(pen).color);
  const [fill, edge] = ["var(--move-fill)", "var(--move)"].map(colour);
  pen.remove();
  // A gold button is the next step; gold edges are answers to what is asked.
  const goldness = (one) => {
    const { backgroundColor, borderTopColor } = getComputedStyle(one);
    return backgroundColor === fill ? 2 : borderTopColor === edge ? 1 : 0;
  };
  const found = [];
  for (const one of top.querySelectorAll(PRESSABLE)) {
    const size = seen(one);
    if (!size || one.matches("[aria-current], :has(> :checked)")) continue;
    const words = (one.innerText.trim() || one.getAttribute("aria-label") || "").replace(
      /\s+/g,
      " ",
    );
    found.push({
      one,
      words,
      gold: goldness(one),
      locked: one.matches(":disabled, [aria-disabled=true]"),
      weight: Math.round(heaviestWords(one) * size.width * size.height),
      group: one.closest(".log")
        ? "log"
        : one.closest(".chips, .menu-rows, .offers, .rows, [data-ask], .cluster, .dock-row, ul")
          ?.className ?? "",
    });
  }
  return found.sort((one, other) => other.gold - one.gold || other.weight - one.weight);
};
