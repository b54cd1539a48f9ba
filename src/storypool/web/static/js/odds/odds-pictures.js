/**
 * The full odds of the open action as pictures: the distribution of each axis, and the map of two
 * axes.
 */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { game, preview, the } from "../state/store.js";
import { lookOf, notation } from "../state/looks.js";
import { fraction, percent } from "./fractions.js";
import { call } from "../state/wire.js";
import { capital, say } from "../state/words.js";

const SURE = 0.995;
const RARE = 0.001;
/**
 * A line of a map is shown if its chance is higher than this; rarer values beyond are added to the
 * last line.
 */
const EDGE = 0.004;
const SHOWN = 0.005;

/** The pictures; `odds` are the present ones, `next` is the row of worth to compare with. */
export function Pictures({ odds, next }) {
  const now = useJoint(odds);
  const nextJoint = useJoint(useWould(next));
  if (!now) return html`<p class="quiet">${say("picture.wait")}</p>`;
  return html`
    <div class="stack gap-2">
      <${Curve} now=${now} then=${nextJoint} />
      <${Heat} odds=${now} />
    </div>
  `;
}

/** The full odds of a question, or null while they are loading. */
function useJoint(odds) {
  const [joint, setJoint] = useState(/** @type {Wire.OddsShown | null} */ (null));
  const key = odds && JSON.stringify([odds.pool, odds.terms, odds.against]);
  useEffect(() => {
    const stop = new AbortController();
    if (!odds) setJoint(null);
    else {
      const asked = {
        system: the(game).key,
        pool: notation(odds.pool),
        terms: odds.terms,
        against: notation(odds.against),
      };
      call("POST", "/api/odds", asked, { signal: stop.signal }).then(setJoint).catch(() => null);
    }
    return () => stop.abort();
  }, [key]);
  return joint;
}

/** The odds that an offer leads to, without the joint rows. */
function useWould(row) {
  const [odds, setOdds] = useState(/** @type {Wire.OddsShown | null} */ (null));
  const key = row && JSON.stringify([row.move, row.args, row.before]);
  useEffect(() => {
    const stop = new AbortController();
    const hear = (previewed) => setOdds(previewed.odds);
    if (!row) setOdds(null);
    else preview(row.move, row.args, false, stop.signal).then(hear).catch(() => null);
    return () => stop.abort();
  }, [key]);
  return odds;
}

/** The chance of each value of an axis, in order: [[value, chance]]. */
function marginal(odds, i) {
  const shares = new Map();
  for (const [place, share] of odds.joint) {
    shares.set(place[i], (shares.get(place[i]) ?? 0) + fraction(share));
  }
  return [...shares].sort(([a], [b]) => a - b);
}

/** The chance of at least so many, without the certain and the very rare ones. */
function atLeast(odds, axis) {
  let left = 1;
  const found = new Map();
  for (const [value, share] of marginal(odds, axis)) {
    found.set(value, left);
    left -= share;
  }
  return found;
}

/**
 * The distribution of an axis: a row with a bar for each number, and a second bar if an offer would
 * change it.
 */
export function Curve({ now, then, axis = 0 }) {
  const mine = atLeast(now, axis);
  const other = then && atLeast(then, axis);
  const values = [...new Set([...mine.keys(), ...(other?.keys() ?? [])])].sort((a, b) => a - b);
  const share = (of, n) => of.get(n) ?? (n < Math.min(...of.keys()) ? 1 : 0);
  const shown = values.filter((n) =>
    [mine, other].some((of) => of && share(of, n) < SURE && share(of, n) > RARE)
  );
  const what = capital(lookOf(now.axes[axis]).plural);
  return html`
    <table class="curve numeric full small">
      <caption class="label">${say("picture.atLeast", { what })}</caption>
      <thead>
        <tr>
          <th scope="col">${say("picture.number")}</th>
          <th scope="col"><span class="visually-hidden">${say("picture.bar")}</span></th>
          <th scope="col">${say("picture.now")}</th>
          ${other && html`<th scope="col">${say("picture.then")}</th>`}
        </tr>
      </thead>
      <tbody>
        ${shown.map((n) => {
          const style = {
            "--part": share(mine, n).toFixed(3),
            "--part-next": (other ? share(other, n) : 0).toFixed(3),
          };
          return html`
            <tr key=${n}>
              <th scope="row" class="count">${signed(n)}</th>
              <td class="curve-bar">
                <div class="odds-bar" aria-hidden="true" style=${style}></div>
              </td>
              <td class="count">${say("odds.percent", { n: percent(share(mine, n)) })}</td>
              ${other &&
                html`
                  <td class="count">${say("odds.percent", { n: percent(share(other, n)) })}</td>
                `}
            </tr>
          `;
        })}
      </tbody>
    </table>
  `;
}

/** The map of two axes: a table whose cells are darker the likelier they are. */
function Heat({ odds }) {
  if (odds.axes.length < 2) return null;
  const rows = lines(odds, 0).reverse();
  const columns = lines(odds, 1);
  const cells = new Map();
  for (const [place, share] of odds.joint) {
    const key = `${lineOf(rows, place[0])} ${lineOf(columns, place[1])}`;
    cells.set(key, (cells.get(key) ?? 0) + fraction(share));
  }
  const most = Math.max(...cells.values());
  const words = {
    row: lookOf(odds.axes[0]).plural.toLowerCase(),
    column: lookOf(odds.axes[1]).plural.toLowerCase(),
  };
  return html`
    <div class="heat-place wide" tabindex="0" role="group" aria-label=${say("picture.map", words)}>
      <table class="heat numeric small">
        <caption class="label">${say("picture.map", words)}</caption>
        <thead>
          <tr>
            <td></td>
            ${columns.map((column) =>
              html`<th scope="col" class="count" key=${column.value}>${edged(column)}</th>`
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) =>
            html`
              <tr key=${row.value}>
                <th scope="row" class="count">${edged(row)}</th>
                ${columns.map((column) => {
                  const share = cells.get(`${row.value} ${column.value}`) ?? 0;
                  return html`
                    <td
                      class="count"
                      key=${column.value}
                      style=${{ "--part": (share / most).toFixed(3) }}
                    >
                      ${share < SHOWN
                        ? html`<span aria-label=${say("picture.rare")}>·</span>`
                        : percent(share)}
                    </td>
                  `;
                })}
              </tr>
            `
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The lines of a map on one axis: [{ value, edge }]; the outermost include all values beyond. */
function lines(odds, i) {
  const all = marginal(odds, i);
  const kept = all.filter(([, share]) => share > EDGE).map(([value]) => value);
  const [low, high] = [kept[0], kept.at(-1)];
  const within = Array.from({ length: high - low + 1 }, (_, k) => low + k);
  return within.map((value) => ({
    value,
    edge: value === low && all[0][0] < low
      ? "less"
      : value === high && all[all.length - 1][0] > high
      ? "more"
      : "",
  }));
}

const lineOf = (among, n) =>
  Math.min(
    Math.max(n, Math.min(among[0].value, among.at(-1).value)),
    Math.max(among[0].value, among.at(-1).value),
  );

/** A number with a typographic minus. */
const signed = (n) => String(n).replace("-", "−");

/** The label of a line; the last one says that it includes all values beyond. */
function edged({ value, edge }) {
  if (!edge) return signed(value);
  return edge === "less"
    ? say("picture.less", { n: signed(value) })
    : say("picture.orMore", { n: signed(value) });
}
