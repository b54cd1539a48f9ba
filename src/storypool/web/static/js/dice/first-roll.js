/**
 * The offer of dice that fall, sound and touch: one line below the first result that a device sees.
 * It is made once; who ignores it has lost no tap.
 */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { say } from "../state/words.js";
import { calm, setDevice } from "../ui/motion.js";
import { Button } from "../ui/parts.js";
import { buzz, rattle } from "../ui/sound.js";

const SHAKEN = [12, 50, 12, 50, 12];

/** The line, once the result is `shown`, until it is answered or the action is gone. */
export function FirstRoll({ shown }) {
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    if (shown) setDevice("offered", "yes");
  }, [shown]);
  if (!shown || !isOpen) return null;
  const answer = (yes) => {
    setOpen(false);
    /** @type {HTMLElement | null} */
    const result = document.querySelector(".outcome .result");
    result?.focus({ preventScroll: true });
    if (!yes) return;
    for (const name of ["sound", "buzz", "dice"]) setDevice(name, "on");
    rattle();
    buzz(SHAKEN);
  };
  return html`
    <div class="first-roll cluster centre gap-2 small quiet" role="group" aria-label=${question()}>
      <span>${question()}</span>
      <span class="inline gap-2">
        <${Button} kind="plain" onTap=${() => answer(true)}>${say("look.offer.yes")}<//>
        <${Button} kind="plain" onTap=${() => answer(false)}>${say("look.offer.no")}<//>
      </span>
    </div>
  `;
}

/** What this device can do. */
function question() {
  if ("vibrate" in navigator) {
    return calm() ? say("look.offer.still.touch") : say("look.offer.dice.touch");
  }
  return calm() ? say("look.offer.still") : say("look.offer.dice");
}
