/** Solids that fly, fall on the felt, bounce off each other, and come to rest. */

import { dot } from "./solids.js";

/** @import { Solid } from "./solids.js" */

/** Lengths are in radii of a die, times in seconds. */
const GRAVITY = 110;
const BOUNCE = { felt: 0.36, rail: 0.4, die: 0.35 };
const GRIP = { felt: 0.42, rail: 0.05, die: 0.06 };
/** A slower impact does not bounce. */
const SOFTEST = 3;
const ROUNDS = 6;
/** The square of a speed below which a body rests, and the seconds after which it sleeps. */
const STILL = 0.12;
const ASLEEP = 0.08;
/** The speed of a hit that wakes a die. */
const WAKES = 0.8;
/** How much of an overlap is allowed, and how fast the rest of it is pushed apart. */
const SLACK = 0.004;
/** A corner this near to the felt touches it. */
const NEAR = 0.02;
const PUSH = 14;
const HARDEST = 9;
/** A die that flies in more slowly than this has bounced back. */
const BACK = 3;
/** What the felt takes from the turning and sliding of a die that touches it, each second. */
const DRAG = { air: 0.2, felt: 2.2, rest: 14 };

/**
 * A die in motion: its place, its turn as a quaternion (x, y, z, w), and their speeds. One that is
 * `fixed` is only in the way. One that has `rested` for long enough sleeps until it is hit.
 *
 * @typedef {{
 *   solid: Solid,
 *   place: number[],
 *   turn: number[],
 *   speed: number[],
 *   spin: number[],
 *   axes: number[],
 *   corners: Float64Array,
 *   fixed: boolean,
 *   entered: boolean,
 *   touches: number,
 *   struck: number,
 *   rested: number,
 * }} Body
 */

/** Points of a solid that others can hit: its corners, then the middles of its edges. */
const points = new Map();

function pointsOf(solid) {
  let found = points.get(solid);
  if (!found) {
    const middles = solid.edges.map(([a, b]) =>
      solid.corners[a].map((n, axis) => (n + solid.corners[b][axis]) / 2)
    );
    points.set(solid, found = [...solid.corners, ...middles]);
  }
  return found;
}

/**
 * A die at a place, turned so.
 *
 * @param {Solid} solid
 * @param {number[]} place
 * @param {number[]} turn
 * @param {boolean} fixed
 * @returns {Body}
 */
export function bodyOf(solid, place, turn, fixed = false) {
  const body = {
    solid,
    place: [...place],
    turn: [...turn],
    speed: [0, 0, 0],
    spin: [0, 0, 0],
    axes: Array(9).fill(0),
    corners: new Float64Array(3 * pointsOf(solid).length),
    fixed,
    entered: false,
    touches: 0,
    struck: 0,
    rested: 0,
  };
  settleAxes(body);
  return body;
}

/** Compute the axes of a body, as rows of a matrix, and where its points are. */
function settleAxes(body) {
  const [x, y, z, w] = body.turn;
  const m = body.axes;
  m[0] = 1 - 2 * (y * y + z * z);
  m[1] = 2 * (x * y - z * w);
  m[2] = 2 * (x * z + y * w);
  m[3] = 2 * (x * y + z * w);
  m[4] = 1 - 2 * (x * x + z * z);
  m[5] = 2 * (y * z - x * w);
  m[6] = 2 * (x * z - y * w);
  m[7] = 2 * (y * z + x * w);
  m[8] = 1 - 2 * (x * x + y * y);
  const all = pointsOf(body.solid), to = body.corners;
  for (let i = 0; i < all.length; i += 1) {
    const [px, py, pz] = all[i];
    to[3 * i] = m[0] * px + m[1] * py + m[2] * pz;
    to[3 * i + 1] = m[3] * px + m[4] * py + m[5] * pz;
    to[3 * i + 2] = m[6] * px + m[7] * py + m[8] * pz;
  }
}

/** A face's direction, or another vector of a solid, as it points now. */
export function pointing({ axes: m }, [x, y, z]) {
  return [
    m[0] * x + m[1] * y + m[2] * z,
    m[3] * x + m[4] * y + m[5] * z,
    m[6] * x + m[7] * y + m[8] * z,
  ];
}

