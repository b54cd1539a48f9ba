/** What of a gauge is always in sight: its button, its announcements, and the next decay. */

import { computed, html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { headline } from "../dice/result.js";
import { panelsOf } from "../state/game.js";
import { counted } from "../state/looks.js";
import { cardsOf } from "../state/moment-panels.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Glyph, IconButton } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { check, firstSeq, game, isGm, ours, records, table, the } from "../state/store.js";
import { undone } from "../state/undone-records.js";
import { call } from "../state/wire.js";
import { oneOf, say } from "../state/words.js";

const MOVES_POINTS = ["points.set", "period.began", "period.ended", "table.rewound"];
const MOST_ANNOUNCED = 3;
const ANNOUNCED_FOR = 8000;

/** The whole gauge, which few visits open. */
const Gauge = drawnLater(
  (again) => import(`./gauge-chart.js${again}`).then((made) => made.Gauge),
);
/** The chart of a gauge, and below it what its lines are. */
export const Chart = drawnLater(
  (again) => import(`./gauge-chart.js${again}`).then((made) => made.Chart),
);

/** The number of the last record that moved points: the gauge is fetched again when it changes. */
const moved = computed(() =>
  records.value.findLast(({ event }) => MOVES_POINTS.includes(event?.type ?? ""))?.seq ?? 0
);

/** The economy of the table as the server counts it; null until it has answered. */
export function useEconomy() {
  const [economy, setEconomy] = useState(/** @type {Wire.Economy | null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    const ask = () => call("GET", ours("economy"), undefined, { signal: stop.signal });
    const timer = setTimeout(() => ask().then(setEconomy).catch(() => {}), economy ? 300 : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [moved.value]);
  return economy;
}

/** The button between the trays that opens the gauge; none for a game without a gauge. */
export function GaugeButton() {
  return panelsOf("gauge").map((panel) =>
    html`
      <${IconButton}
        key=${panel.title}
        glyph="gauge"
        label=${say("gauge.open", { what: panel.title })}
        onTap=${() => openGauge(panel)}
      />
    `
  );
}

function openGauge(panel) {
  openSheet(panel.title, () => html`<${Gauge} panel=${panel} />`);
}

/**
 * While there is no action: the next decay, and the chart with the rest one tap away. Nothing
 * before a session.
 */
export function Glance() {
  const panel = panelsOf("gauge")[0];
  return panel && !check.value && the(table).running.includes("session")
    ? html`<${Calmly} panel=${panel} />`
    : null;
}

function Calmly({ panel }) {
  return html`
    <section class="gauge glance stack full measure" aria-label=${panel.title}>
      <${Fading} panel=${panel} />
      <button type="button" class="button" data-kind="plain" onClick=${() => openGauge(panel)}>
        <${Glyph} name="gauge" />
        ${say("gauge.sources")}
      </button>
    </section>
  `;
}

/**
 * Announces each change of a gauge's points that is not the price of a move, with its reason, and
 * what the GM has bought.
 */
export function Announced() {
  const [shown, setShown] = useState(/** @type {number[]} */ ([]));
  const heard = useRef(firstSeq.value);
  const found = announcements();
  const last = records.value.at(-1)?.seq ?? 0;
  useEffect(() => {
    const news = found.map(({ seq }) => seq).filter((seq) =>
      seq > Math.max(firstSeq.value, heard.current)
    );
    // By now there may be more records than this page was drawn from.
    heard.current = Math.max(heard.current, last);
    if (!news.length) return;
    setShown((before) => [...before, ...news].slice(-MOST_ANNOUNCED));
    setTimeout(
      () => setShown((before) => before.filter((seq) => !news.includes(seq))),
      ANNOUNCED_FOR,
    );
  }, [records.value]);
  // The next tap outside of a sheet closes the announcement, and still does what it was meant for.
  useEffect(() => {
    if (!shown.length) return undefined;
    const dismiss = (event) => event.target.closest?.("dialog") || setShown([]);
    addEventListener("pointerdown", dismiss, { capture: true });
    return () => removeEventListener("pointerdown", dismiss, { capture: true });
  }, [shown.length > 0]);
  const announced = found.filter(({ seq }) => shown.includes(seq) && !undone.value.has(seq));
  return html`
    <div class="announced" aria-live="polite">
      ${announced.length > 0 && html`
        <ul class="card stack gap-2 small">
          ${announced.map(({ seq, text }) =>
            html`
              <li class="row" key=${seq}>
                <${Glyph} name="turning" size="16" />
                <span>${text}</span>
              </li>
            `
          )}
        </ul>
      `}
    </div>
  `;
}

/** What has been announced since we came, in the order of the log: { seq, text }. */
function announcements() {
  const accounts = panelsOf("gauge").flatMap((panel) => panel.binds.accounts);
  const news = records.value.filter(({ seq }) => seq > firstSeq.value);
  const moved = news.filter(({ event, text, paid }) =>
    text && !paid && event?.type === "points.set" && !event.owner &&
    accounts.includes(event.account)
  );
  return [...moved, ...(isGm.value ? [] : bought(news))].sort((one, other) => one.seq - other.seq);
}

/**
 * What points of the GM's side were spent on: the price and what came of it, as the log says it. A
 * pool that changed is in sight.
 */
function bought(news) {
  const theirs = the(game).accounts.filter(({ each, side }) => each === "table" && side === "gm")
    .map(({ name }) => name);
  const found = [];
  let now = null;
  for (const record of news) {
    const { seq, event, text, paid } = record;
    if (!event || event.type === "move.made") now = null;
    else if (paid && !event.owner && theirs.includes(event.account)) {
      found.push(now = { seq, text: "", price: text });
    }
    const line = event?.type === "check.changed" ? headline(text)[0].trim() : text;
    // A card says itself what came of it, and is not covered by its own words.
    if (now && cardsOf(record).length) {
      now.text = now.price;
      now = null;
    }
    if (now) now.text = [now.text, line].filter(Boolean).join(" ");
  }
  return found;
}

/** The points that the end of the period will take: never more than there are. */
export function Fading({ panel }) {
  const { fades, by, at: key } = panel.binds;
  if (!fades || !the(table).running.includes("session")) return null;
  const option = the(game).options?.find((one) => one.key === key);
  const period = option ? (the(table).options[key] ?? option.default) : key;
  const have = the(table).points[fades] ?? 0;
  const n = Math.min(have, by);
  if (!n) return null;
  const text = oneOf("gauge.fades", period, { what: counted(n, fades) }) +
    (have > n ? ` ${say("gauge.stay", { n: have - n })}` : "");
  return html`
    <p class="gauge-fades row">
      <${Glyph} name="turning" size="16" />
      <span>${text}</span>
    </p>
  `;
}
