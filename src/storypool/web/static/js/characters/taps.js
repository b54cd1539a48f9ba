/** What a tap on a number or a trait of a sheet begins. */

import { html, signal } from "../../vendor/preact.js";
import { makeOrAsk } from "../forms/making.js";
import { openMove } from "../forms/move-form.js";
import { byKey, game, the } from "../state/store.js";
import { say } from "../state/words.js";
import { closeSheets } from "../ui/sheet.js";

/** What is known of the rolls and uses of sheets that were opened, by entry or trait. */
export const uses = signal(/** @type {Record<string, Wire.SheetRoll>} */ ({}));

/**
 * A number or a trait as a button for what it begins, or as it is where that is not open now. What
 * has a price is asked for in its form.
 *
 * @param {{ roll?: Wire.SheetRoll, label: string, children: any }} props
 */
export function Tap({ roll, label, children }) {
  const offer = roll?.move ? byKey.value[roll.move] : null;
  if (!roll || !offer || offer.closed) return children;
  const begin = () => {
    closeSheets("sheet");
    if (Object.keys(offer.price).length) openMove(offer, { given: roll.given });
    else makeOrAsk(offer, roll.given, offer.title, true);
  };
  return html`
    <button
      type="button"
      class="board-item row full target"
      title=${say("sheet.begin", { title: offer.title, entry: label })}
      onClick=${begin}
    >
      ${children}
    </button>
  `;
}

/** Whether a sheet has no number but those that every new character has, where others can be. */
export const isBare = (one) => {
  const asked = the(game).sheet.filter(({ given, text }) => !given && !text);
  return asked.length > 0 && !asked.some(({ key }) => one.sheet[key] !== undefined);
};