/** Whether a body moves: it is not fixed and does not sleep. */
export const isAwake = ({ fixed, rested }) => !fixed && rested < ASLEEP;

/** Move bodies on by `time`, within rails at these distances from the middle. */
export function advance(bodies, rails, time) {
  const contacts = /** @type {any[]} */ ([]);
  for (const body of bodies) {
    body.struck = 0;
    if (!isAwake(body)) continue;
    body.touches = 0;
    body.speed[2] -= GRAVITY * time;
    touchPlanes(body, rails, contacts);
  }
  for (let i = 0; i < bodies.length; i += 1) {
    for (let j = i + 1; j < bodies.length; j += 1) {
      touchEachOther(bodies[i], bodies[j], contacts);
    }
  }
  contacts.forEach(prepare);
  for (let round = 0; round < ROUNDS; round += 1) contacts.forEach(solve);
  for (const body of bodies) if (isAwake(body)) move(body, time);
}

function move(body, time) {
  const { place, turn, speed, spin, touches } = body;
  const isSlow = touches > 2 && dot(speed, speed) < 2 && dot(spin, spin) < 4;
  const drag = isSlow ? DRAG.rest : touches ? DRAG.felt : DRAG.air;
  const left = 1 - drag * time;
  for (let i = 0; i < 3; i += 1) {
    spin[i] *= left;
    if (isSlow) speed[i] *= left;
    place[i] += speed[i] * time;
  }
  const [x, y, z, w] = turn;
  const [a, b, c] = spin;
  const half = time / 2;
  const next = [
    x + half * (a * w + b * z - c * y),
    y + half * (b * w + c * x - a * z),
    z + half * (c * w + a * y - b * x),
    w - half * (a * x + b * y + c * z),
  ];
  const size = Math.sqrt(
    next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3],
  );
  for (let i = 0; i < 4; i += 1) turn[i] = next[i] / size;
  settleAxes(body);
  const isStill = dot(speed, speed) < STILL && dot(spin, spin) < STILL;
  body.rested = isStill && touches > 2 ? body.rested + time : 0;
}

/** Add the contacts of a body with the felt and the rails; the one in front is open for a throw. */
function touchPlanes(body, rails, contacts) {
  const { place: [x, y, z], corners, solid } = body;
  const near = solid.outer;
  // One that bounces back before it is inside is led in.
  if (y - near > -rails.depth || body.speed[1] < BACK) body.entered = true;
  const onFelt = z < near + NEAR;
  const atSide = Math.abs(x) + near > rails.width;
  const atEnd = y + near > rails.depth || (body.entered && y - near < -rails.depth);
  if (!onFelt && !atSide && !atEnd) return;
  for (let i = 0; i < 3 * solid.corners.length; i += 3) {
    const arm = [corners[i], corners[i + 1], corners[i + 2]];
    if (z + arm[2] < NEAR) body.touches += 1;
    if (z + arm[2] < 0) {
      contacts.push({ a: body, b: null, arm, normal: [0, 0, 1], deep: -z - arm[2], on: "felt" });
    }
    const left = -rails.width - x - arm[0], right = x + arm[0] - rails.width;
    if (left > 0 || right > 0) {
      const normal = [left > 0 ? 1 : -1, 0, 0];
      contacts.push({ a: body, b: null, arm, normal, deep: Math.max(left, right), on: "rail" });
    }
    const back = y + arm[1] - rails.depth;
    const front = body.entered ? -rails.depth - y - arm[1] : 0;
    if (back > 0 || front > 0) {
      const normal = [0, back > 0 ? -1 : 1, 0];
      contacts.push({ a: body, b: null, arm, normal, deep: Math.max(back, front), on: "rail" });
    }
  }
}

/** Add the contacts of two bodies: points of either one inside the other. */
function touchEachOther(one, other, contacts) {
  if (!isAwake(one) && !isAwake(other)) return;
  const gap = [0, 1, 2].map((i) => other.place[i] - one.place[i]);
  const reach = one.solid.outer + other.solid.outer;
  if (dot(gap, gap) > reach * reach) return;
  inside(one, other, gap, contacts);
  inside(other, one, gap.map((n) => -n), contacts);
}

