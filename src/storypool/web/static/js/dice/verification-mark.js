/**
 * The mark of a roll: verified by this very page, typed in by hand, or not verifiable; one tap
 * shows how.
 */

import { html, signal } from "../../vendor/preact.js";
import { Fold, Glyph, IconButton } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { eventOf } from "../state/record-events.js";
import { records, seatName } from "../state/store.js";
import { listed, oneOf, say } from "../state/words.js";

const GLYPHS = { mine: "check", false: "cross", hand: "hand" };
const UNKNOWN = { verdict: "unbound", fault: "", seats: [] };

/** From the worst to the best: an action with several rolls is as good as the worst of them. */
const ORDER = ["false", "unbound", "before", "hand", "alone", "anew", "missing", "fair", "mine"];

/** What was found of each roll, by the number of its record; `dice/fair-dice` verifies them. */
export const found = signal(new Map());

/** What this page found of the rolls of these records, as a button that shows more. */
export function VerificationMark({ seqs }) {
  const all = seqs.map((seq) => found.value.get(seq) ?? UNKNOWN);
  const judged = all.reduce(
    (worst, one) => ORDER.indexOf(one.verdict) < ORDER.indexOf(worst.verdict) ? one : worst,
    all[0] ?? UNKNOWN,
  );
  const label = oneOf("fair.mark", judged.verdict);
  return html`
    <${IconButton}
      glyph=${GLYPHS[judged.verdict] ?? "info"}
      label=${label}
      class="button verification-mark"
      data-fair=${judged.verdict}
      onTap=${() => openSheet(label, () => html`<${Explanation} ...${judged} />`)}
    />
  `;
}

function Explanation({ verdict, fault, seats, bound }) {
  const binding = verdict !== "before" && records.value.find(({ seq }) => seq === bound);
  const proof = binding && eventOf(binding, "dice.bound");
  return html`
    <div class="stack fair-explained">
      <p>
        ${oneOf("fair.explained", verdict, { who: listed(seats.map(seatName)), n: seats.length })}
      </p>
      ${fault &&
        html`
          <p class="because small gap-2"><${Glyph} name="cross" />${oneOf("fair.fault", fault)}</p>
        `}
      ${proof && html`
        <${Fold} title=${say("fair.numbers")}>
          ${html`
            <dl class="fair-numbers fine">
              <dt>${say("fair.place")}</dt>
              <dd>${proof.place}</dd>
              <dt>${say("fair.seed")}</dt>
              <dd><code>${proof.seed}</code></dd>
              ${proof.numbers.map((number, i) =>
                html`
                  <dt key=${i}>
                    ${say("fair.number", {
                      who: seatName(before(proof)?.sealed[i]?.split("=")[0] ?? ""),
                    })}
                  </dt>
                  <dd><code>${number || "–"}</code></dd>
                `
              )}
              <dt>${say("fair.row")}</dt>
              <dd><code>${proof.row}</code></dd>
            </dl>
          `}
        <//>
      `}
      <p class="fine quiet">${say("fair.check")}</p>
    </div>
  `;
}

/** What a proof opens: the record that bound it. */
function before({ row, place }) {
  const bound = records.value.find(({ event }) =>
    event?.type === "dice.bound" && event.row === row && event.place === place - 1
  );
  return eventOf(bound, "dice.bound");
}
