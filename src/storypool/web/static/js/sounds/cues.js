/** The sound of each cue of a moment: what is struck, and what swells. */

import { noise, stroke } from "./strokes.js";

/** Strokes with these notes, in Hz, so many seconds apart. */
const notes = (body, apart, long, all) =>
  all.map((note, i) => ({ body, at: apart * i, note, long }));
/** Two low beats, as of a heart. */
const beats = (at) =>
  [0, 0.19].map((more) => ({
    body: "drum",
    at: at + more,
    note: 64,
    to: 40,
    long: 0.2,
    loud: 1.4,
  }));

/** @type {Record<string, { strokes?: any[], noises?: any[] }>} */
export const CUES = {
  sun: {
    strokes: notes("bar", 0.13, 0.8, [261.63, 392, 523.25, 783.99]),
    noises: [{ from: 240, to: 1800, long: 1.2, loud: 0.24, swells: 0.4 }],
  },
  star: {
    strokes: notes("bell", 0.18, 1.3, [1046.5, 1567.98, 2093]).map((one) => ({
      ...one,
      loud: 0.5,
    })),
    noises: [{ kind: "highpass", from: 5200, long: 1, loud: 0.05, swells: 0.6 }],
  },
  whirl: {
    strokes: [
      { type: "triangle", note: 330, to: 82, long: 1.2, loud: 0.9 },
      { type: "triangle", at: 0.12, note: 311, to: 78, long: 1.2, loud: 0.6 },
    ],
    noises: [{ from: 1400, to: 110, long: 1.2, loud: 0.4, swells: 0.2 }],
  },
  stamp: {
    strokes: [
      { body: "drum", at: 0.1, note: 120, to: 46, long: 0.24, loud: 1.5 },
      { at: 0.12, note: 523.25, long: 0.7, loud: 0.6 },
    ],
    noises: [{ kind: "highpass", at: 0.1, from: 1800, long: 0.05, loud: 0.5 }],
  },
  crack: {
    strokes: [{ body: "drum", at: 0.08, note: 74, to: 40, long: 0.5, loud: 1.5 }],
    noises: [0.06, 0.1, 0.19].map((at) => ({
      kind: "bandpass",
      at,
      from: 2600,
      to: 900,
      long: 0.07,
      loud: 1.1,
    })),
  },
  tremor: {
    strokes: [
      ...beats(0),
      ...beats(0.62),
      { type: "triangle", note: 146.83, long: 1.3, loud: 0.3 },
      { type: "triangle", note: 155.56, long: 1.3, loud: 0.3 },
    ],
  },
  turn: {
    strokes: [
      ...[0, 0.1, 0.17, 0.22].map((at) => ({ at, note: 880, long: 0.05, loud: 0.5 })),
      { body: "bell", at: 0.3, note: 659.26, long: 0.6, loud: 0.7 },
    ],
  },
  tide: {
    strokes: [0.4, 0.56, 0.65, 0.83].map((at, i) => ({
      at,
      note: 300 + 40 * i,
      to: 520 + 60 * i,
      long: 0.13,
      loud: 0.5,
    })),
    noises: [{ from: 180, to: 1000, long: 1.3, loud: 0.6, swells: 0.6 }],
  },
  card: {
    strokes: [
      { note: 196, to: 70, long: 0.4, loud: 0.7 },
      { body: "drum", at: 0.38, note: 90, to: 40, long: 0.6, loud: 1.8 },
    ],
    noises: [{ at: 0.38, from: 500, to: 90, long: 0.25, loud: 0.6 }],
  },
  stand: {
    strokes: [
      { body: "drum", note: 90, to: 50, long: 0.25, loud: 1.2 },
      { at: 0.24, note: 196, long: 0.5 },
      { at: 0.38, note: 293.66, long: 0.8 },
    ],
  },
  knot: {
    strokes: [
      { type: "sawtooth", note: 196, to: 190, long: 0.16, loud: 0.8 },
      { type: "sawtooth", at: 0.13, note: 185, to: 174, long: 0.22, loud: 0.8 },
    ],
  },
  clash: {
    strokes: [
      { body: "plate", at: 0.14, note: 320, long: 0.9, loud: 0.6, side: -0.6 },
      { body: "plate", at: 0.16, note: 352, long: 0.9, loud: 0.6, side: 0.6 },
    ],
    noises: [-0.8, 0.8].map((side) => ({
      kind: "bandpass",
      from: 700,
      to: 3000,
      long: 0.16,
      loud: 0.5,
      swells: 0.9,
      side,
    })),
  },
  dusk: { strokes: notes("bar", 0.28, 0.9, [523.25, 392, 329.63]) },
  seal: {
    strokes: [
      ...notes("bar", 0.11, 0.4, [392, 523.25, 659.26]),
      { body: "bell", at: 0.36, note: 783.99, long: 0.7, loud: 0.7 },
    ],
    noises: [{ kind: "highpass", at: 0.35, from: 3000, long: 0.03, loud: 0.5 }],
  },
  curtain: {
    strokes: [{ body: "bell", at: 0.35, note: 329.63, long: 0.8, loud: 0.4 }],
    noises: [{ kind: "bandpass", from: 750, to: 240, long: 0.8, loud: 0.3, swells: 0.4 }],
  },
};

/** What of a cue is lower for who it is bad for, and how loud each weight is. */
const LOWER = 0.75;
const LOUD = { 1: 0.6, 2: 1, 3: 1.3 };
/** Below a heavy moment. */
const DEPTH = { body: "drum", note: 55, long: 1.1, loud: 0.8 };

/** Sound a cue. */
export function soundCue(out, cue, tone, weight) {
  const { strokes = [], noises = [] } = CUES[cue];
  const pitch = tone === "bad" ? LOWER : 1;
  for (const { note, to, loud = 1, ...how } of weight > 2 ? [...strokes, DEPTH] : strokes) {
    stroke(out, { ...how, note: note * pitch, to: to && to * pitch, loud: loud * LOUD[weight] });
  }
  for (const { loud = 1, ...how } of noises) noise(out, { ...how, loud: loud * LOUD[weight] });
}
