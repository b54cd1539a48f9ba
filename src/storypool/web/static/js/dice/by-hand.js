/** The line below dice that were rolled by hand, loaded when there are some. */

import { html } from "../../vendor/preact.js";
import { dieOf, faceOf, lookOf } from "../state/looks.js";
import { say } from "../state/words.js";
import { Glyph } from "../ui/parts.js";

/** Says that dice were rolled by hand, and which of them were not. */
export function ByHand({ rolled }) {
  // A die with one face is set, and nobody throws it.
  const thrownHere = rolled.filter(({ die, source }) =>
    source !== "hand" && dieOf(die).faces.length > 1
  );
  const hand = thrownHere.length
    ? say("log.handBut", {
      dice: thrownHere.map(({ die, face }) =>
        `${lookOf(die).word} ${faceOf(dieOf(die), face).words}`
      ).join(", "),
    })
    : say("log.hand");
  return html`
    <li class="by-hand text-centre full">
      <span class="hand-chip inline gap-0 fine"><${Glyph} name="hand" size="16" />${hand}</span>
    </li>
  `;
}
