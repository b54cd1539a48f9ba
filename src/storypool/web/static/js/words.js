/** Every sentence of the page by its id, as the server's catalogue has it, with its blanks filled in. */

let texts = {};

/** Take in the catalogue: a flat object of ids and sentences. */
export function learn(catalogue) {
  texts = catalogue;
}

/** A sentence of the page; `id` stands without its "page." in front. */
export function say(id, values = {}) {
  return filled(texts[`page.${id}`] ?? id, values);
}

/** A sentence that counts: `id.one` or `id.many`, with `{n}` filled in. */
export function count(id, n, values = {}) {
  return say(`${id}.${n === 1 ? "one" : "many"}`, { n, ...values });
}

/** One of a family of sentences, chosen by a key; a key that has none stands for itself, written as a word. */
export function oneOf(family, key, values = {}) {
  const plain = String(key).replace(/[_-]/g, " ");
  return filled(texts[`page.${family}.${key}`] ?? plain.slice(0, 1).toUpperCase() + plain.slice(1), values);
}

/** A name inside a list: "Ann, Bo and Cy". */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return say("list.and", { most: names.slice(0, -1).join(", "), last: names.at(-1) });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
