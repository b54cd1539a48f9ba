/** A whole gauge: how the pools changed in the session, and where each point came from. */

import { html, useState } from "../../vendor/preact.js";
import { lookOf } from "../state/looks.js";
import { showLine } from "../log/shown-line.js";
import { HowThisWorks } from "../ui/how-this-works.js";
import { Glyph } from "../ui/parts.js";
import { capital, say } from "../state/words.js";
import { Fading, useEconomy } from "./gauge.js";

const WIDTH = 320;
const HEIGHT = 148;
const INNER = { left: 26, right: 12, top: 10, bottom: 12 };
const FIRST_ROWS = 8;

/** The whole gauge. */
export function Gauge({ panel }) {
  const economy = useEconomy();
  if (!economy) return html`<p class="quiet" role="status">${say("gauge.coming")}</p>`;
  return html`
    <div class="gauge stack full">
      <${Chart} panel=${panel} economy=${economy} />
      <${Fading} panel=${panel} />
      <${Sources} panel=${panel} economy=${economy} />
      <${Changes} panel=${panel} economy=${economy} />
      <${HowThisWorks} about="points" />
    </div>
  `;
}

/** The accounts of a gauge, in the order of its panel. */
function plays(panel, economy) {
  return panel.binds.accounts.map((name) => economy.accounts.find((one) => one.account === name))
    .filter(Boolean);
}

/** The chart of a gauge, and below it what its lines are. */
export function Chart({ panel, economy }) {
  return html`
    <${Lines} panel=${panel} economy=${economy} />
    <${Legend} panel=${panel} economy=${economy} />
  `;
}

/**
 * Each balance as steps, one for each change: lines that differ by their stroke and by the marks on
 * them.
 */
function Lines({ panel, economy }) {
  const drawn = plays(panel, economy);
  const changes = economy.changes.filter((one) => panel.binds.accounts.includes(one.account));
  const top = Math.max(
    4,
    ...drawn.map((one) => one.most ?? 0),
    ...changes.map((one) => one.balance),
  );
  const least = Math.min(
    0,
    ...drawn.map((one) => begins(one, changes)),
    ...changes.map((one) => one.balance),
  );
  const x = (i) =>
    INNER.left + ((WIDTH - INNER.left - INNER.right) * i) / Math.max(1, changes.length);
  const scenes = economy.scenes.map((seq) => x(changes.filter((one) => one.seq < seq).length));
  const y = (n) =>
    HEIGHT - INNER.bottom - ((HEIGHT - INNER.top - INNER.bottom) * (n - least)) / (top - least);
  // Half of an odd range is no number of points: the middle line stands at a whole one.
  const ticks = [...new Set([least, Math.round((top + least) / 2), top])];
  const lines = drawn.map((one) =>
    say("gauge.from", {
      what: lookOf(one.account).plural,
      from: begins(one, changes),
      to: one.balance,
    })
  );
  return html`
    <svg
      class="gauge-chart full"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label=${say("gauge.chart", { lines: lines.join("; ") })}
    >
      ${ticks.map((n) =>
        html`
          <g key=${n}>
            <line
              class="gauge-line"
              x1=${INNER.left}
              x2=${WIDTH - INNER.right}
              y1=${y(n)}
              y2=${y(n)}
            />
            <text class="gauge-tick" x=${INNER.left - 6} y=${y(n) + 4} text-anchor="end">${n}</text>
          </g>
        `
      )}
      ${[...new Set(scenes)].filter((place) => place > INNER.left).map((place) =>
        html`
          <line
            key=${place}
            class="gauge-scene"
            x1=${place}
            x2=${place}
            y1=${INNER.top}
            y2=${HEIGHT - INNER.bottom}
          />
        `
      )}
      ${drawn.map((one, i) =>
        html`
          <${Steps} key=${one.account} one=${one} nth=${i} changes=${changes} x=${x}
            y=${y} />
        `
      )}
    </svg>
  `;
}

/** The balance at the beginning of the chart. */
function begins(one, changes) {
  const first = changes.find((change) => change.account === one.account);
  return first ? first.balance - first.delta : one.balance;
}

function Steps({ one, nth, changes, x, y }) {
  let path = `M${x(0)} ${y(begins(one, changes))}`;
  const marks = [];
  changes.forEach((change, i) => {
    if (change.account !== one.account) return;
    path += `H${x(i + 1)}V${y(change.balance)}`;
    marks.push([x(i + 1), y(change.balance)]);
  });
  path += `H${x(Math.max(1, changes.length))}`;
  return html`
    <g class="gauge-steps" data-nth=${nth}>
      <path d=${path} fill="none" />
      ${marks.map(([left, down], i) => html`<${Mark} key=${i} nth=${nth} x=${left} y=${down} />`)}
    </g>
  `;
}

