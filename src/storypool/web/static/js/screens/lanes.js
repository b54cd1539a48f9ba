/** Two open actions, one of them hidden from the players: which one the page is about. */

import { html } from "../../vendor/preact.js";
import { check, lanes, table, the, turnTo, waits } from "../state/store.js";
import { say } from "../state/words.js";
import { Glyph } from "../ui/parts.js";

/**
 * Both open actions by name, for a game master who has one hidden beside one that all see: which
 * one the page is about.
 */
export function Lanes() {
  // The dock speaks of the one in sight: the other one says here that it waits as well.
  const asks = (one) =>
    Object.keys(one.suggested ?? {}).length > 0 ||
    (one.id !== the(check).id && waits.value.some((wait) => wait.yours && wait.check === one.id));
  return html`
    <div class="lanes full gap-2" role="group" aria-label=${say("lanes.label")}>
      ${lanes.value.map((one) =>
        html`
          <button
            type="button"
            class="lane stack gap-0 target snug"
            key=${one.id}
            data-secret=${String(Boolean(one.seen_by))}
            aria-pressed=${String(one.id === the(check).id)}
            onClick=${() => turnTo(one.id)}
          >
            <span class="label row gap-1">
              ${one.seen_by && html`<${Glyph} name="secret" size="16" />`}
              ${say(one.seen_by ? "lanes.hidden" : "lanes.open")}
            </span>
            <span class="lane-title">
              ${the(table).characters[one.actor]?.name ?? ""}: ${one.title}
            </span>
            ${asks(one) && html`<span class="tag">${say("lanes.waits")}</span>`}
          </button>
        `
      )}
    </div>
  `;
}
