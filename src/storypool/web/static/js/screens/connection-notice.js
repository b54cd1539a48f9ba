/** Trouble with the line, at the thumb: a lost connection, and the moves that were not sent. */

import { effect, html, useEffect, useState } from "../../vendor/preact.js";
import { dropDraftsOf } from "../forms/drafts.js";
import { Button, Glyph } from "../ui/parts.js";
import { notice, standing } from "../state/announcements.js";
import { byKey, line, make, reconnect, refused, unsent } from "../state/store.js";
import { say } from "../state/words.js";

/** A line that is back before so many milliseconds was never lost. */
const BLINK = 600;
/**
 * The wait before a move is sent again by itself while the line seems to be there, in milliseconds.
 */
const AGAIN = 4000;
/**
 * A move that is older than this waits for a tap: the table has gone on, and it may not be meant
 * any more.
 */
const STALE = 120_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let wasLost = false;

// What was not sent is sent again when the line is back. Its token makes that safe: it cannot be
// made twice.
effect(() => {
  const first = unsent.value[0];
  const live = line.value === "live";
  clearTimeout(timer);
  wasLost ||= !live;
  if (first && live && fresh(first)) timer = setTimeout(resend, wasLost ? BLINK : AGAIN, first);
});

const fresh = (one) => Date.now() - one.since < STALE;

/** Send a move again; a refusal is shown, because the place of its button may be gone. */
async function resend(one) {
  const { move, args, title, ...how } = one;
  wasLost = false;
  const made = await make(move, args, { ...how, title });
  if (made) {
    dropDraftsOf(move);
    notice(say("unsent.sent", { what: titleOf(one) }));
    return;
  }
  const now = refused.value;
  if (now && now.move === move && !unsent.value.includes(one)) {
    notice([now.refusal.text, now.refusal.remedy].filter(Boolean).join(" "), "refusal");
  }
}

const titleOf = ({ move, title }) => title || byKey.value[move]?.title || "";

function discard(one) {
  unsent.value = unsent.value.filter(({ token }) => token !== one.token);
}

/** What there is to know about the server, for as long as it holds. */
export function Standing() {
  return standing.value.map((text) =>
    html`
      <div class="banner card cluster small snug" data-tone="refusal" key=${text}>
        <${Glyph} name="info" />
        <p class="grow">${text}</p>
      </div>
    `
  );
}

/** What is wrong with the line, with a button for each remedy. */
export function Trouble() {
  const [late, setLate] = useState(false);
  const lost = line.value === "lost";
  useEffect(() => {
    const wait = setTimeout(() => setLate(lost), lost ? BLINK : 0);
    return () => clearTimeout(wait);
  }, [lost]);
  return html`
    <div class="banners stack gap-1" aria-live="assertive">
      <${Standing} />
      ${lost && late && html`
        <div class="banner card cluster small snug" data-tone="refusal">
          <${Glyph} name="lost" />
          <p class="grow">${say("line.banner")}</p>
          <button type="button" class="button small" onClick=${reconnect}>
            ${say("line.now")}
          </button>
        </div>
      `}
      ${unsent.value.map((one) =>
        html`
          <div
            class="banner card cluster small snug"
            data-tone="refusal"
            data-choice="true"
            key=${one.token}
          >
            <${Glyph} name="info" />
            <p class="grow">
              ${say("unsent.text", { what: titleOf(one) })}
              ${fresh(one) && html`${" "}<span class="quiet">${say("unsent.later")}</span>`}
            </p>
            <${Button} onTap=${() => resend(one)}>${say("unsent.again")}<//>
            <button
              type="button"
              class="button small"
              data-kind="plain"
              onClick=${() => discard(one)}
            >
              ${say("unsent.drop")}
            </button>
          </div>
        `
      )}
    </div>
  `;
}
