/** Sounds and buzzes of this device, off until a player turns them on. */

import { later } from "../state/wire.js";
import { device } from "./motion.js";

const synthesised = later((again) => import(`../sounds/synthesised.js${again}`));

let context = null;

/**
 * Make a sound of the page, once its module is there; nothing while sound is off. A browser lets it
 * sound after the first tap.
 */
function sound(name, ...how) {
  if (device.value.sound !== "on" || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  synthesised().then((made) => name && made[name](context, ...how), () => {});
}

// Kept from an earlier visit, sound needs a tap of this one.
addEventListener("pointerdown", () => sound(""), { capture: true });

/** Sound the cue of a moment, of a tone and weight. */
export const chime = (cue, tone, weight) => sound("chime", cue, tone, weight);

/** Sound a die that lands with this force. */
export const knock = (force) => sound("knock", force);

/** Sound dice that leave a hand. */
export const rattle = () => sound("rattle");

/** Let the device buzz, for so many milliseconds, or by turns with pauses. */
export function buzz(time) {
  if (device.value.buzz === "on") navigator.vibrate?.(time);
}
