/**
 * The search of the help: its index is one file, fetched when a reader turns to the search, and
 * asked here.
 */

import { folded, searchWords } from "../state/folding.js";

const MOST = 20;
const BEFORE = 50;
const AFTER = 110;

// The help has these on each of its pages.
const form = /** @type {HTMLFormElement} */ (document.querySelector("[role=search]"));
const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const found = /** @type {HTMLElement} */ (form.querySelector(".found"));
const list = /** @type {HTMLElement} */ (found.querySelector("ol"));
const state = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
const literal = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
let passages = null;

async function load() {
  const at = new URL(form.dataset.index ?? "", location.href);
  return (await (await fetch(at)).json()).flatMap(([page, title, parts]) =>
    parts.map(([anchor, heading, text]) => ({
      href: new URL(anchor ? `${page}#${anchor}` : page, at).href,
      title,
      heading,
      text,
      places: [[folded(heading), 12], [folded(title), 4], [folded(text), 1]],
    }))
  );
}

/**
 * Every passage, which is what stands under one heading, from the index; null where it cannot be
 * fetched.
 */
async function index() {
  try {
    return await (passages ??= load());
  } catch {
    return (passages = null);
  }
}

/**
 * How well a passage answers: all words must be there, and weigh more in a heading and at the
 * beginning of a word.
 */
function score({ places }, words) {
  let sum = 0;
  for (const word of words) {
    const begins = new RegExp(`(?<![\\p{L}\\d])${literal(word)}`, "u");
    const best = places.map(([text, weight]) =>
      begins.test(text) ? 3 * weight : text.includes(word) ? weight : 0
    );
    if (!Math.max(...best)) return 0;
    sum += best.reduce((one, other) => one + other);
  }
  return sum;
}

/** A text folded, and for each of its letters and its end the place where it comes from. */
function traced(text) {
  const at = [];
  let plain = "";
  for (const { 0: part, index } of text.matchAll(/\P{M}\p{M}*/gsu)) {
    const short = part.trim() ? folded(part) : " ";
    plain += short;
    for (let n = 0; n < short.length; n += 1) at.push(index);
  }
  return { plain, at: [...at, text.length] };
}

/** A piece of a text around the first of these words, with all of them marked. */
function* piece(text, words) {
  const { plain, at } = traced(text);
  const hits = [...plain.matchAll(new RegExp(words.map(literal).join("|"), "gu"))];
  const near = hits.length ? at[hits[0].index] : 0;
  // From the beginning of a word on.
  const from = near > BEFORE ? text.indexOf(" ", near - BEFORE) + 1 : 0;
  const to = text.indexOf(" ", near + AFTER) + 1 || text.length;
  let done = from;
  if (from) yield "… ";
  for (const { 0: word, index } of hits) {
    const [begin, end] = [at[index], at[index + word.length]];
    if (begin < done || end > to) continue;
    yield text.slice(done, begin);
    yield Object.assign(document.createElement("mark"), { textContent: text.slice(begin, end) });
    done = end;
  }
  yield text.slice(done, to);
  if (to < text.length) yield "…";
}

function row({ href, title, heading, text }, words) {
  const link = Object.assign(document.createElement("a"), { href });
  for (const [name, content] of [["strong", heading || title], ["span", title], ["p", ""]]) {
    const part = document.createElement(name);
    part.append(...(name === "p" ? piece(text, words) : [content]));
    if (name !== "span" || heading !== title) link.append(part);
  }
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function show() {
  const words = searchWords(field.value);
  const asked = field.value;
  const all = words.length ? await index() : [];
  if (asked !== field.value) return;
  const scored = (all ?? []).map((passage) => [score(passage, words), passage]).filter(([sum]) =>
    sum
  );
  scored.sort(([one], [other]) => other - one);
  list.replaceChildren(
    ...scored.slice(0, MOST).map(([, passage]) => row(passage, words)),
  );
  found.hidden = !words.length;
  const sentence = form.dataset[!all ? "failed" : scored.length ? "found" : "none"] ?? "";
  state.textContent = words.length
    ? sentence.replace("{n}", scored.length).replace("{text}", asked.trim())
    : "";
}

/** Move the focus through the field and the results. */
function move(by) {
  const places = [field, ...found.querySelectorAll("a")];
  const next = places.findIndex((one) => one === document.activeElement) + by;
  places[Math.max(0, Math.min(next, places.length - 1))].focus();
}

form.hidden = false;
field.addEventListener("focus", () => (index(), show()));
field.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  // Keys with which letters are composed belong to the input method.
  if (event.isComposing || event.keyCode === 229) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) move(by);
  else if (event.key !== "Escape") return;
  else {
    field.value = "";
    field.focus();
    show();
  }
  event.preventDefault();
});
addEventListener("keydown", (event) => {
  if (
    event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
    document.activeElement === field
  ) return;
  event.preventDefault();
  field.focus();
});
addEventListener("pointerdown", (event) => {
  found.hidden ||= !form.contains(/** @type {Node} */ (event.target));
});
