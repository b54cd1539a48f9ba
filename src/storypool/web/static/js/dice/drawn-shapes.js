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
    const path = new Path2D();
    path.addPath(shape(tag, given), given.transform && matrix(given.transform));
    const bodily = given.class === "die-body";
    pen.globalAlpha = given.class === "die-mark" ? 0.5 : 1;
    pen.lineWidth = Number(given["stroke-width"] ?? 2);
    pen.fillStyle = bodily ? body : ink;
    pen.strokeStyle = bodily ? rim : ink;
    if (bodily || (given.fill && given.fill !== "none")) pen.fill(path);
    if (given.stroke !== "none") pen.stroke(path);
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

function shape(tag, given) {
  if (tag === "path") return new Path2D(given.d);
  const path = new Path2D();
  if (tag === "circle") {
    path.arc(Number(given.cx), Number(given.cy), Number(given.r), 0, 2 * Math.PI);
  } else {path.roundRect(
      Number(given.x),
      Number(given.y),
      Number(given.width),
      Number(given.height),
      Number(given.rx ?? 0),
    );}
  return path;
}
