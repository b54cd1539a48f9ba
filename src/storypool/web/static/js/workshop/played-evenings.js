/**
 * What evenings do to the points of a game: some hundred are played on the server, and shown with
 * their spread.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { lookOf } from "../state/looks.js";
import { Alert, Button, Fold, Glyph } from "../ui/parts.js";
import { call, troubleIn } from "../state/wire.js";
import { capital, say } from "../state/words.js";

const WIDTH = 320;
const HEIGHT = 120;
const INNER = { left: 26, right: 12, top: 8, bottom: 24 };
/** About so many numbers are written along each edge. */
const NUMBERS = 6;

/**
 * Asks for evenings of the text, and shows what became of the points; `level` is that of its
 * headlines.
 */
export function PlayedEvenings({ text, level }) {
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const [answer, setAnswer] = useState(
    /** @type {Wire.EveningsShown & { text: string } | null} */ (null),
  );
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const stop = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => stop.current?.abort(), []);
  async function play() {
    const now = (stop.current = new AbortController());
    setAsked(text);
    setError(null);
    try {
      setAnswer({
        text,
        ...(await call("POST", "/api/workshop/evenings", { text }, { signal: now.signal })),
      });
    } catch (error) {
      if (!now.signal.aborted) setError(troubleIn(error).refusal);
    }
    setAsked(null);
  }
  return html`
    <p class="small">${say("workshop.evening.about")}</p>
    ${asked
      ? html`
        <p role="status" class="quiet">${say("workshop.evening.playing")}</p>
        <${Button} key="stop" onTap=${() => stop.current?.abort()}>
          ${say("workshop.evening.stop")}
        <//>
      `
      : html`
        <${Button} key="play" onTap=${play}>
          ${say(answer ? "workshop.evening.again" : "workshop.evening.play")}
        <//>
      `}
    <${Alert} refusal=${error} />
    ${answer && html`
      <div class="stack gap-5" data-old=${String(answer.text !== text)}>
        <p class="small quiet">
          ${say("workshop.evening.of", {
            title: answer.title,
            actions: answer.actions,
            n: answer.evenings,
          })}
          ${answer.evenings < answer.wanted &&
            ` ${say("workshop.evening.fewer", { n: answer.wanted })}`}
          ${answer.text !== text && ` ${say("workshop.evening.old")}`}
        </p>
        ${answer.pools.length > 0
          ? html`
            ${answer.pools.map((pool) =>
              html`<${Pool} pool=${pool} level=${level} key=${pool.account} />`
            )}
            <p class="fine quiet">${say("workshop.evening.legend")}</p>
          `
          : html`<p>${say("workshop.evening.none")}</p>`}
        ${answer.unspent.length > 0 && html`
          <section class="stack gap-1">
            <h4 class="name">${say("workshop.evening.unspent.title")}</h4>
            <ul class="small">
              ${answer.unspent.map((one) => html`<li key=${one.title}>${unspentText(one)}</li>`)}
            </ul>
          </section>
        `}
      </div>
    `}
  `;
}

/** Why nobody spent on a move. */
function unspentText(one) {
  if (!one.moments) return say("workshop.evening.unspent.moments", one);
  if (one.open) return say("workshop.evening.unspent.open", one);
  return say("workshop.evening.unspent.why", one);
}

/**
 * One kind of points: the band over the evening, how many there are in the end, and what moved
 * them.
 */
function Pool({ pool, level }) {
  const look = lookOf(pool.account);
  return html`
    <section class="evening-pool stack gap-2" data-account=${pool.account}>
      <h4 class="name inline">
        ${look.glyph && html`<${Glyph} name=${look.glyph} size="16" />`}
        ${capital(look.plural)}
      </h4>
      <${Bands} bands=${pool.bands} name=${capital(look.plural)} />
      <table class="gauge-table numeric full small">
        <thead>
          <tr>
            <th scope="col">${say("workshop.evening.average")}</th>
            <th scope="col">${say("workshop.evening.mean")}</th>
            <th scope="col">±</th>
          </tr>
        </thead>
        <tbody>
          ${pool.flows.map((flow) =>
            html`
              <tr key=${flow.what + flow.by}>
                <th scope="row">${say("workshop.evening.flow", flow)}</th>
                <${Numbers} of=${flow} />
              </tr>
            `
          )}
          <tr>
            <th scope="row" class="strong">${say("workshop.evening.end")}</th>
            <${Numbers} of=${pool.end} />
          </tr>
        </tbody>
      </table>
      <${Fold} title=${say("workshop.evening.each")} level=${level}>
        ${html`
          <table class="gauge-table numeric full small">
            <thead>
              <tr>
                <th scope="col">${say("workshop.evening.actions")}</th>
                <th scope="col">${say("workshop.evening.middle")}</th>
                <th scope="col">${say("workshop.evening.most")}</th>
              </tr>
            </thead>
            <tbody>
              ${pool.bands.map(([low, middle, high], n) =>
                html`
                  <tr key=${n}>
                    <th scope="row">${n}</th>
                    <td class="count">${middle}</td>
                    <td class="count">${say("workshop.evening.range", { low, high })}</td>
                  </tr>
                `
              )}
            </tbody>
          </table>
        `}
      <//>
    </section>
  `;
}

function Numbers({ of: { mean, margin } }) {
  return html`
    <td class="count">${mean.toFixed(1)}</td>
    <td class="count">${margin === null ? "" : margin.toFixed(1)}</td>
  `;
}

/** The middle of the evenings as a line, and a band where eight of ten are. */
function Bands({ bands, name }) {
  const steps = bands.length - 1;
  const top = Math.max(1, ...bands.map(([, , high]) => high));
  const x = (n) => INNER.left + ((WIDTH - INNER.left - INNER.right) * n) / Math.max(1, steps);
  const y = (n) => HEIGHT - INNER.bottom - ((HEIGHT - INNER.top - INNER.bottom) * n) / top;
  const line = (which) => bands.map((band, n) => `${x(n).toFixed(1)} ${y(band[which]).toFixed(1)}`);
  const [first, last] = [bands[0], bands[steps]];
  const every = (most) => Math.max(1, Math.ceil(most / NUMBERS));
  const along = (most) =>
    Array.from({ length: Math.floor(most / every(most)) + 1 }, (_, i) => i * every(most));
  return html`
    <svg
      class="gauge-chart full"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label=${say("workshop.evening.chart", {
        name,
        from: first[1],
        to: last[1],
        low: last[0],
        high: last[2],
      })}
    >
      ${along(top).map((n) =>
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
      ${along(steps).map((n) =>
        html`
          <text class="gauge-tick" key=${n} x=${x(n)} y=${HEIGHT - 6} text-anchor="middle">
            ${n}
          </text>
        `
      )}
      <path class="session-band" d="M${[...line(2), ...line(0).reverse()].join("L")}Z" />
      <g class="gauge-steps"><path d="M${line(1).join("L")}" fill="none" /></g>
    </svg>
  `;
}
