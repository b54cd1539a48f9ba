import places from "./places.js";

/** What speaks to this seat now, and is not to be read: out of the window, or under a bar. */
export default async () => {
  if (document.querySelector("dialog[open]")) return [];
  const script = document.querySelector("script[type=module]");
  const { store } = script ? await import(script.src) : {};
  // The last result comes back where dice without an action have stood in its place.
  const isResultNew = () =>
    store.records.value.some(({ seq, event }) =>
      seq > globalThis.spoke.seq && /^(check\.|dice\.rolled|table\.rewound)/.test(event?.type)
    );
  const speak = () => {
    const dock = places().length - 1;
    const spoke = globalThis.spoke;
    // That no action is under way is no news of a move: whom the table waits for is in the dock.
    const isOld = (one, n) =>
      one?.textContent === spoke?.[n] || (spoke && (one?.matches("[data-words=waits]") ||
        (one?.matches(".last-result *") && !isResultNew())));
    const news = places().map((one, n) => isOld(one, n) && n !== dock ? null : one);
    return [news.slice(0, dock).find(Boolean), news[dock]].filter(Boolean);
  };
  const seen = (one, x, y) => {
    const over = document.elementFromPoint(x, y);
    return over?.closest(".table") && (one.contains(over) || over.contains(one));
  };
  const out = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const x = (left + right) / 2;
    return !seen(one, x, top + 8) || !seen(one, x, Math.min(bottom - 8, top + innerHeight / 4));
  };
  // A card of what has just fallen speaks as well as the result that brought it.
  const hidden = () => {
    const card = [
      ...document.querySelectorAll(".fallen-cards[data-news=true] .fallen-card:last-child"),
    ]
      .filter((one) => one.checkVisibility()).at(-1);
    return speak().filter((one) => out(one) && (one.matches(".dock *") || !card || out(card)));
  };
  // What changes the page is followed within a few frames, however long those take.
  let found = [];
  for (let n = 0; n < 60; n += 1) {
    await new Promise(requestAnimationFrame);
    found = hidden();
    if (!found.length) break;
  }
  return found.map((one) =>
    `speaks out of sight: ${one.className || one.localName}: ${one.textContent.slice(0, 50)}`
  );
};
