/** The solids that a roll throws, what is printed on their faces, and which of these is rolled. */

import { dieOf, faceOf, lookOf } from "../state/looks.js";
import { shownOn, SIDES, solidOf } from "./solids.js";

/**
 * One solid of a roll. `labels` are what its die shows, the first face first; `printed` says which
 * of them is shown when the solid rests on each of its faces; `rolled` is the label of the roll.
 *
 * @typedef {{
 *   nth: number,
 *   look: ReturnType<typeof lookOf>,
 *   sides: number,
 *   labels: { number: string, symbols: string[] }[],
 *   printed: number[],
 *   rolled: number,
 *   first: number,
 *   still: boolean,
 * }} Piece
 */

/** More solids are too small on a phone. */
export const MOST = 12;

/** Solids for dice with another number of faces, each of which is printed several times. */
const SHARED = [6, 8, 10, 12, 20];
const OUTLINED = { d6: 6, d8: 8, d10: 10, d12: 12, d20: 20 };

/**
 * The solids of a roll, in its order; null if one of its dice is no solid, as a card, or there are
 * too many.
 *
 * @param {any[]} rolled
 * @param {any[]} dice
 * @returns {Piece[] | null}
 */
export function piecesOf(rolled, dice) {
  const found = rolled.flatMap(({ die: name, face }, nth) => {
    const die = dice[nth]?.name === name ? dice[nth] : dieOf(name);
    const look = lookOf(name);
    const n = die.faces.length, at = face - die.first;
    if (look.outline === "d2" || !n || at < 0 || at >= n) return [null];
    if (n === 100) return pair({ nth, look }, face);
    const sides = sidesOf(n, look);
    const labels = die.faces.map((_, i) => faceOf(die, die.first + i));
    const still = n === 1;
    const piece = { nth, look, sides, labels, rolled: at, first: die.first, still };
    return [sides ? { ...piece, printed: printedOn(sides, n) } : null];
  });
  return found.includes(null) || found.length > MOST || !found.length
    ? null
    : /** @type {Piece[]} */ (found);
}

function sidesOf(n, { outline }) {
  if (n === 1) return OUTLINED[outline];
  return SIDES.includes(n) ? n : SHARED.find((sides) => sides % n === 0);
}

/** Two ten-sided dice: tens and ones. */
function pair(piece, face) {
  const ten = (labels, rolled) => ({
    ...piece,
    sides: 10,
    labels: labels.map((number) => ({ number, symbols: [] })),
    printed: printedOn(10, 10),
    rolled,
    first: 0,
    still: false,
  });
  const digits = Array.from({ length: 10 }, (_, i) => String(i));
  return [
    ten(digits.map((digit) => `${digit}0`), Math.floor(face / 10) % 10),
    ten(digits, face % 10),
  ];
}

const layouts = new Map();

/** The label shown on each face of a solid: opposite ones add up to the same, as on real dice. */
function printedOn(sides, n) {
  const key = `${sides}/${n}`;
  let found = layouts.get(key);
  if (found) return found;
  const solid = solidOf(sides);
  found = Array(sides).fill(-1);
  let next = 0;
  for (let face = 0; face < sides; face += 1) {
    if (found[face] >= 0) continue;
    const [low, high] = next % 2 ? [sides - 1 - next, next] : [next, sides - 1 - next];
    const other = shownOn(solid, face);
    found[face] = (other === face ? next : low) % n;
    if (other !== face) found[other] = high % n;
    next += 1;
  }
  layouts.set(key, found);
  return found;
}
