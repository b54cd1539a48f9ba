/** The felt in three dimensions: one canvas with its dice, drawn only when they move. */

import { Camera, Geometry, Mesh, Program, Renderer, Texture, Transform } from "../../vendor/ogl.js";
import { MOST } from "./pieces.js";
import { printOf } from "./prints.js";
import { DIE, SHADOW } from "./shaders.js";
import { surfaceOf } from "./shapes.js";
import { solidOf } from "./solids.js";
import { POSE } from "./throw.js";

/** The canvas is this much wider than high. */
export const RATIO = 1.6;
/** Sharper pictures cost more than they show. */
const SHARPEST = 2;
const LENS = 24;
const QUAD = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0];
/** Numbers of a shadow: its place, its size and how dark it is. */
const SHADE = 4;
const HOW = { alpha: true, depth: true, antialias: true, premultipliedAlpha: true };

/** @import { Piece } from "./pieces.js" */

/**
 * A scene on a new canvas, or null where the browser has no WebGL.
 *
 * @param {(pen: any, drawing: any, left: number, top: number, size: number, ink: string) => void}
 *   drawShapes
 */
export function makeScene(drawShapes) {
  const canvas = document.createElement("canvas");
  const context = /** @type {WebGL2RenderingContext | null} */ (canvas.getContext("webgl2", HOW));
  if (!context || context.isContextLost()) return null;
  const renderer = new Renderer({ canvas, ...HOW, dpr: 1 });
  return new Scene(canvas, renderer, drawShapes);
}

/** A canvas with dice: `show` puts them there, `pose` draws them at one moment. */
class Scene {
  constructor(canvas, renderer, drawShapes) {
    this.canvas = canvas;
    this.renderer = renderer;
    this.drawShapes = drawShapes;
    this.gl = renderer.gl;
    this.root = new Transform();
    this.camera = new Camera(this.gl, { fov: LENS, near: 1, far: 200 });
    this.kinds = new Map();
    this.dice = /** @type {any[]} */ ([]);
    // One program for all dice: a browser takes longest to compile it.
    const uniforms = { print: { value: null }, body: { value: [1, 1, 1] } };
    this.program = new Program(this.gl, { ...DIE, uniforms });
    this.shadow = new Program(this.gl, { ...SHADOW, transparent: true, depthWrite: false });
    this.sharpest = SHARPEST;
    this.shades = this.shadesFor(MOST);
  }

  /**
   * Put the pieces of a roll on a felt of this width and depth. `turns` turn each so that its throw
   * ends with what is rolled.
   *
   * @param {Piece[]} pieces
   * @param {number[][][]} turns
   */
  show(pieces, turns, { width, depth }) {
    this.fit();
    if (this.turns === turns) return;
    this.turns = turns;
    for (const { mesh } of this.dice) mesh.setParent(null);
    const coloursOf = this.palette();
    this.dice = pieces.map((piece, i) => {
      const { geometry, print, body } = this.kindOf(piece, coloursOf(piece.look.colour));
      const mesh = new Mesh(this.gl, { geometry, program: this.program, frustumCulled: false });
      mesh.matrixAutoUpdate = false;
      mesh.onBeforeRender(() => {
        this.program.uniforms.print.value = print;
        this.program.uniforms.body.value = body;
      });
      mesh.setParent(this.root);
      return { mesh, turn: turns[i], solid: solidOf(piece.sides), pose: new Float64Array(POSE) };
    });
    this.lookAt(width, depth);
  }

  /** A function that reads the colours of dice from the page, each once. */
  palette() {
    const place = this.canvas.parentElement ?? document.body;
    const found = new Map();
    return (name) => {
      if (found.has(name)) return found.get(name);
      const probe = document.createElement("span");
      probe.dataset.colour = name;
      probe.style.color = "var(--die-ink)";
      probe.style.backgroundColor = "var(--die)";
      probe.style.fontFamily = "var(--sans)";
      place.append(probe);
      const { color, backgroundColor, fontFamily } = getComputedStyle(probe);
      found.set(name, { ink: color, body: backgroundColor, family: fontFamily });
      probe.remove();
      return found.get(name);
    };
  }

  /** The shadows of so many dice, which are drawn at once: below all dice, so before them. */
  shadesFor(n) {
    const shade = new Float32Array(n * SHADE);
    const geometry = new Geometry(this.gl, {
      position: { size: 3, data: Float32Array.from(QUAD) },
      shade: { instanced: 1, size: SHADE, data: shade },
    });
    const mesh = new Mesh(this.gl, { geometry, program: this.shadow, frustumCulled: false });
    mesh.setParent(this.root);
    return { geometry, shade };
  }

  /** The surface, print and colour of a piece, made once for each kind of die. */
  kindOf(piece, colours) {
    const { sides, labels, printed, look } = piece;
    const key = JSON.stringify([sides, labels, printed, look.letter, look.pattern, colours]);
    let kind = this.kinds.get(key);
    if (!kind) this.kinds.set(key, kind = this.made(piece, colours));
    return kind;
  }

  made(piece, colours) {
    const solid = solidOf(piece.sides);
    const surface = surfaceOf(solid);
    const geometry = new Geometry(this.gl, {
      position: { size: 3, data: surface.position },
      normal: { size: 3, data: surface.normal },
      uv: { size: 2, data: surface.uv },
      edge: { size: 1, data: surface.edge },
    });
    const print = new Texture(this.gl, {
      image: printOf(piece, solid, colours, this.drawShapes),
      minFilter: this.gl.LINEAR_MIPMAP_LINEAR,
      anisotropy: 4,
    });
    const parts = (colours.body.match(/[\d.]+/g) ?? []).slice(0, 3);
    return { geometry, print, body: parts.map((part) => Number(part) / 255) };
  }

