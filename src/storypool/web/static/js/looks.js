/** The settings of this device: theme and motion. */

import { html } from "../vendor/preact.js";
import { device, setDevice } from "./motion.js";
import { say } from "./words.js";

/** The settings of this device. */
export function Looks() {
  const pick = (name, value, label) => html`<label class="pick" key=${value}><input type="radio" name="device-${name}" checked=${device.value[name] === value} onChange=${() => setDevice(name, value)} /><span class="pick-face">${label}</span></label>`;
  return html`<div class="stack">
    <fieldset class="picks"><legend class="label">${say("look.theme")}</legend><div class="cluster">${pick("theme", "", say("look.system"))}${pick("theme", "dark", say("look.dark"))}${pick("theme", "light", say("look.light"))}</div></fieldset>
    <fieldset class="picks"><legend class="label">${say("look.motion")}</legend><div class="cluster">${pick("motion", "", say("look.moving"))}${pick("motion", "off", say("look.still"))}</div></fieldset>
    <p class="fine quiet">${say("look.sound")}</p>
  </div>`;
}
