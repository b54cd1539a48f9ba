/** Sounds that are synthesised: no file is loaded. This is loaded once sound is on. */

import { soundCue } from "./cues.js";
import { soundHit } from "./timbres.js";

/** Sound the cue of a moment. */
export const chime = soundCue;

/** Sound a die that lands, with the force of its hit. */
export const knock = soundHit;

/** Seconds between the knocks of dice in a hand, and how hard they are. */
const SHAKEN = [[0, 9], [0.06, 12], [0.11, 8], [0.18, 14], [0.23, 9], [0.29, 12]];

/** Sound dice that are shaken and let go. */
export function rattle(out) {
  for (const [at, force] of SHAKEN) soundHit(out, force, at);
}
