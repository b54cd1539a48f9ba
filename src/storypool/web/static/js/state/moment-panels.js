/** The moments of a game: how each moves, and the cards that some leave on the table. */

import { panelsOf } from "./game.js";

/** The moment of this name, or undefined. */
export const panelOf = (name) => panelsOf("moment").find((panel) => panel.name === name);

/** How a moment moves: by what brings it. */
export function motion({ binds }) {
  if (binds.turned) return "turn";
  if (binds.filled) return "tide";
  if (binds.faces) return "stamp";
  if (binds.symbols || binds.gained) return binds.tone === "good" ? "sun" : "whirl";
  return "card";
}

/** The panels of the cards that a record leaves on the table. */
export const cardsOf = ({ moments }) =>
  (moments ?? []).map(({ name }) => panelOf(name)).filter((panel) => panel !== undefined)
    .filter((panel) => motion(panel) === "card" && !panel.binds.began);
