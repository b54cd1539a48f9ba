/**
 * The end of a session: the evening in a few lines and one gauge of the pools, until the next one
 * begins.
 */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { Chart, useEconomy } from "./gauge.js";
import { showLine } from "../log/shown-line.js";
import { Clamped } from "../ui/clamped.js";
import { drawnLater } from "../ui/drawn-later.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { Glyph } from "../ui/parts.js";
import { SessionButton } from "./session-button.js";
import { ours, records } from "../state/store.js";
import { call } from "../state/wire.js";
import { say } from "../state/words.js";

const SendStory = drawnLater(
  (again) => import(`./send-story.js${again}`).then((made) => made.SendStory),
  () => null,
);

const SIGNS = {
  who: "people",
  quotes: "log",
  open: "info",
  scenes: "log",
  facts: "check",
  length: "log",
  rolls: "roll",
  moments: "storypool",
  ended: "people",
  hurt: "wound",
  best: "check",
  swing: "turning",
};

/** The evening as it was, for everybody at the table; `previous` is that of the last session. */
export function Recap({ previous = false }) {
  const [recap, setRecap] = useState(/** @type {Wire.Recap | null} */ (null));
  const ended =
    records.value.findLast(({ event }) =>
      event?.type === "period.ended" && event.kind === "session"
    )?.seq ?? 0;
  useEffect(() => {
    const stop = new AbortController();
    const address = previous ? `${ours("recap")}&previous=true` : ours("recap");
    call("GET", address, undefined, { signal: stop.signal }).then(setRecap, () => {});
    return () => stop.abort();
  }, [ended]);
  const economy = useEconomy();
  const place = useSpeaking(!previous && recap?.session && ended, RANKS.result, "h3");
  if (!recap?.session) return null;
  const panel = panelsOf("gauge")[0] ??
    { title: say("recap.points"), binds: { accounts: recap.accounts } };
  // Pools that nobody touched would be a chart of nothing.
  const drawn = !previous && economy && recap.moved && panel.binds.accounts.length > 0;
  return html`
    <section
      class="recap card stack full"
      ref=${place}
      aria-label=${say("recap.title", { n: recap.session })}
    >
      <h3>${say("recap.title", { n: recap.session })}</h3>
      <ul class="recap-lines stack gap-1">
        ${recap.lines.map((line) =>
          html`
            <li class="row" key=${line.kind} data-kind=${line.kind}>
              <${Glyph} name=${SIGNS[line.kind]} size="16" />
              <span><${Clamped} text=${line.text} long=${200} /></span>
              ${line.seq > 0 && html`
                <button
                  type="button"
                  class="button push"
                  data-kind="icon"
                  aria-label=${say("recap.line")}
                  title=${say("recap.line")}
                  onClick=${() => showLine(line.seq)}
                >
                  <${Glyph} name="chevron" size="16" />
                </button>
              `}
            </li>
          `
        )}
      </ul>
      ${drawn && html`
        <div class="gauge full">
          <${Chart} panel=${panel} economy=${economy} />
        </div>
      `}
      ${!previous && html`
        <${SendStory} session=${recap.session} evening />
        <${SessionButton} />
      `}
    </section>
  `;
}
