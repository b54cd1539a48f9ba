/** What the feed shows of a table, put together from parts of which the server sends each once. */

/** The fields of a table whose entries are parts. */
const BY_ID = ["seats", "characters", "traits", "checks", "proposals", "bound"];

/** Return a function that makes a message in parts whole: one that says offers and table, as those that come whole. */
export function whole() {
  const parts = new Map();
  const made = new Map();
  const part = (number) => parts.get(number);
  // What is the same is the same object, too.
  const once = (number, make) => made.get(number) ?? made.set(number, make(part(number))).get(number);
  const offer = (one) => ({ ...one, asks: one.asks.map(part), closed: part(one.closed) ?? null, all_closed: one.all_closed.map(part) });
  const entries = (found) => Object.fromEntries(Object.entries(found).map(([id, one]) => [id, part(one)]));
  return ({ seq, anew, new: more, offers, waits, notes, first_scene, table }) => {
    if (anew) {
      parts.clear();
      made.clear();
    }
    for (const [number, value] of Object.entries(more)) parts.set(Number(number), value);
    const named = Object.fromEntries(BY_ID.map((name) => [name, once(table[name], entries)]));
    return {
      type: "offers",
      seq,
      offers: offers.map((number) => once(number, offer)),
      waits: part(waits),
      notes: part(notes),
      first_scene,
      table: { ...table, ...named, options: part(table.options) },
    };
  };
}
