/** The moments of a game, and the cards that some leave on the table. */

import { panelsOf } from "./game.js";

/** The moment of this name, or undefined. */
export const panelOf = (name) => panelsOf("moment").find((panel) => panel.name === name);

/** Whether something has come to be true or to its end, which its card says. */
const leavesCard = ({ binds }) =>
  binds.traits || binds.ended || binds.won || binds.reached || binds.terms;

/** The panels of the cards that a record leaves on the table. */
export const cardsOf = ({ moments }) =>
  (moments ?? []).map(({ name }) => panelOf(name)).filter((panel) => panel !== undefined)
    .filter(leavesCard);

/** The die of a roll that lands last: the last one that brings a moment, else the last one. */
export function decisive(record) {
  const dice = (record?.moments ?? []).flatMap((one) => one.dice);
  return dice.length ? Math.max(...dice) : undefined;
}
