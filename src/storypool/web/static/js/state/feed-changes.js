/** What the feed shows of a table, kept up to date by messages with what has changed. */

/**
 * An offer with all that it may leave out but the questions of its form: they come when that opens,
 * unless the dock shows them.
 *
 * @typedef {typeof EMPTY & Omit<Wire.BriefOffer, keyof typeof EMPTY>} Button
 */

/** What an offer leaves out where it is empty. */
const EMPTY = {
  group: "",
  price: /** @type {Record<string, number>} */ ({}),
  asked: /** @type {string[]} */ ([]),
  empty: "",
  usual: /** @type {Record<string, Wire.UsualAnswer>} */ ({}),
  rows: /** @type {Wire.AskView | null} */ (null),
  real_dice: false,
  among: /** @type {Record<string, string[]>} */ ({}),
  closed: /** @type {Wire.RefusalShown | null} */ (null),
  caution: "",
  approval: false,
  rule: "",
  ends: "",
  loss: false,
  agrees: "",
};

/**
 * An offer with what it has left out.
 *
 * @param {Wire.BriefOffer} offer
 * @returns {Button}
 */
export const filled = (offer) => ({
  ...EMPTY,
  all_closed: offer.closed ? [offer.closed] : [],
  ...offer,
});

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
