/** The rolls of an action one after the other, and the dice that stay while others are rolled. */

import { actionIn } from "../state/record-events.js";
import { decisive } from "../state/moment-panels.js";
import { stageRecords } from "../state/store.js";
import { undone } from "../state/undone-records.js";
import { solidOf } from "./solids.js";
import { feltFor, laidAt } from "./throw.js";

/**
 * One roll of an action: the dice that it threw (`again`), all dice of the action after it and
 * `before` it, and the place of the one that lands last.
 *
 * @typedef {{
 *   seq: number,
 *   again: any[],
 *   rolled: any[],
 *   before: any[],
 *   last: number | undefined,
 * }} Step
 */

/** More rolls of one action than these are taken as new from here on. */
const MOST = 12;

/**
 * The rolls of an action up to a record, the first first: what the log has of them. Each page that
 * has these records throws the same dice to the same places.
 *
 * @returns {Step[]}
 */
export function stepsOf({ seq, rolled, again = rolled, last }) {
  const log = stageRecords.peek();
  const event = log.find((one) => one.seq === seq)?.event;
  const id = event?.type === "dice.rolled" ? event.check : "";
  const steps = /** @type {Step[]} */ ([]);
  let now = /** @type {any[]} */ ([]), isOpen = false;
  for (const record of id ? log : []) {
    if (undone.peek().has(record.seq)) continue;
    const one = record.event;
    const changed = actionIn(one);
    if (one?.type === "dice.rolled" && one.check === id) {
      if (record.seq > seq) break;
      const thrown = one.rolled;
      steps.push({
        seq: record.seq,
        again: thrown,
        rolled: thrown,
        before: now,
        last: decisive(record),
      });
      isOpen = true;
    } else if (changed?.id === id) {
      now = changed.rolled;
      const step = steps.at(-1);
      if (step && isOpen) step.rolled = now;
      isOpen = false;
    }
  }
  const own = steps.at(-1);
  if (!own || own.seq !== seq) return [{ seq, again, rolled, before: [], last }];
  if (names(own.rolled) !== names(rolled)) own.rolled = rolled;
  return steps.slice(-MOST);
}

const names = (dice) => dice.map(({ die }) => die).join(" ");

/** Whether two dice are of one name and show one face. */
export const isSame = (one, other) => one?.die === other?.die && one?.face === other?.face;

/**
 * The pose of each piece that is not thrown, or null. `earlier` are the poses of the dice before
 * this roll, in their order. Dice with one face are set down before the throw.
 */
export function keptOf(pieces, { rolled, again, before }, earlier) {
  const isPart = again.length < rolled.length && earlier.length === before.length;
  const stays = isPart ? stayingDice(rolled, again, before) : null;
  const used = /** @type {Record<number, number>} */ ({});
  let set = 0;
  const { width, depth } = feltFor(pieces.length);
  return pieces.map((piece) => {
    const place = stays?.[piece.nth];
    if (place !== undefined && place >= 0) {
      used[piece.nth] = (used[piece.nth] ?? -1) + 1;
      return earlier[place][used[piece.nth]];
    }
    if (!piece.still) return null;
    set += 1;
    return laidAt(solidOf(piece.sides), set * 2.5 - width / 2 - 1, depth / 2 - 1.2);
  });
}

/**
 * The place before the roll of each die that stays, -1 for those that are thrown; null if there
 * were other dice before it.
 */
function stayingDice(rolled, again, before) {
  const left = [...again];
  const isThrown = rolled.map(() => false);
  const mark = (i) => {
    const at = left.findIndex((one) => isSame(one, rolled[i]));
    if (at < 0) return;
    left.splice(at, 1);
    isThrown[i] = true;
  };
  rolled.forEach((one, i) => isSame(one, before[i]) || mark(i));
  rolled.forEach((_, i) => isThrown[i] || mark(i));
  const free = before.map((_, i) => i);
  const places = rolled.map((one, i) => {
    if (isThrown[i]) return -1;
    const at = free.find((place) => place === i && isSame(before[place], one)) ??
      free.find((place) => isSame(before[place], one));
    if (at === undefined) return undefined;
    free.splice(free.indexOf(at), 1);
    return at;
  });
  return left.length || places.includes(undefined) ? null : /** @type {number[]} */ (places);
}
