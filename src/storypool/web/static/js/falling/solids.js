/**
 * The solids of dice: corners, faces, and the turns that put one face in the place of another.
 *
 * All numbers come from square roots and the four operations, which every browser computes to the
 * same bit: throws that start equal end equal.
 */

/** @typedef {[number, number, number]} Vector */

/**
 * A solid around its centre. `faces` are the corners of each face, counter-clockwise seen from
 * outside, the first one at its top; `edges` are pairs of corners. `inner` and `outer` are the
 * radii to its faces and corners, `inertia` is the moment of a die of mass 1.
 *
 * @typedef {{
 *   sides: number,
 *   corners: Vector[],
 *   faces: number[][],
 *   edges: [number, number][],
 *   normals: Vector[],
 *   inner: number,
 *   outer: number,
 *   inertia: number,
 * }} Solid
 */

const PHI = (1 + Math.sqrt(5)) / 2;
/** The cosine and the sine of 36 degrees. */
const COS = PHI / 2;
const SIN = Math.sqrt(10 - 2 * Math.sqrt(5)) / 4;

/** The scalar product of two vectors. */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/**
 * The vector product.
 *
 * @returns {Vector}
 */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/**
 * A vector, so many times as long.
 *
 * @returns {Vector}
 */
export const times = (a, n) => [a[0] * n, a[1] * n, a[2] * n];
/**
 * The sum of two vectors.
 *
 * @returns {Vector}
 */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/**
 * The way from `b` to `a`.
 *
 * @returns {Vector}
 */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/**
 * The direction of a vector, of length 1.
 *
 * @returns {Vector}
 */
export const unit = (a) => times(a, 1 / Math.sqrt(dot(a, a)));
/**
 * The middle of points.
 *
 * @returns {Vector}
 */
export const mean = (all) => times(all.reduce(plus), 1 / all.length);

/** The points whose coordinates are these with all signs, and in the three orders of a turn. */
function turned([x, y, z]) {
  const found = [];
  for (const [a, b, c] of [[x, y, z], [z, x, y], [y, z, x]]) {
    for (const i of a ? [1, -1] : [1]) {
      for (const j of b ? [1, -1] : [1]) {
        for (const k of c ? [1, -1] : [1]) found.push([a * i, b * j, c * k]);
      }
    }
  }
  return found;
}

const CUBE = turned([1, 1, 1]).slice(0, 8);
const OCTA = turned([1, 0, 0]);
const DODECA = [...CUBE, ...turned([0, 1 / PHI, PHI])];
const ICOSA = turned([0, PHI, 1]);
const TETRA = CUBE.filter(([x, y, z]) => x * y * z > 0);
/** The ten directions around the axis of a ten-sided die, 36 degrees apart. */
const ROUND = [[1, 0]];
for (let i = 1; i < 10; i += 1) {
  const [x, y] = ROUND[i - 1];
  ROUND.push([x * COS - y * SIN, x * SIN + y * COS]);
}
/** How far the belt of a ten-sided die zigzags: its kites are flat only so. */
const BELT = (1 - COS) / (1 + COS);
const KITES = [[0, 0, 1], [0, 0, -1], ...ROUND.map(([x, y], i) => [x, y, i % 2 ? BELT : -BELT])];
const KITE_NORMALS = ROUND.map(([x, y], i) => [x, y, (i % 2 ? -1 : 1) / (1 + BELT)]);

/**
 * A solid from its corners and the directions of its faces, with this outer radius. `inertia` is a
 * part of the square of that radius.
 *
 * @returns {Solid}
 */
function solid(points, directions, outer, inertia) {
  const corners = points.map((point) => times(unit(point), outer));
  if (points === KITES) points.forEach((point, i) => (corners[i] = times(point, outer)));
  const normals = directions.map(unit);
  const reach = Math.max(...corners.map((corner) => dot(corner, normals[0])));
  const faces = normals.map((normal) => {
    const own = [...corners.keys()].filter((i) => dot(corners[i], normal) > reach - 1e-6);
    const middle = mean(own.map((i) => corners[i]));
    const right = unit(minus(corners[own[0]], middle));
    const up = cross(normal, right);
    const angle = (i) => {
      const arm = minus(corners[i], middle);
      return Math.atan2(dot(arm, up), dot(arm, right));
    };
    const start = angle(own[0]);
    return own.sort((a, b) =>
      ((angle(a) - start + 7) % (2 * Math.PI)) - ((angle(b) - start + 7) % (2 * Math.PI))
    );
  });
  // A kite's top is its corner at a pole, the first of the corners.
  for (const face of faces) {
    while (points === KITES && face[0] > 1) face.push(face.shift() ?? 0);
  }
  const edges = faces.flatMap((face) =>
    face.map((a, i) => /** @type {[number, number]} */ ([a, face[(i + 1) % face.length]]))
  ).filter(([a, b]) => a < b);
  return {
    sides: faces.length,
    corners,
    faces,
    edges,
    normals,
    inner: reach,
    outer,
    inertia: inertia * outer * outer,
  };
}

/** @type {Record<number, Solid>} */
const SOLIDS = {
  4: solid(TETRA, TETRA.map((corner) => times(corner, -1)), 1.34, 0.133),
  6: solid(CUBE, OCTA, 1.12, 0.222),
  8: solid(OCTA, CUBE, 1.14, 0.2),
  10: solid(KITES, KITE_NORMALS, 1.1, 0.24),
  12: solid(DODECA, ICOSA, 1.06, 0.3),
  20: solid(ICOSA, DODECA, 1.14, 0.33),
};

/**
 * The solid with this many sides.
 *
 * @returns {Solid}
 */
export const solidOf = (sides) => SOLIDS[sides];

/** The numbers of sides for which there is a solid, the least first. */
export const SIDES = Object.keys(SOLIDS).map(Number);

/** The face that a die shows when it rests on `face`; with four sides, that one. */
export function shownOn({ normals, sides }, face) {
  if (sides === 4) return face;
  const down = normals[face];
  return normals.findIndex((normal) => dot(normal, down) < -0.999);
}

/** The right, up and outward directions of a face, turned `by` corners. */
export function frameOf({ corners, faces, normals, sides }, face, by = 0) {
  const own = faces[face];
  const middle = mean(own.map((i) => corners[i]));
  const top = corners[own[by % own.length]];
  // The side of a cube is at its top, not a corner.
  const peak = sides === 6 ? mean([top, corners[own[(by + 1) % own.length]]]) : top;
  const up = unit(minus(peak, middle));
  return [cross(up, normals[face]), up, normals[face]];
}

/**
 * The turn that moves face `from` to the place of face `to`, with its top at the `by`th corner
 * there: a matrix as rows.
 */
export function turnOf(solid, from, to, by = 0) {
  const [a, b] = [frameOf(solid, from), frameOf(solid, to, by)];
  const entry = (row, column) =>
    b[0][row] * a[0][column] + b[1][row] * a[1][column] + b[2][row] * a[2][column];
  return [0, 1, 2].map((row) => [0, 1, 2].map((column) => entry(row, column)));
}

/** In how many ways a face fits its own place. */
export const waysOf = ({ sides, faces }) => sides === 10 ? 1 : faces[0].length;
