/** What the feed shows of a table, put together from parts of which the server sends each once. */

/** The fields of a table whose entries are parts. */
const BY_ID = ["seats", "characters", "traits", "checks", "proposals", "bound"];

/**
 * Return what makes messages in parts whole: `shown` says offers and table, `answer` a preview, as
 * those that come whole; `hear` takes each record.
 */
export function whole() {
  const parts = new Map();
  const made = new Map();
  const heard = new Map();
  let beside = {};
  let table = {};
  const part = (number) => parts.get(number);
  // What is the same is the same object, too.
  const once = (number, make) =>
    made.get(number) ?? made.set(number, make(part(number))).get(number);
  const offer = ({ as, ...one }) => {
    const all = { ...part(as), ...one };
    return {
      ...all,
      asks: all.asks.map(part),
      closed: part(all.closed) ?? null,
      all_closed: all.all_closed.map(part),
    };
  };
  const entries = (found) =>
    Object.fromEntries(Object.entries(found).map(([id, one]) => [id, part(one)]));

  /** @param {Pick<Wire.PartsMessage, "anew" | "new" | "records">} message */
  function take({ anew, new: more, records }) {
    if (anew) {
      parts.clear();
      made.clear();
    }
    for (const [number, value] of Object.entries(more)) parts.set(Number(number), value);
    for (const [number, seq] of Object.entries(records)) parts.set(Number(number), heard.get(seq));
  }

  return {
    hear({ seq, event }) {
      const set = [event?.check, event?.character, event?.trait, event?.proposal].find((one) =>
        one?.id
      );
      if (set) heard.set(seq, set);
    },
    shown({ seq, offers, table: changes, type: _type, anew, new: more, records, ...changed }) {
      take({ anew, new: more, records });
      heard.clear();
      beside = { ...beside, ...changed };
      table = { ...table, ...changes };
      const named = Object.fromEntries(BY_ID.map((name) => [name, once(table[name], entries)]));
      return {
        type: "offers",
        seq,
        offers: offers.map((number) => once(number, offer)),
        waits: part(beside.waits),
        notes: part(beside.notes),
        first_scene: beside.first_scene,
        table: { ...table, ...named, options: part(table.options) },
      };
    },
    answer({ name, seq, offer: number, rest, anew, new: more, records }) {
      take({ anew, new: more, records });
      return { type: "answer", name, seq, preview: { offer: once(number, offer), ...rest } };
    },
  };
}