/** Add a contact for each point of `guest` inside `host`, whose centre is `gap` from it. */
function inside(host, guest, gap, contacts) {
  const { corners } = guest;
  const { normals, inner, outer } = host.solid;
  const m = host.axes;
  for (let i = 0; i < corners.length; i += 3) {
    const x = corners[i] + gap[0], y = corners[i + 1] + gap[1], z = corners[i + 2] + gap[2];
    if (x * x + y * y + z * z > outer * outer) continue;
    // The same point with the host's own axes.
    const px = m[0] * x + m[3] * y + m[6] * z;
    const py = m[1] * x + m[4] * y + m[7] * z;
    const pz = m[2] * x + m[5] * y + m[8] * z;
    let least = Infinity, nearest = 0;
    for (let k = 0; k < normals.length && least > 0; k += 1) {
      const deep = inner - normals[k][0] * px - normals[k][1] * py - normals[k][2] * pz;
      if (deep < least) [least, nearest] = [deep, k];
    }
    if (least <= 0) continue;
    contacts.push({
      a: guest,
      b: host,
      arm: [corners[i], corners[i + 1], corners[i + 2]],
      other: [x, y, z],
      normal: pointing(host, normals[nearest]),
      deep: least,
      on: "die",
    });
  }
}

/** The speed of a point of a body. */
const speedAt = ({ speed: v, spin: w }, r) => [
  v[0] + w[1] * r[2] - w[2] * r[1],
  v[1] + w[2] * r[0] - w[0] * r[2],
  v[2] + w[0] * r[1] - w[1] * r[0],
];

function approach({ a, b, arm, other }) {
  const v = speedAt(a, arm);
  if (!b || b.fixed) return v;
  const u = speedAt(b, other);
  return [v[0] - u[0], v[1] - u[1], v[2] - u[2]];
}

/** How easily a push at `arm` along `n` moves a body. */
function ease(body, arm, n) {
  if (!isAwake(body)) return 0;
  const { solid } = body;
  const along = dot(arm, n);
  return 1 + (dot(arm, arm) - along * along) / solid.inertia;
}

function prepare(contact) {
  const { a, b, arm, other, normal, deep, on } = contact;
  const closing = dot(approach(contact), normal);
  if (b && closing < -WAKES) a.rested = b.rested = 0;
  contact.mass = 1 / (ease(a, arm, normal) + (b ? ease(b, other, normal) : 0));
  contact.want = Math.max(
    closing < -SOFTEST ? -BOUNCE[on] * closing : 0,
    Math.min(PUSH * Math.max(0, deep - SLACK), HARDEST),
  );
  contact.grip = GRIP[on];
  contact.pushed = 0;
  contact.slid = [0, 0, 0];
  if (closing < -SOFTEST) a.struck = Math.max(a.struck, -closing);
}

function push({ a, b, arm, other }, x, y, z) {
  if (isAwake(a)) give(a, arm, x, y, z);
  if (b && isAwake(b)) give(b, other, -x, -y, -z);
}

function give({ speed, spin, solid }, r, x, y, z) {
  speed[0] += x;
  speed[1] += y;
  speed[2] += z;
  spin[0] += (r[1] * z - r[2] * y) / solid.inertia;
  spin[1] += (r[2] * x - r[0] * z) / solid.inertia;
  spin[2] += (r[0] * y - r[1] * x) / solid.inertia;
}

/** One round of impulses: against the approach, and then against sliding. */
function solve(contact) {
  const { normal, mass, grip, slid } = contact;
  const v = approach(contact);
  const more = mass * (contact.want - dot(v, normal));
  const pushed = Math.max(0, contact.pushed + more);
  const now = pushed - contact.pushed;
  contact.pushed = pushed;
  if (now) push(contact, normal[0] * now, normal[1] * now, normal[2] * now);
  if (!pushed) return;
  const u = approach(contact);
  const away = dot(u, normal);
  const next = [0, 1, 2].map((i) => slid[i] - mass * (u[i] - away * normal[i]));
  const size = Math.sqrt(dot(next, next)), most = grip * pushed;
  const part = size > most ? most / size : 1;
  const change = next.map((n, i) => n * part - slid[i]);
  contact.slid = next.map((n) => n * part);
  push(contact, change[0], change[1], change[2]);
}
