/** The settings of this device: theme, motion, sound and buzz. */

import { html } from "../../vendor/preact.js";
import { device, setDevice } from "../ui/motion.js";
import { buzz, chime } from "../ui/sound.js";
import { say } from "../state/words.js";

/** The settings of this device. */
export function Looks() {
  const pick = (name, value, label, then) =>
    html`
      <label class="pick" key=${value}>
        <input
          type="radio"
          name="device-${name}"
          checked=${device.value[name] === value}
          onChange=${() => (setDevice(name, value), then?.())}
        />
        <span class="pick-face full">${label}</span>
      </label>
    `;
  return html`
    <div class="stack">
      <fieldset class="picks">
        <legend class="label">${say("look.theme")}</legend>
        <div class="cluster">
          ${pick("theme", "", say("look.system"))}
          ${pick("theme", "dark", say("look.dark"))}
          ${pick("theme", "light", say("look.light"))}
        </div>
      </fieldset>
      <fieldset class="picks">
        <legend class="label">${say("look.motion")}</legend>
        <div class="cluster">
          ${pick("motion", "", say("look.moving"))}
          ${pick("motion", "off", say("look.still"))}
        </div>
      </fieldset>
      <fieldset class="picks">
        <legend class="label">${say("look.dice")}</legend>
        <div class="cluster">
          ${pick("dice", "", say("look.still"))}
          ${pick("dice", "on", say("look.moving"))}
        </div>
      </fieldset>
      <fieldset class="picks">
        <legend class="label">${say("look.sound")}</legend>
        <div class="cluster">
          ${pick("sound", "", say("look.silent"))}
          ${pick("sound", "on", say("look.sounding"), () => chime("sun", "good", 1))}
        </div>
      </fieldset>
      ${"vibrate" in navigator && html`
        <fieldset class="picks">
          <legend class="label">${say("look.buzz")}</legend>
          <div class="cluster">
            ${pick("buzz", "", say("look.silent"))}
            ${pick("buzz", "on", say("look.sounding"), () => buzz(60))}
          </div>
        </fieldset>
      `}
    </div>
  `;
}
