/** The surface of a solid as triangles: its faces, and rounded edges and corners between them. */

import { flat, placeIn } from "./prints.js";
import { cross, dot, minus, plus, times, unit } from "./solids.js";

/** How much of a face its rounded edge takes, by the sides of a solid. */
const ROUND = { 4: 0.16, 6: 0.13, 8: 0.13, 10: 0.12, 12: 0.11, 20: 0.1 };

/**
 * Triangles of a solid: positions, normals, places in its print, and how far each point is from the
 * flat of a face (`edge`).
 */
export function surfaceOf(solid) {
  const made = { position: [], normal: [], uv: [], edge: [] };
  const faces = solid.faces.map((own, face) => {
    const shape = flat(solid, face);
    const points = own.map((i) => {
      const arm = minus(solid.corners[i], shape.middle);
      return { at: plus(shape.middle, times(arm, 1 - ROUND[solid.sides])), corner: i };
    });
    return { own, face, shape, points, normal: solid.normals[face] };
  });
  for (const { points, shape, face, normal } of faces) {
    const all = points.map(({ at }) => {
      const arm = minus(at, shape.middle);
      const x = dot(arm, shape.right), y = dot(arm, shape.up);
      return { at, normal, uv: placeIn(solid.sides, face, shape.outer, x, y), edge: 0 };
    });
    fan(made, all, normal);
  }
  const pointOf = (face, corner) => {
    const { points, normal, shape } = faces[face];
    const { at } = points.find((one) => one.corner === corner) ?? points[0];
    return { at, normal, uv: placeIn(solid.sides, face, shape.outer, 0, shape.outer), edge: 1 };
  };
  const facesAt = (corner) => faces.filter(({ own }) => own.includes(corner));
  for (const [a, b] of solid.edges) {
    const [one, two] = facesAt(a).filter(({ own }) => own.includes(b)).map(({ face }) => face);
    const out = unit(plus(solid.normals[one], solid.normals[two]));
    fan(made, [pointOf(one, a), pointOf(one, b), pointOf(two, b), pointOf(two, a)], out);
  }
  solid.corners.forEach((corner, i) => {
    const out = unit(corner);
    const side = unit(cross(out, Math.abs(out[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
    const other = cross(out, side);
    const round = facesAt(i).map(({ face }) => pointOf(face, i)).map((point) => ({
      point,
      angle: Math.atan2(dot(point.at, other), dot(point.at, side)),
    }));
    round.sort((a, b) => a.angle - b.angle);
    fan(made, round.map(({ point }) => point), out);
  });
  return Object.fromEntries(
    Object.entries(made).map(([name, all]) => [name, Float32Array.from(all)]),
  );
}

/** Add a convex polygon as triangles that are seen from the side to which `out` points. */
function fan(made, points, out) {
  const way = cross(minus(points[1].at, points[0].at), minus(points[2].at, points[0].at));
  const all = dot(way, out) < 0 ? [...points].reverse() : points;
  for (let i = 1; i < all.length - 1; i += 1) {
    for (const point of [all[0], all[i], all[i + 1]]) {
      made.position.push(...point.at);
      made.normal.push(...point.normal);
      made.uv.push(...point.uv);
      made.edge.push(point.edge);
    }
  }
}
