/** Real dice beside a roll: their button, and their faces once a roll that waits is due. */

import { html, signal, useEffect } from "../../vendor/preact.js";
import { makeAtOnce } from "./making.js";
import { openMove } from "./move-form.js";
import { atOnce, beforeRealDice, primaryOffer } from "../state/game.js";
import { lookOf } from "../state/looks.js";
import { check } from "../state/store.js";
import { say } from "../state/words.js";
import { IconButton } from "../ui/parts.js";
import { covering } from "../ui/sheet.js";

/** The action whose roll of real dice waits for others, by its id; or "". */
const waiting = signal("");

/** Whether a move rolls dice. */
export const rolls = (offer) => offer.asks.some((ask) => ask.kind === "faces");

/**
 * How real dice take the place of a roll, or null where none is made now: their faces are asked
 * for, at once or after what others may still decide.
 */
export function realDice(offer, given = {}) {
  if (rolls(offer) && atOnce(offer)) return () => openMove(offer, { byHand: true, given });
  const before = offer === primaryOffer.value ? beforeRealDice.value : undefined;
  return before
    ? async () => {
      if (await makeAtOnce(before, given)) waiting.value = check.value?.id ?? "";
    }
    : null;
}

/** Whether all that the action rolls are cards. */
const drawsCards = () => {
  const pool = Object.keys(check.value?.pool ?? {});
  return pool.length > 0 && pool.every((name) => lookOf(name).marks.length);
};

/** The button for real dice beside that of a roll, or for real cards. */
export const RealDice = ({ way }) =>
  way &&
  html`
    <${IconButton}
      glyph="hand"
      label=${drawsCards() ? say("dock.drewByHand") : say("dock.byHand")}
      word=${drawsCards() ? say("dock.realCards") : say("dock.real")}
      onTap=${way}
    />
  `;

/** Ask for the faces of real dice once the roll that waited for others may be made. */
export function useFacesOnceDue(offer, given) {
  const isDue = waiting.value && waiting.value === check.value?.id && offer && rolls(offer) &&
    atOnce(offer) && !covering.value;
  useEffect(() => {
    if (!isDue) return;
    waiting.value = "";
    openMove(offer, { byHand: true, given });
  }, [isDue]);
}
