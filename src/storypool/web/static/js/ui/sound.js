/** Sounds and buzzes of this device, off until a player turns them on. */

import { later } from "../state/wire.js";
import { device } from "./motion.js";

const synthesised = later((again) => import(`./synthesised.js${again}`));

let context = null;

/**
 * Make a sound of the page, once its module is there; nothing while sound is off. A browser lets it
 * sound after the first tap.
 */
function sound(name, tone = "") {
  if (device.value.sound !== "on" || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  synthesised().then((made) => name && made[name](context, tone), () => {});
}

// Kept from an earlier visit, sound needs a tap of this one.
addEventListener("pointerdown", () => sound(""), { capture: true });

/** Sound a chime, "good" or "bad". */
export function chime(tone) {
  sound("chime", tone);
}

/** Sound a die that lands. */
export function knock() {
  sound("knock");
}

/** Let the device buzz, for so many milliseconds. */
export function buzz(time) {
  if (device.value.buzz === "on") navigator.vibrate?.(time);
}
