/** What the feed shows of a table, kept up to date by messages with what has changed. */

/** What an offer leaves out where it is empty. */
const EMPTY = {
  group: "",
  price: {},
  asks: [],
  closed: null,
  caution: "",
  approval: false,
  rule: "",
  ends: "",
  agrees: "",
};

const filled = (offer) => ({ ...EMPTY, all_closed: offer.closed ? [offer.closed] : [], ...offer });

/** Return a function that takes messages with changes, and returns each with all that is shown. */
export function keptView() {
  let shown = {};

  function changed(name, gone, entries) {
    const left = Object.entries(shown[name] ?? {}).filter(([id]) => !gone.includes(id));
    const news = Object.entries(entries).map(([id, one]) => [
      id,
      name === "offers" ? filled(one) : one,
    ]);
    return { ...Object.fromEntries(left), ...Object.fromEntries(news) };
  }

  /** @param {Wire.ChangesMessage} message */
  return ({ seq, whole, fields, entries, gone }) => {
    shown = whole ? fields : { ...shown, ...fields };
    // What has not changed is the same object.
    for (const name of new Set([...Object.keys(gone), ...Object.keys(entries)])) {
      shown[name] = changed(name, gone[name] ?? [], entries[name] ?? {});
    }
    const { offers, waits, notes, first_scene, ...table } = shown;
    const about = { waits, notes, first_scene };
    return {
      type: "offers",
      seq,
      offers: Object.values(offers),
      ...about,
      table: { ...table, seq },
    };
  };
}