function Mark({ nth, x, y }) {
  if (nth === 1) {
    return html`<rect class="gauge-mark" x=${x - 3} y=${y - 3} width="6" height="6" />`;
  }
  if (nth === 2) return html`<path class="gauge-mark" d="M${x} ${y - 4.5}l4 7.5h-8z" />`;
  return html`<circle class="gauge-mark" cx=${x} cy=${y} r="3.2" />`;
}

/** The legend, with the present balances. */
function Legend({ panel, economy }) {
  return html`
    <ul class="gauge-legend cluster gap-5 lines-1">
      ${plays(panel, economy).map((one, i) => {
        const look = lookOf(one.account);
        return html`
          <li class="row" key=${one.account}>
            <svg class="whole" viewBox="0 0 36 12" width="36" height="12" aria-hidden="true">
              <g class="gauge-steps" data-nth=${i}>
                <path d="M1 6H35" fill="none" />
                <${Mark} nth=${i} x=${18} y=${6} />
              </g>
            </svg>
            ${look.glyph && html`<${Glyph} name=${look.glyph} size="16" />`}
            <span>${capital(look.plural)}</span>
            ${" "}
            <strong class="count">
              ${one.most === null
                ? one.balance
                : say("track.of", { n: one.balance, most: one.most })}
            </strong>
          </li>
        `;
      })}
    </ul>
  `;
}

/**
 * Gains and losses of each account by source, the latest first; a tap shows the line of the log.
 */
function Sources({ panel, economy }) {
  return html`
    <section class="stack">
      <h3 class="label">${say("gauge.sources")}</h3>
      ${plays(panel, economy).map((one) => {
        const own = economy.sources.filter((source) => source.account === one.account);
        return html`
          <div class="gauge-account stack gap-1" key=${one.account}>
            <h4 class="name">${capital(lookOf(one.account).plural)}</h4>
            ${own.length
              ? html`
                <ul class="gauge-sources">
                  ${own.map((source) =>
                    html`<${Source} key=${source.source + (source.points > 0)} source=${source} />`
                  )}
                </ul>
              `
              : html`<p class="quiet">${say("gauge.none")}</p>`}
          </div>
        `;
      })}
    </section>
  `;
}

function Source({ source }) {
  const times = source.times > 1 ? say("gauge.times", { n: source.times }) : "";
  const last = source.last.why === source.source ? "" : source.last.why;
  return html`
    <li>
      <button
        type="button"
        class="gauge-source full target ruled gap-2"
        onClick=${() => showLine(source.last.seq)}
      >
        <strong class="count lead" data-gain=${String(source.points > 0)}>
          ${signed(source.points)}
        </strong>
        <span>
          ${source.source}
          ${(times || last) &&
            html`
              <span class="fine quiet block">${[times, last].filter(Boolean).join(" · ")}</span>
            `}
        </span>
        <${Glyph} name="chevron" size="16" label=${say("gauge.line")} />
      </button>
    </li>
  `;
}

const signed = (n) => `${n > 0 ? "+" : "−"}${Math.abs(n)}`;

/** The same numbers as a table, the newest first. */
function Changes({ panel, economy }) {
  const [showsAll, setShowsAll] = useState(false);
  const accounts = plays(panel, economy);
  const rows = standing(accounts, economy.changes);
  const shown = showsAll ? rows : rows.slice(0, FIRST_ROWS);
  if (!rows.length) return null;
  return html`
    <section class="stack">
      <h3 class="label">${say("gauge.changes")}</h3>
      <table class="gauge-table numeric full small">
        <thead>
          <tr>
            <th scope="col">${say("gauge.what")}</th>
            <th scope="col">${say("gauge.change")}</th>
            ${accounts.map((one) =>
              html`<th scope="col" key=${one.account}>${capital(lookOf(one.account).plural)}</th>`
            )}
          </tr>
        </thead>
        <tbody>
          ${shown.map(({ change, after }) =>
            html`
              <tr key=${change.seq} data-seq=${change.seq}>
                <th scope="row">${change.why || change.source}</th>
                <td class="count">${signed(change.delta)}</td>
                ${accounts.map((one) =>
                  html`
                    <td
                      class="count"
                      key=${one.account}
                      data-moved=${String(one.account === change.account)}
                    >
                      ${after[one.account]}
                    </td>
                  `
                )}
              </tr>
            `
          )}
        </tbody>
      </table>
      ${rows.length > shown.length &&
        html`
          <button type="button" class="button" data-kind="plain" onClick=${() => setShowsAll(true)}>
            ${say("menu.all", { n: rows.length })}
          </button>
        `}
    </section>
  `;
}

/** Each change with every balance after it, the newest first. */
function standing(accounts, changes) {
  const own = changes.filter((change) => accounts.some((one) => one.account === change.account));
  let after = Object.fromEntries(accounts.map((one) => [one.account, begins(one, own)]));
  return own.map((change) => {
    after = { ...after, [change.account]: change.balance };
    return { change, after };
  }).reverse();
}
