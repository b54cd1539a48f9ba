/** How a die sounds on the felt of each world, which names it as `--timbre`. */

import { noise, stroke } from "./strokes.js";

/** @type {Record<string, { strokes?: any[], noises?: any[] }>} */
export const TIMBRES = {
  felt: {
    strokes: [{ note: 116, to: 84, long: 0.07 }],
    noises: [{ from: 480, to: 160, long: 0.06, loud: 0.5 }],
  },
  wood: { strokes: [{ note: 190, long: 0.1 }] },
  metal: {
    strokes: [{ body: "plate", note: 620, long: 0.26, loud: 0.4 }],
    noises: [{ kind: "highpass", from: 4200, long: 0.02, loud: 0.3 }],
  },
  water: {
    strokes: [{ note: 270, to: 520, long: 0.12, loud: 0.9 }],
    noises: [{ from: 900, to: 200, long: 0.14, loud: 0.35, swells: 0.3 }],
  },
  sand: { noises: [{ kind: "bandpass", from: 1500, to: 700, long: 0.1, loud: 1.8 }] },
  neon: { strokes: [{ type: "sawtooth", note: 220, to: 110, long: 0.1, loud: 0.7 }] },
};
const USUAL = "water";

/** The force of a hit that is as loud as any, and how a die differs from the others. */
const HARDEST = 34;
const SOFTEST = 0.25;
const APART = 0.3;

/** Sound a hit of this force, `at` seconds from now. */
export function soundHit(out, force, at = 0) {
  const named = getComputedStyle(document.documentElement).getPropertyValue("--timbre").trim();
  const { strokes = [], noises = [] } = TIMBRES[named] ?? TIMBRES[USUAL];
  const loudness = Math.min(1, Math.max(SOFTEST, force / HARDEST));
  const pitch = 1 + APART * (Math.random() - 0.5);
  for (const { note, to, loud = 1, ...how } of strokes) {
    const level = loud * loudness;
    stroke(out, { ...how, at, note: note * pitch, to: to && to * pitch, loud: level });
  }
  for (const { loud = 1, ...how } of noises) noise(out, { ...how, at, loud: loud * loudness });
}
