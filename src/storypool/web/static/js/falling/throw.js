/**
 * A throw: the motion of all dice of a roll, computed from a seed and recorded before it is shown.
 *
 * Each page computes the same throw, so everybody sees the same one. The order of its arithmetic
 * matters: no function is used that browsers compute differently.
 */

import { advance, bodyOf, isAwake, pointing } from "./bodies.js";
import { solidOf } from "./solids.js";

/** Moments that are computed in a second, and those of them that are kept. */
const RATE = 240;
/** Recorded poses in a second. */
export const POSES = 60;
const EACH = RATE / POSES;
/** Numbers of a pose: a place and a quaternion. */
export const POSE = 7;
/** Seconds after which a throw is tried again. */
const LONGEST = 3;
const TRIES = 16;
/** The die that decides is thrown when the others are this slow (squared), within these seconds. */
const SLOW = 6;
const PAUSE = { least: 0.2, most: 0.6 };
/** A die at rest has a face this near to straight down. */
const FLAT = 0.9995;
/** How often a die that leans is tipped over, in one throw. */
const TIPS = 6;
const LEAST_WIDTH = 7.6;

/**
 * A recorded throw: the felt from side to side and from front to back, the poses of all dice one
 * moment after the other, the face on which each rests, since when, and its knocks on the felt.
 *
 * @typedef {{
 *   width: number,
 *   depth: number,
 *   poses: Float32Array,
 *   length: number,
 *   down: number[],
 *   settled: number[],
 *   released: number[],
 *   knocks: { time: number, die: number, force: number }[],
 * }} Throw
 */

/** A number of 32 bits for a text. */
export function seedOf(text) {
  let seed = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    seed = Math.imul(seed ^ text.charCodeAt(i), 0x01000193);
  }
  return seed >>> 0;
}

/** A source of numbers from 0 up to 1. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), state | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) / 4294967296;
  };
}

/** The size of the felt for so many dice, in radii of a die. */
export function feltFor(n) {
  const width = Math.max(LEAST_WIDTH, 4.3 * Math.sqrt(n));
  return { width, depth: width * 0.6 };
}

/**
 * Throw dice with these sides; those with a pose in `kept` are there already. The one at `last`
 * falls last. If a die leans at the end, all are thrown again, by the same rule on
 * every page.
 *
 * @param {number} seed
 * @param {number[]} sides
 * @param {number | undefined} last
 * @param {(number[] | null)[]} kept
 * @returns {Throw}
 */
export function thrown(seed, sides, last = sides.length - 1, kept = []) {
  for (let n = 0; n < TRIES; n += 1) {
    const found = tried(chance(seed + 0x9e3779b9 * n), sides, last, kept);
    if (found) return found;
  }
  return laidOut(sides, kept);
}

function tried(random, sides, last, kept) {
  const felt = feltFor(sides.length);
  const rails = { width: felt.width / 2, depth: felt.depth / 2 };
  const thrownDice = [...sides.keys()].filter((i) => !kept[i]);
  const released = releases(random, thrownDice, last, felt);
  const bodies = sides.map((n, i) =>
    kept[i]
      ? bodyOf(solidOf(n), kept[i].slice(0, 3), kept[i].slice(3), true)
      : flung(random, solidOf(n), released[i], rails)
  );
  const poses = [], knocks = [];
  const settled = sides.map(() => 0);
  let quiet = 0, tips = 0;
  for (let step = 0; quiet < RATE / 12; step += 1) {
    if (step > LONGEST * RATE) return null;
    const time = step / RATE;
    if (step % EACH === 0) {
      for (const { place, turn } of bodies) poses.push(...place, ...turn);
    }
    if (released[last]?.time === Infinity && isTurnOfLast(bodies, released, last, time)) {
      released[last].time = time;
    }
    const flying = bodies.filter((_, i) => kept[i] || released[i].time <= time);
    advance(flying, rails, 1 / RATE);
    quiet += 1;
    for (const i of thrownDice) {
      const body = bodies[i];
      if (body.struck > 5 && body.touches) knocks.push({ time, die: i, force: body.struck });
      if (released[i].time <= time && !isAwake(body)) {
        if (restingOn(body) >= 0) continue;
        tips += 1;
        if (tips > TIPS) return null;
        tip(random, body);
      }
      quiet = 0;
      settled[i] = time;
    }
  }
  const isOn = ({ place: [x, y], solid: { inner } }) =>
    Math.abs(x) < rails.width - inner / 2 && Math.abs(y) < rails.depth - inner / 2;
  const down = bodies.map((body) => isOn(body) ? restingOn(body) : -1);
  const isLast = !released[last] ||
    thrownDice.every((i) => i === last || settled[i] < settled[last]);
  if (!isLast || down.includes(-1)) return null;
  return {
    ...felt,
    poses: Float32Array.from(poses),
    length: poses.length / POSE / sides.length,
    down,
    settled,
    released: sides.map((_, i) => released[i]?.time ?? 0),
    knocks,
  };
}

