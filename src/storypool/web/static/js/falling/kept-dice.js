/** The dice that stay where they are while others are rolled again. */

import { feltFor, laidAt } from "./throw.js";
import { solidOf } from "./solids.js";

/** The dice on the felt: what they show, and where. */
let onFelt = { rolled: /** @type {any[]} */ ([]), poses: /** @type {number[][][]} */ ([]) };

/** Remember the dice of a throw as they are now. */
export function remember({ rolled, pieces, poses }) {
  onFelt = {
    rolled,
    poses: rolled.map((_, nth) => poses.filter((_, i) => pieces[i].nth === nth)),
  };
}

/** Whether two dice are of one name and show one face. */
export const isSame = (one, other) => one?.die === other?.die && one?.face === other?.face;

/**
 * The pose of each piece that is not thrown, or null: `again` are the dice that are. Dice with one
 * face are set down before the throw.
 */
export function keptOf(pieces, rolled, again) {
  const stays = again.length < rolled.length ? stayingDice(rolled, again) : null;
  const used = /** @type {Record<number, number>} */ ({});
  let set = 0;
  const { width, depth } = feltFor(pieces.length);
  return pieces.map((piece) => {
    const place = stays?.[piece.nth];
    if (place !== undefined && place >= 0) {
      used[piece.nth] = (used[piece.nth] ?? -1) + 1;
      return onFelt.poses[place][used[piece.nth]];
    }
    if (!piece.still) return null;
    set += 1;
    return laidAt(solidOf(piece.sides), set * 2.5 - width / 2 - 1, depth / 2 - 1.2);
  });
}

/**
 * The place in the last throw of each die that stays, -1 for those that are thrown; null if the
 * last throw was of other dice.
 */
function stayingDice(rolled, again) {
  const left = [...again];
  const isThrown = rolled.map(() => false);
  const mark = (i) => {
    const at = left.findIndex((one) => isSame(one, rolled[i]));
    if (at < 0) return;
    left.splice(at, 1);
    isThrown[i] = true;
  };
  rolled.forEach((one, i) => isSame(one, onFelt.rolled[i]) || mark(i));
  rolled.forEach((_, i) => isThrown[i] || mark(i));
  const free = onFelt.rolled.map((_, i) => i);
  const places = rolled.map((one, i) => {
    if (isThrown[i]) return -1;
    const at = free.find((place) => place === i && isSame(onFelt.rolled[place], one)) ??
      free.find((place) => isSame(onFelt.rolled[place], one));
    if (at === undefined) return undefined;
    free.splice(free.indexOf(at), 1);
    return at;
  });
  return left.length || places.includes(undefined) ? null : /** @type {number[]} */ (places);
}
