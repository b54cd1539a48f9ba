/**
 * What the game master reads aloud as the scene begins: in sight until the first action or a fight,
 * then one tap away.
 */

import { computed, html } from "../../vendor/preact.js";
import { isolated } from "../ui/bidi.js";
import { ordered } from "../state/game.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { Fold } from "../ui/parts.js";
import { eventOf } from "../state/record-events.js";
import { records, table, the } from "../state/store.js";
import { undone } from "../state/undone-records.js";
import { say } from "../state/words.js";

/**
 * What the game master has written to all since the scene began and before its first action, and
 * whether anybody acted or an order of turns began: { from, texts, acted }, or null.
 */
export const opening = computed(() => {
  if (!table.value?.running.includes("scene")) return null;
  const known = records.value.filter(({ seq }) => !undone.value.has(seq));
  const from = known.findLastIndex(({ event }) =>
    event?.type === "period.began" && event.kind === "scene"
  );
  const act = known.findIndex(({ event }, n) => n > from && event?.type === "check.opened");
  const texts = from < 0 ? [] : known.slice(from, act < 0 ? undefined : act).filter(isAloud);
  return texts.length ? { from: known[from].seq, texts, acted: act >= 0 || ordered.value } : null;
});

/** @param {Wire.RecordShown} record */
function isAloud({ event }) {
  return event?.type === "words.said" && !event.seen_by &&
    the(table).seats[event.seat]?.side === "gm";
}

/** The words as a card that folds; it folds by itself with the first action. */
export function Opening() {
  const { from, texts, acted } = the(opening);
  const place = useSpeaking(acted ? "" : `${from} ${texts.length}`, RANKS.stage, ".fold-title");
  return html`
    <section class="opening card full" ref=${place}>
      <${Fold} key=${`${from} ${acted}`} title=${say("opening.title")} open=${!acted} level=${2}>
        ${html`
          <div class="stack gap-2">
            ${texts.map((record) =>
              html`<p key=${record.seq}>${isolated(eventOf(record, "words.said")?.text ?? "")}</p>`
            )}
          </div>
        `}
      <//>
    </section>
  `;
}