  /** Fit the canvas to its box, where that has changed. */
  fit() {
    const width = this.canvas.parentElement?.clientWidth ?? 0;
    if (!width) return;
    const sharp = Math.min(this.sharpest, devicePixelRatio || 1);
    if (this.width === width && this.renderer.dpr === sharp) return;
    this.width = width;
    this.renderer.dpr = sharp;
    this.renderer.setSize(width, Math.round(width / RATIO));
  }

  /** Look down on a felt, so that all of it is in sight. */
  lookAt(width, depth) {
    const down = (70 * Math.PI) / 180;
    const tan = Math.tan((LENS * Math.PI) / 360);
    // The nearer edge of the felt is the widest, the farther one the highest.
    const wide = (width / 2 + 0.1) / (tan * RATIO) + (depth / 2) * Math.cos(down);
    const high = (depth / 2 + 0.5) * Math.sin(down) / tan + (depth / 2) * Math.cos(down);
    const far = Math.max(wide, high);
    this.camera.perspective({ aspect: RATIO });
    const middle = 0.25;
    this.camera.position.set(0, middle - Math.cos(down) * far, Math.sin(down) * far);
    this.camera.up.set(0, 0, 1);
    this.camera.lookAt([0, middle, 0]);
  }

  /**
   * Draw the dice as a throw has them at this moment, which may be between two of its poses. Dice
   * that are not thrown yet are not drawn.
   */
  pose({ poses, length, released }, moment, rate) {
    const at = Math.min(length - 1, Math.max(0, moment * rate));
    const before = Math.floor(at), part = at - before;
    const after = Math.min(length - 1, before + 1);
    const n = this.dice.length;
    const { geometry, shade } = this.shades;
    this.dice.forEach((die, i) => {
      die.mesh.visible = released[i] <= moment || length === 1 || at >= length - 1;
      shade[i * SHADE + 3] = 0;
      if (!die.mesh.visible) return;
      const a = (before * n + i) * POSE, b = (after * n + i) * POSE;
      let near = 0;
      for (let k = 3; k < POSE; k += 1) near += poses[a + k] * poses[b + k];
      for (let k = 0; k < POSE; k += 1) {
        const to = k > 2 && near < 0 ? -poses[b + k] : poses[b + k];
        die.pose[k] = poses[a + k] * (1 - part) + to * part;
      }
      place(die, shade, i * SHADE);
    });
    geometry.setInstancedCount(n);
    geometry.attributes.shade.needsUpdate = true;
    this.draw();
  }

  /** Draw what is there, in the order in which it was put there. */
  draw() {
    this.renderer.render({ scene: this.root, camera: this.camera, sort: false });
  }

  /**
   * Prepare the dice of a pool before they are thrown: a browser takes longest for the first
   * picture of a die.
   *
   * @param {Piece[]} pieces
   */
  warm(pieces) {
    const coloursOf = this.palette();
    for (const piece of pieces) {
      const { geometry, print, body } = this.kindOf(piece, coloursOf(piece.look.colour));
      const mesh = new Mesh(this.gl, { geometry, program: this.program, frustumCulled: false });
      this.program.uniforms.print.value = print;
      this.program.uniforms.body.value = body;
      mesh.setParent(this.root);
      this.draw();
      mesh.setParent(null);
    }
  }
}

/**
 * Put a die where its pose has it, its print turned to what is rolled; and its shadow below, into
 * the numbers of all shadows from `at` on.
 */
function place(die, shade, at) {
  const { mesh, turn, solid, pose } = die;
  const [x, y, z, a, b, c, d] = pose;
  const size = Math.sqrt(a * a + b * b + c * c + d * d);
  const rows = rowsOf(a / size, b / size, c / size, d / size);
  const m = mesh.matrix;
  for (let column = 0; column < 3; column += 1) {
    for (let row = 0; row < 3; row += 1) {
      m[4 * column + row] = rows[3 * row] * turn[0][column] +
        rows[3 * row + 1] * turn[1][column] + rows[3 * row + 2] * turn[2][column];
    }
  }
  m[12] = x;
  m[13] = y;
  m[14] = z;
  mesh.worldMatrixNeedsUpdate = true;
  const height = Math.max(0, z - solid.inner);
  shade[at] = x + height * 0.5;
  shade[at + 1] = y - height * 0.4;
  shade[at + 2] = solid.outer * 1.25 + height * 0.35;
  shade[at + 3] = 0.55 / (1 + height * 0.9);
}

const ROWS = new Float64Array(9);

/** The rows of the turn of a quaternion, one after the other; the same numbers for each call. */
function rowsOf(x, y, z, w) {
  ROWS[0] = 1 - 2 * (y * y + z * z);
  ROWS[1] = 2 * (x * y - z * w);
  ROWS[2] = 2 * (x * z + y * w);
  ROWS[3] = 2 * (x * y + z * w);
  ROWS[4] = 1 - 2 * (x * x + z * z);
  ROWS[5] = 2 * (y * z - x * w);
  ROWS[6] = 2 * (x * z - y * w);
  ROWS[7] = 2 * (y * z + x * w);
  ROWS[8] = 1 - 2 * (x * x + y * y);
  return ROWS;
}

/** The face of a drawn die that points down, as its matrix has it now. */
export function faceBelow({ mesh: { matrix }, solid }) {
  const down = ([x, y, z]) => x * matrix[2] + y * matrix[6] + z * matrix[10];
  const all = solid.normals.map(down);
  return all.indexOf(Math.min(...all));
}