/** When and where each die leaves the hand: a few at a time, the one that decides by itself. */
function releases(random, dice, last, { width }) {
  const found = /** @type {Record<number, { time: number, slot: number }>} */ ({});
  const others = dice.filter((i) => i !== last);
  for (let i = others.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [others[i], others[j]] = [others[j], others[i]];
  }
  const row = Math.max(1, Math.floor((width * 0.66) / 2.6));
  let time = 0;
  others.forEach((die, nth) => {
    const inRow = Math.min(row, others.length - nth + (nth % row));
    time = Math.floor(nth / row) * 0.13;
    found[die] = { time: time + random() * 0.05, slot: (nth % row) - (inRow - 1) / 2 };
  });
  if (dice.includes(last)) {
    found[last] = { time: others.length ? Infinity : 0, slot: 0 };
  }
  return found;
}

/** Whether the die that decides is thrown now: the others are almost down. */
function isTurnOfLast(bodies, released, last, now) {
  const others = Object.keys(released).map(Number).filter((i) => i !== last);
  const since = now - Math.max(...others.map((i) => released[i].time));
  return since > PAUSE.most ||
    (since > PAUSE.least && others.every((i) => isSlow(bodies[i])));
}

/** Tip over a die that leans on another or on a rail. */
function tip(random, body) {
  const between = (a, b) => a + (b - a) * random();
  body.speed = [between(-5, 5), between(-5, 5), between(6, 9)];
  body.spin = [between(-9, 9), between(-9, 9), between(-9, 9)];
  body.rested = 0;
}

/** A die as it leaves the hand, in front of the felt. */
function flung(random, solid, { slot }, { width, depth }) {
  const between = (a, b) => a + (b - a) * random();
  const place = [slot * 2.6, -depth - 2.2, between(1.8, 2.8)];
  const body = bodyOf(solid, place, randomTurn(random));
  const scale = Math.sqrt(depth / 2.3);
  // Each flies towards a place of its own.
  const goal = [between(-0.8, 0.8) * width, between(-0.4, 0.6) * depth];
  const way = [goal[0] - place[0], goal[1] - place[1]];
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1]);
  const speed = between(11, 17) * scale;
  body.speed = [(way[0] / length) * speed, (way[1] / length) * speed, between(2, 7)];
  body.spin = [-between(8, 22), between(-14, 14), between(-14, 14)];
  return body;
}

function randomTurn(random) {
  for (;;) {
    const q = [0, 0, 0, 0].map(() => 2 * random() - 1);
    const size = q.reduce((sum, n) => sum + n * n, 0);
    if (size > 0.01 && size <= 1) return q.map((n) => n / Math.sqrt(size));
  }
}

const isSlow = ({ speed: [x, y, z], entered }) => entered && x * x + y * y + z * z < SLOW;

/** The face on which a body rests flat on the felt, or -1. */
function restingOn(body) {
  if (body.place[2] > body.solid.inner + 0.03) return -1;
  return body.solid.normals.findIndex((normal) => pointing(body, normal)[2] < -FLAT);
}

/** Dice in rows without a throw, for the case that no throw of this seed ends well. */
function laidOut(sides, kept) {
  const felt = feltFor(sides.length);
  const row = Math.max(1, Math.floor(felt.width / 2.6));
  const poses = sides.flatMap((n, i) => {
    if (kept[i]) return kept[i];
    const solid = solidOf(n);
    const inRow = Math.min(row, sides.length - i + (i % row));
    const rows = Math.ceil(sides.length / row);
    const x = ((i % row) - (inRow - 1) / 2) * 2.5;
    const y = ((rows - 1) / 2 - Math.floor(i / row)) * 2.4;
    return laidAt(solid, x, y);
  });
  return {
    ...felt,
    poses: Float32Array.from(poses),
    length: 1,
    down: sides.map(() => 0),
    settled: sides.map(() => 0),
    released: sides.map(() => 0),
    knocks: [],
  };
}

/** The pose of a solid that rests on its first face at this place. */
export const laidAt = (solid, x, y) => [x, y, solid.inner, ...restingTurn(solid)];

/** The turn with which a solid rests on its first face. */
function restingTurn({ normals: [[x, y, z]] }) {
  // Halfway between the face's direction and straight down.
  const size = Math.sqrt(2 * (1 - z));
  return size < 1e-6 ? [1, 0, 0, 0] : [-y / size, x / size, 0, size / 2];
}
