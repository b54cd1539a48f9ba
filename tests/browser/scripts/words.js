/**
 * Buttons that are a dash, numbers beside signs that nobody can name, keys and blanks, moves with
 * the name of another, and owners who end in s and get another one.
 */
export default () => {
  const text = (one) => one.innerText.replace(/ of /g, "");
  const unnamed = [...document.querySelectorAll(".inline")].filter((one) =>
    one.checkVisibility() &&
    one.querySelector("svg.glyph") && !one.closest("[aria-hidden=true]") &&
    /\d/.test(text(one)) && !/\p{L}/u.test(text(one))
  );
  // A dash alone takes one away between two steps, and means nothing elsewhere.
  const dash = (one) => one.querySelector('path[d="M4 12H20"]') && !one.closest(".dial");
  const bare = [...document.querySelectorAll("button")].filter((one) =>
    one.checkVisibility() &&
    (dash(one) || !one.querySelector("svg, img")) && !/[\p{L}\p{N}\p{Emoji}]/u.test(one.innerText)
  );
  // A sentence with a blank, a key, or what a program has where it has no words.
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const raw = /\{\w+\}|\b[a-z]+_[a-z_]+\b|\b(undefined|null|NaN)\b|\[object /;
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT), words = [];
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement.checkVisibility()) words.push(texts.currentNode.data);
  }
  for (const one of place.querySelectorAll("[aria-label], [title]")) {
    words.push(one.ariaLabel ?? one.title);
  }
  // Moves that are called the same cannot be told apart.
  const moves = [...place.querySelectorAll("button:is([data-move], [data-change])")]
    .filter((one) => one.checkVisibility() && one.innerText.trim());
  const named = Object.groupBy(moves, (one) => (one.ariaLabel ?? one.innerText).trim());
  const alike = Object.entries(named)
    .filter(([, all]) =>
      new Set(all.map(({ dataset }) => dataset.move ?? dataset.change)).size > 1
    );
  const owned = document.body.innerText.match(/[^.\n]*[^s\n]s's\b/gi) ?? [];
  return [
    ...bare.map((one) => `has neither a word nor a sign: ${one.outerHTML.slice(0, 160)}`),
    ...unnamed.map((one) => `has a sign and a number, and no word: ${one.outerHTML.slice(0, 160)}`),
    ...words.filter((text) => raw.test(text)).map((text) =>
      `is not for people: ${text.slice(0, 80)}`
    ),
    ...alike.map(([name]) => `is what different moves are called: ${name}`),
    ...owned.map((text) => `reads badly: ${text}`),
  ];
};
