/** Glyphs and outlines on a canvas, loaded by what draws dice as a picture. */

/** The side of the square in which glyphs and outlines are drawn. */
const UNIT = 24;

/**
 * Draw a glyph or an outline into a square; the body and the rim of a die have colours of their
 * own.
 */
export function drawShapes(pen, drawing, left, top, size, ink, { body = "", rim = "" } = {}) {
  pen.save();
  pen.translate(left, top);
  pen.scale(size / UNIT, size / UNIT);
  pen.lineCap = pen.lineJoin = "round";
  for (const [tag, given] of drawing) {
    pen.save();
    if (given.transform) {
      const { a, b, c, d, e, f } = matrix(given.transform);
      pen.transform(a, b, c, d, e, f);
    }
    const path = shape(tag, given);
    const bodily = given.class === "die-body";
    const wide = Number(given["stroke-width"] ?? 2);
    pen.globalAlpha *= Number(given.opacity ?? (given.class === "die-mark" ? 0.5 : 1));
    // A canvas takes no line of no width.
    if (wide) pen.lineWidth = wide;
    pen.fillStyle = bodily ? body : ink;
    pen.strokeStyle = bodily ? rim : ink;
    if (bodily || (given.fill && given.fill !== "none")) {
      pen.fill(path, given["fill-rule"] ?? "nonzero");
    }
    if (wide && given.stroke !== "none") pen.stroke(path);
    pen.restore();
  }
  pen.restore();
}

/** The matrix of a transform as SVG writes it; that of CSS reads other signs. */
function matrix(transform) {
  const place = document.createElementNS("http://www.w3.org/2000/svg", "g");
  place.setAttribute("transform", transform);
  const whole = place.transform.baseVal.consolidate();
  if (!whole) throw new Error("A drawing has an empty transform.");
  return whole.matrix;
}

/** The path of any plain shape of SVG. */
function shape(tag, given) {
  const number = (name, other = "0") => Number(given[name] ?? given[other] ?? 0);
  const path = new Path2D(PATHS[tag]?.(given) ?? "");
  if (tag === "circle" || tag === "ellipse") {
    path.ellipse(
      number("cx"),
      number("cy"),
      number("rx", "r"),
      number("ry", "r"),
      0,
      0,
      2 * Math.PI,
    );
  } else if (tag === "rect") {
    const round = number("rx", "ry");
    path.roundRect(number("x"), number("y"), number("width"), number("height"), round);
  }
  return path;
}

/** The shapes that SVG itself can write as a path. */
const PATHS = {
  path: ({ d }) => d,
  line: ({ x1 = 0, y1 = 0, x2 = 0, y2 = 0 }) => `M${x1} ${y1}L${x2} ${y2}`,
  polyline: ({ points }) => `M${points}`,
  polygon: ({ points }) => `M${points}Z`,
};
