/** What is printed on the faces of a solid: a picture with a square for each face. */

import { glyphs } from "../ui/glyphs.js";
import { drawingOf, lookOf } from "../state/looks.js";
import { dot, frameOf, mean, minus } from "./solids.js";

/** Pixels of a face's square, and how much of it a face fills. */
const CELL = 192;
const FILLS = 0.94;

/** The parts of a face: the sizes of its number and symbols as parts of its inner radius. */
const NUMBERS = { 4: 0.86, 6: 1.3, 8: 1.3, 10: 1.24, 12: 1.25, 20: 1.3 };
const SYMBOLS = { 1: [[0, 0, 1.3]], 2: [[-0.45, 0, 0.9], [0.45, 0, 0.9]] };
const THREE = [[-0.42, -0.3, 0.7], [0.42, -0.3, 0.7], [0, 0.45, 0.7]];

/** The columns of squares in the picture of a solid with so many sides. */
export const columnsOf = (sides) => Math.ceil(Math.sqrt(sides));

/** A face in its plane: its middle, its axes, its corners there, and its radii. */
export function flat(solid, face) {
  const points = solid.faces[face].map((i) => solid.corners[i]);
  const middle = mean(points);
  const [right, up] = frameOf(solid, face);
  const corners = points.map((point) => {
    const arm = minus(point, middle);
    return [dot(arm, right), dot(arm, up)];
  });
  const outer = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
  const inner = Math.min(...corners.map(([x, y], i) => {
    const [a, b] = corners[(i + 1) % corners.length];
    return Math.abs(x * b - y * a) / Math.hypot(a - x, b - y);
  }));
  return { middle, right, up, corners, outer, inner };
}

/** The place of a point of a face's plane in the picture, from 0 to 1. */
export function placeIn(sides, face, outer, x, y) {
  const columns = columnsOf(sides), rows = Math.ceil(sides / columns);
  const half = FILLS / 2 / outer;
  return [
    ((face % columns) + 0.5 + x * half) / columns,
    1 - (Math.floor(face / columns) + 0.5 - y * half) / rows,
  ];
}

/**
 * A picture with all faces of a piece. `colours` are those of its body and ink, with the family of
 * its letters; `drawShapes` draws a glyph.
 */
export function printOf(piece, solid, colours, drawShapes) {
  const columns = columnsOf(piece.sides);
  const canvas = document.createElement("canvas");
  canvas.width = columns * CELL;
  canvas.height = Math.ceil(piece.sides / columns) * CELL;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser draws no pictures.");
  pen.fillStyle = colours.body;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (let face = 0; face < piece.sides; face += 1) {
    pen.save();
    pen.translate(((face % columns) + 0.5) * CELL, (Math.floor(face / columns) + 0.5) * CELL);
    const shape = flat(solid, face);
    const scale = (CELL * FILLS) / 2 / shape.outer;
    const sized = {
      corners: shape.corners.map(([x, y]) => [x * scale, -y * scale]),
      inner: shape.inner * scale,
    };
    const tools = { pen, colours, family: colours.family, drawShapes, sized };
    if (piece.look.drawing?.length) ownDrawing(tools, piece.look.drawing);
    else pattern(tools, piece.look.pattern);
    if (piece.sides === 4) threeLabels(tools, piece, solid, face);
    else label(tools, piece, piece.labels[piece.printed[oppositeOf(solid, face)]]);
    pen.restore();
  }
  return canvas;
}

/** The face on which a solid rests when `face` is up. */
const oppositeOf = ({ normals }, face) =>
  normals.findIndex((normal) => dot(normal, normals[face]) < -0.999);

/** The outline of a face, smaller by a part. */
function outline({ pen, sized }, part) {
  pen.beginPath();
  for (const [x, y] of sized.corners) pen.lineTo(x * part, y * part);
  pen.closePath();
}

