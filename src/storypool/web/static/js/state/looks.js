/** How dice, symbols and points of the game look and read, and what is printed on its dice. */

import { effect } from "../../vendor/preact.js";
import { game, table, the } from "./store.js";
import { category, say } from "./words.js";

const OUTLINES = {
  card: "d2",
  square: "d6",
  diamond: "d8",
  pentagon: "d10",
  hexagon: "d12",
  octagon: "d20",
};

/** The look of a die, symbol or account; without one it is shown by its name. */
export function lookOf(name, of = game.value) {
  const look = of?.look?.[name];
  return {
    name,
    numbered: look?.numbered ?? false,
    word: look?.word || of?.terms?.[name] || name,
    plural: look?.plural || look?.word || of?.terms?.[name] || name,
    forms: look?.forms ?? {},
    letter: look?.letter || name.slice(0, 1).toUpperCase(),
    outline: OUTLINES[look?.outline] ?? (look?.outline || "d6"),
    pattern: look?.pattern || "plain",
    colour: look?.colour || "grey",
    glyph: look?.glyph || "",
    drawing: look?.drawing,
    faces: look?.faces ?? [],
    marks: look?.marks ?? [],
  };
}

/** The shapes of a drawing of the game's own, by the name of its glyph. */
export const drawingOf = (glyph) =>
  Object.values(game.value?.look ?? {}).find((look) => look.glyph === glyph)?.drawing;

/** A count with its word, in the form that goes with the number. */
export function counted(n, name) {
  const look = lookOf(name);
  const form = category(n);
  return `${n} ${look.forms[form] ?? (form === "one" ? look.word : look.plural)}`;
}

/** The names of the single dice of a pool, in printed order. */
export function inOrder(pool) {
  return (game.value?.dice ?? []).flatMap((die) =>
    Array(Math.max(0, pool?.[die.name] ?? 0)).fill(die.name)
  );
}

/** Whether a die is one that hinders. */
export function hinders(name) {
  return (game.value?.notation?.hindering ?? []).includes(name);
}

/** A pool as notation that the server reads. */
export function notation(pool) {
  const counts = Object.entries(pool ?? {}).filter(([, n]) => n > 0);
  return counts.map(([name, n]) => `${n} ${name}`).join(" ");
}

/** A die of the game by its name, as it is printed: { name, first, faces }. */
export function dieOf(name) {
  return game.value?.dice.find((one) => one.name === name) ?? { name, first: 1, faces: [] };
}

/** The dice of actions as they counted in them: a closed action is on the table no more. */
const bound = new Map();
effect(() => {
  for (const [id, dice] of Object.entries(table.value?.bound ?? {})) {
    bound.set(
      id,
      dice.flatMap((die) => Array(die.n).fill(die)),
    );
  }
});

/** The single dice of an action in printed order, with their faces as they count in it. */
export function diceOf(action) {
  const dice = bound.get(action?.id) ?? [];
  return dice.length ? dice : inOrder(action?.pool).map(dieOf);
}

/** Whether a die has only numbers printed on it, whose meaning depends on the action. */
export function numbered(name) {
  const { faces } = dieOf(name);
  return faces.length > 1 && faces.every((face) => !Object.keys(face).length);
}

/**
 * The upper face of a die: { number, symbols, words }; the number if it counts, or nothing else is
 * printed there. A card has its mark for a number, and its name for words.
 */
export function faceOf(die, face) {
  const symbols = expanded(die.faces[face - die.first]);
  const look = lookOf(die.name), at = face - die.first;
  const number = look.marks[at] ?? (numbered(die.name) || look.numbered ? String(face) : "");
  const words = look.faces[at] ??
    [number, ...symbols.map((symbol) => lookOf(symbol).word)].filter(Boolean).join(", ");
  return { number, symbols, words: words || say("faces.blank") };
}

/** The faces of a die in runs with the same symbols: [{ from, to, bag }], without blank ones. */
export function runsOf(die) {
  const runs = [];
  die.faces.forEach((bag, i) => {
    const last = runs.at(-1);
    const same = last && JSON.stringify(last.bag) === JSON.stringify(bag);
    if (same) last.to = die.first + i;
    else runs.push({ from: die.first + i, to: die.first + i, bag });
  });
  return runs.filter((run) => Object.keys(run.bag).length > 0);
}

/**
 * The symbols of a result as [name, n], in the order of the game's axes; what is below one under
 * its own name.
 */
export function signsOf(net) {
  const { moves = {}, below = {} } = the(game).axes ?? {};
  const axes = [...new Set(Object.values(moves).flatMap(Object.keys))].filter((axis) => net[axis]);
  return axes.map((axis) =>
    net[axis] < 0 && below[axis] ? [below[axis], -net[axis]] : [axis, net[axis]]
  );
}

/** The names of a bag, each as often as it counts. */
export function expanded(bag) {
  return Object.entries(bag ?? {}).flatMap(([name, n]) => Array(Math.max(0, n)).fill(name));
}
