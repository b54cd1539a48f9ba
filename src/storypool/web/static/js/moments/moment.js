/**
 * One moment over the table: its light, its motion, its sound and its buzz, by the cue that the
 * game names. Loaded with the first that comes.
 */

import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { lookOf } from "../state/looks.js";
import { addStyles, calm } from "../ui/motion.js";
import { Glyph } from "../ui/parts.js";
import { buzz, chime } from "../ui/sound.js";

/** The edge of the tide, and all that is below it. */
const WAVES =
  "M0 12C12 4 24 4 36 12S60 20 72 12 96 4 108 12 132 20 144 12 168 4 180 12 192 16 200 12V400H0Z";
const SIGNS = { good: "light", bad: "dark" };
/** Parts that a cue moves. */
const PARTS = [0, 1, 2];

/** How a device buzzes with each cue, in milliseconds by turns with pauses. */
const BUZZES = {
  card: [20, 280, 200],
  clash: [30, 40, 90],
  crack: [40, 20, 40, 60, 40],
  curtain: [30],
  dusk: [60, 180, 40, 180, 20],
  knot: [20, 60, 30],
  seal: [20, 90, 20, 90, 60],
  stamp: [90],
  stand: [70, 150, 30],
  star: [15, 80, 15, 80, 60],
  sun: [20, 90, 40, 90, 60, 90, 120],
  tide: [20, 30, 40, 30, 60, 30, 90],
  tremor: [60, 110, 60, 380, 60, 110, 60],
  turn: [10, 80, 10, 60, 30],
  whirl: [120, 40, 80, 40, 50, 40, 20],
};

/** The moment that is felt now, or nothing. Its sentence is spoken elsewhere. */
export function Moment({ now, sentence }) {
  return now && html`<${Felt} key=${now.seq + now.panel.name} ...${now} sentence=${sentence} />`;
}

/** It takes no taps. Without motion its form is still. */
function Felt({ panel, tone, sentence }) {
  const { cue, weight, faces } = panel.binds;
  const place = useRef(null);
  useLayoutEffect(() => {
    addStyles("moment.css");
    // Above whatever is open: a sheet would cover it.
    place.current.showPopover?.();
    chime(cue, tone, weight);
    buzz(BUZZES[cue]);
  }, []);
  return html`
    <div
      class="${calm() ? "still-moment" : "moment"} stack centre"
      ref=${place}
      popover="manual"
      aria-hidden="true"
      data-motion=${cue}
      data-tone=${tone}
      data-weight=${weight}
    >
      <span class="moment-light"></span>
      <span class="moment-parts">
        ${PARTS.map((nth) => html`<span key=${nth} style=${{ "--nth": nth }}></span>`)}
      </span>
      ${cue === "tide" && html`
        <svg class="moment-tide" viewBox="0 0 200 400" preserveAspectRatio="none">
          <path d=${WAVES} />
        </svg>
      `}
      <span class="moment-thing centred">
        ${faces
          ? html`<span class="moment-number">${faces[0]}</span>`
          : html`<${Glyph} name=${glyph(panel, tone)} size="88" />`}
      </span>
      <span class="moment-word text-centre">${sentence}</span>
    </div>
  `;
}

/** The sign of a moment: that of what brings it, where it has one. */
function glyph({ binds }, tone) {
  const [name] = [binds.symbols, binds.turned, binds.filled, binds.gained].flat().filter(Boolean);
  return lookOf(name ?? "").glyph || SIGNS[tone];
}