/** The pattern of a die: a rim of dots, or hatching along the edges. */
function pattern(tools, name) {
  const { pen, colours, sized } = tools;
  pen.fillStyle = pen.strokeStyle = colours.ink;
  pen.globalAlpha = 0.55;
  if (name === "dots") {
    const { corners } = sized;
    corners.forEach(([x, y], i) => {
      const [a, b] = corners[(i + 1) % corners.length];
      const n = Math.max(3, Math.round(Math.hypot(a - x, b - y) / 15));
      for (let k = 0; k < n; k += 1) {
        pen.beginPath();
        pen.arc((x + ((a - x) * k) / n) * 0.84, (y + ((b - y) * k) / n) * 0.84, 3, 0, 7);
        pen.fill();
      }
    });
  } else if (name === "hatching") {
    pen.save();
    outline(tools, 0.92);
    pen.clip();
    const hole = new Path2D();
    hole.rect(-CELL, -CELL, 2 * CELL, 2 * CELL);
    sized.corners.forEach(([x, y], i) => hole[i ? "lineTo" : "moveTo"](x * 0.74, y * 0.74));
    hole.closePath();
    pen.clip(hole, "evenodd");
    pen.lineWidth = 2.6;
    pen.beginPath();
    for (let x = -2 * CELL; x < 2 * CELL; x += 10) {
      pen.moveTo(x, -CELL);
      pen.lineTo(x + 2 * CELL, CELL);
    }
    pen.stroke();
    pen.restore();
  }
  pen.globalAlpha = 1;
}

/** The game's own drawing of a die as a print below the label: its rim and its marks. */
function ownDrawing({ pen, colours, drawShapes, sized }, drawing) {
  const edge = 2 * sized.inner * 0.94;
  pen.globalAlpha = 0.4;
  drawShapes(pen, drawing, -edge / 2, -edge / 2, edge, colours.ink, {
    body: colours.body,
    rim: colours.ink,
  });
  pen.globalAlpha = 1;
}

/** The label of a face: its number with its symbols below, or its symbols with the die's letter. */
function label(tools, { sides, look, labels }, { number, symbols }) {
  const { pen, sized: { inner }, family, colours } = tools;
  pen.fillStyle = colours.ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const signs = symbols.map((name) => glyphs[lookOf(name).glyph] ?? drawingOf(lookOf(name).glyph))
    .filter(Boolean);
  if (number) {
    const hasSigns = signs.length > 0;
    const narrow = [1, 1, 0.86][number.length] ?? 0.7;
    const size = inner * NUMBERS[sides] * narrow * (hasSigns ? 0.9 : 1);
    const y = inner * (hasSigns ? -0.16 : sides === 10 ? 0.1 : 0.05);
    pen.font = `700 ${size}px ${family}`;
    pen.fillText(number, 0, y);
    // A six is no nine.
    if (labels.length > 8 && /^[69]+$/.test(number)) {
      pen.fillRect(-size * 0.24, y + size * 0.42, size * 0.48, size * 0.07);
    }
    signs.slice(0, 3).forEach((sign, i, all) => {
      const wide = inner * 0.5;
      draw(tools, sign, (i - (all.length - 1) / 2) * wide, inner * 0.55, wide * 0.95);
    });
    return;
  }
  const places = SYMBOLS[signs.length] ?? THREE;
  const lift = sides === 8 || sides === 20 ? -0.04 : -0.1;
  const part = sides === 8 ? 0.92 : 1;
  signs.slice(0, 3).forEach((sign, i) => {
    const [x, y, size] = places[i];
    draw(tools, sign, x * part * inner, (y + lift) * part * inner, size * part * inner);
  });
  if (!look.letter) return;
  pen.font = `700 ${inner * (signs.length ? 0.32 : 0.5)}px ${family}`;
  pen.globalAlpha = signs.length ? 0.9 : 0.6;
  pen.fillText(look.letter, 0, inner * (!signs.length ? 0.05 : sides === 8 ? 0.66 : 0.72));
  pen.globalAlpha = 1;
}

function draw({ pen, colours, drawShapes }, sign, x, y, size) {
  drawShapes(pen, sign, x - size / 2, y - size / 2, size, colours.ink);
}

/** A die with four sides shows what is rolled at the corner that is up, on each side of it. */
function threeLabels(tools, piece, solid, face) {
  const { pen, sized } = tools;
  solid.faces[face].forEach((corner, i) => {
    const [x, y] = sized.corners[i];
    const across = solid.faces.findIndex((own) => !own.includes(corner));
    pen.save();
    pen.translate(x * 0.42, y * 0.42);
    pen.rotate(Math.atan2(x, -y));
    const small = { ...tools, sized: { ...sized, inner: sized.inner * 0.86 } };
    label(
      small,
      { ...piece, look: { ...piece.look, letter: "" } },
      piece.labels[piece.printed[across]],
    );
    pen.restore();
  });
}
