/** What a pool is likely to come to: asked once for each pool, and shown as a bar, in figures and in words. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { lookOf, notation, panelsOf } from "./game.js";
import { Glyph } from "./parts.js";
import { game, isGm, table } from "./store.js";
import { call } from "./wire.js";
import { say } from "./words.js";

const known = new Map();
const MOST_KEPT = 200;

/** Whether this seat may see odds at this table: a game whose pools alone say how likely they are has a panel for them. */
export function mayKnow() {
  return panelsOf("odds").length > 0 && (table.value?.options?.odds !== "gm" || isGm.value);
}

/** The odds of a pool, from the server or from before; null where there are none. */
export function oddsOf(pool) {
  const text = notation(pool);
  if (!text || !mayKnow()) return Promise.resolve(null);
  const key = `${game.value.key} ${text}`;
  if (!known.has(key)) {
    if (known.size > MOST_KEPT) known.clear();
    const asked = call("POST", "/api/odds", { system: game.value.key, pool: text }).then(read).catch(() => null);
    known.set(key, asked);
  }
  return known.get(key);
}

/** Odds as numbers: { first: chance of the first outcome, rest: [{ name, chance } or { name, mean }] }. */
function read(answer) {
  const names = Object.keys(answer.outcomes);
  const below = game.value?.axes?.below ?? {};
  const rest = answer.axes.slice(1).map((axis) => {
    if (!(axis in below)) return { name: axis, chance: fraction(answer.outcomes[axis]) };
    const mean = answer.mean ? fraction(answer.mean[axis]) : meanOf(answer, axis);
    return { name: mean < 0 ? below[axis] : axis, mean: Math.abs(mean) };
  });
  return { name: names[0], first: fraction(answer.outcomes[names[0]]), rest };
}

function meanOf(answer, axis) {
  const i = answer.axes.indexOf(axis);
  return answer.joint.reduce((sum, [place, chance]) => sum + place[i] * fraction(chance), 0);
}

/** "257/512" as a number. */
function fraction(text) {
  const [n, d = "1"] = String(text ?? "0").split("/");
  return Number(n) / Number(d);
}

/** The odds of a pool as they are known by now. */
export function useOdds(pool) {
  const [odds, set] = useState(null);
  const text = notation(pool);
  useEffect(() => {
    let current = true;
    oddsOf(pool).then((found) => current && set(found));
    return () => {
      current = false;
    };
  }, [text, table.value?.options?.odds]);
  return text ? odds : null;
}

/** A chance in whole percent; never 0 or 100 where it is not certain. */
export function percent(chance) {
  if (chance <= 0 || chance >= 1) return chance <= 0 ? "0" : "100";
  return String(Math.min(99, Math.max(1, Math.round(chance * 100))));
}

/** The bar, the figure, and the other axes. */
export function OddsBar({ pool, next }) {
  const odds = useOdds(pool);
  if (!odds) return null;
  const style = { "--part": odds.first.toFixed(3), "--part-next": (next?.first ?? 0).toFixed(3) };
  return html`<div class="odds" aria-label=${say("odds.label")} role="group">
    <p class="odds-words">
      <span class="odds-figure count">${say("odds.percent", { n: percent(odds.first) })}</span>
      <span class="quiet">${lookOf(odds.name).word.toLowerCase()}</span>
      <span class="odds-rest">${odds.rest.filter((one) => one.chance !== 0).map((one) => html`<${Part} ...${one} />`)}</span>
    </p>
    <div class="odds-bar" aria-hidden="true" style=${style}></div>
  </div>`;
}

function Part({ name, chance, mean }) {
  const look = lookOf(name);
  const value = mean === undefined ? say("odds.percent", { n: percent(chance) }) : mean.toFixed(1);
  const label = say(mean === undefined ? "odds.chance" : "odds.mean", { value, word: mean === undefined ? look.word : look.plural });
  return html`<span class="odds-part" role="img" aria-label=${label} title=${label}>
    ${look.glyph ? html`<${Glyph} name=${look.glyph} />` : look.word} <span class="count">${value}</span></span>`;
}
