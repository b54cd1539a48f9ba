/**
 * Every sentence of the page by its id, as the server's catalogue has it, with its blanks filled
 * in.
 */

let texts = {};
let master = {};
let plurals = new Intl.PluralRules("en");

/** Use a catalogue: a flat object of ids and sentences, which names its language. */
export function learn(catalogue) {
  texts = catalogue;
  plurals = new Intl.PluralRules(catalogue.language);
  document.documentElement.lang = catalogue.language;
}

/** Add sentences that a part of the page needs, once it is loaded. */
export const learnMore = (catalogue) => Object.assign(texts, catalogue);

/**
 * The plural category of a number: "one", "few", "other" and so on, whichever this language has.
 */
export function category(n) {
  return plurals.select(n);
}

/**
 * A sentence of the page; `id` is without its prefix "page.". With plural forms, the blank `n`
 * chooses one.
 */
export function say(id, values = {}) {
  const form = typeof values.n === "number" ? texts[`page.${id}.${category(values.n)}`] : undefined;
  return filled(form ?? texts[`page.${id}`] ?? texts[`page.${id}.other`] ?? id, values);
}

/**
 * One of a family of sentences, chosen by a key; without one, the key itself is shown as a word.
 */
export function oneOf(family, key, values = {}) {
  const plain = String(key).replace(/[_-]/g, " ");
  return filled(texts[`page.${family}.${key}`] ?? capital(plain), values);
}

/** A word as it begins a label. */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const letters = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/** The first letter of a name as people see it: an emoji of several signs is one. */
export function initial(name) {
  const [first] = letters ? letters.segment(name.trim()) : name.trim();
  return (first?.segment ?? first ?? "").toUpperCase();
}

/** Names as a list: "Ann, Bo and Cy". */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return say("list.and", { most: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/** Call the game master what the game of the open table does: { gm, gm_name }. */
export function callMaster(called = {}) {
  master = called;
}

/**
 * Fill in the blanks; an owner whose name ends in s, though not in ss, gets just the apostrophe:
 * "the dock hands' seat".
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}('s\b)?/g, (whole, name, owns = "") => {
    const value = values[name] ?? master[name];
    return value === undefined ? whole : `${value}${owns && /[^s]s$/i.test(value) ? "'" : owns}`;
  });
}
