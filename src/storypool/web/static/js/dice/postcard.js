/** A roll as a picture to share, loaded when a roll is first shared. */

import { dieOf, drawingOf, faceOf, lookOf } from "../state/looks.js";
import { say } from "../state/words.js";
import { glyphs } from "../ui/glyphs.js";
import { shapesOf } from "../ui/parts.js";

const WIDTH = 1080;
const MARGIN = 72;
const DIE = 132;
const GAP = 20;
const PLACES = {
  1: [[0, 0, 0.44]],
  2: [[-0.19, 0, 0.34], [0.19, 0, 0.34]],
  3: [[-0.2, 0.12, 0.28], [0.2, 0.12, 0.28], [0, -0.2, 0.28]],
};

/**
 * A canvas with a roll: { table, game, who, title, rolled, dice, words, passed }. `drawShapes`
 * draws its glyphs and outlines.
 */
export function drawn(roll, drawShapes) {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(`--${name}`).trim();
  const font = (weight, size, family) => `${weight} ${size}px ${token(family)}`;
  // A canvas takes a colour of one theme: an element knows which of a token's two is in use.
  const probe = document.body.appendChild(document.createElement("span"));
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return token(name) && getComputedStyle(probe).color;
  };
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser draws no pictures.");
  const room = WIDTH - 2 * MARGIN;

  // The words are broken into lines first: the height of the picture follows from them.
  const title = broken(
    pen,
    [roll.who, roll.title].filter(Boolean).join(": "),
    font(560, 52, "serif"),
    room,
    3,
  );
  const words = broken(pen, roll.words, font(480, 64, "serif"), room, 5);
  const row = Math.floor((room + GAP) / (DIE + GAP));
  const rows = Math.ceil(roll.rolled.length / row);
  const tops = { title: 150, dice: 150 + title.length * 62 + 28 };
  tops.words = tops.dice + rows * (DIE + GAP) + 84;
  canvas.width = WIDTH;
  canvas.height = tops.words + words.length * 78 + 110;

  pen.fillStyle = colour("ground");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = colour(roll.passed === false ? "refusal" : "move");
  pen.fillRect(0, 0, canvas.width, 10);
  pen.textBaseline = "alphabetic";
  write(pen, [`${roll.table} · ${roll.game}`], font(500, 30, "sans"), colour("quiet"), 92, 0, room);
  write(pen, title, font(560, 52, "serif"), colour("text"), tops.title + 34, 62);
  roll.rolled.forEach(({ die: name, face }, i) => {
    const inRow = Math.min(row, roll.rolled.length - Math.floor(i / row) * row);
    const left = (WIDTH - inRow * (DIE + GAP) + GAP) / 2 + (i % row) * (DIE + GAP);
    const top = tops.dice + Math.floor(i / row) * (DIE + GAP);
    const thrown = roll.dice[i]?.name === name ? roll.dice[i] : dieOf(name);
    die({ pen, colour, font, drawShapes }, thrown, face, left, top);
  });
  write(pen, words, font(480, 64, "serif"), colour("text"), tops.words, 78);
  drawShapes(pen, glyphs.storypool, MARGIN, canvas.height - 84, 40, colour("quiet"));
  write(
    pen,
    [say("home.name")],
    font(500, 28, "sans"),
    colour("quiet"),
    canvas.height - 54,
    0,
    room,
    MARGIN + 54,
  );
  probe.remove();
  return canvas;
}

/** One die with its outline, its colour and what its upper face shows. */
function die({ pen, colour, font, drawShapes }, die, face, left, top) {
  const look = lookOf(die.name);
  const ink = colour(`die-${look.colour}-ink`) || colour("text");
  drawShapes(pen, shapesOf(look), left, top, DIE, ink, {
    body: colour(`die-${look.colour}`) || colour("raised"),
    rim: colour(`die-${look.colour}-rim`) || colour("edge"),
  });
  const upper = faceOf(die, face);
  const [x, y] = [left + DIE / 2, top + DIE / 2];
  pen.textAlign = "center";
  pen.fillStyle = ink;
  if (upper.number) {
    pen.font = font(600, 46, "sans");
    pen.fillText(upper.number, x, y + 16);
  } else {
    const drawnSigns = upper.symbols.slice(0, 3);
    for (const [i, [dx, dy, size]] of (PLACES[drawnSigns.length] ?? []).entries()) {
      const { glyph } = lookOf(drawnSigns[i]), sign = glyphs[glyph] ?? drawingOf(glyph);
      if (sign) {
        drawShapes(
          pen,
          sign,
          x + dx * DIE - (size * DIE) / 2,
          y + dy * DIE - (size * DIE) / 2,
          size * DIE,
          ink,
        );
      }
    }
    pen.font = font(700, 20, "sans");
    pen.fillText(look.letter, x, top + DIE * 0.86);
  }
  pen.textAlign = "start";
}

/** Break a text into lines that fit, at most so many; what is left over becomes an ellipsis. */
function broken(pen, text, font, room, most) {
  pen.font = font;
  const lines = [""];
  for (const word of text.split(/\s+/).flatMap((one) => chopped(pen, one, room))) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length > most) lines.splice(most, Infinity, `${lines[most - 1].slice(0, -1)}…`);
  return lines.length > most ? lines.slice(0, most - 1).concat(lines[most]) : lines;
}

/** A word that fits nowhere, in pieces that do. */
function chopped(pen, word, room) {
  const pieces = [""];
  for (const letter of word) {
    if (pen.measureText(pieces.at(-1) + letter).width > room) pieces.push("");
    pieces[pieces.length - 1] += letter;
  }
  return pieces;
}

function write(pen, lines, font, fill, top, leading, room, left = MARGIN) {
  pen.font = font;
  pen.fillStyle = fill;
  lines.forEach((line, i) => pen.fillText(line, left, top + i * leading, room));
}
