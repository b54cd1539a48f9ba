/**
 * Strips: a character in one line, with its balances, its tracks, and what it carries to the next
 * roll. A tap opens the sheet.
 */

import { html, useEffect, useRef } from "../../vendor/preact.js";
import { isForSide, mostOf, panelsOf, people, plays } from "../state/game.js";
import { lookOf } from "../state/looks.js";
import { calm } from "../ui/motion.js";
import { Glyph, Person } from "../ui/parts.js";
import { buzz } from "../ui/sound.js";
import { marksOf, tracksOf } from "./goals.js";
import { listedOf } from "./lists.js";
import { BoxCounts, boxesOf } from "./boxes.js";
import { Hand } from "./in-a-fight.js";
import { amount, openCharacter, over } from "./people.js";
import { isBare } from "./taps.js";
import { check, game, me, table, the } from "../state/store.js";
import { capital, say } from "../state/words.js";

/** The strip of each character that this seat plays, above the dock, with its `hands` if asked. */
export function Mine({ hands }) {
  if (me.value?.side !== "player") return null;
  const own = people.value.filter(plays);
  return own.length > 0 &&
    html`
      <div class="mine">
        ${own.map((one) =>
          html`
            <${Strip} key=${one.id} one=${one} />
            ${hands && html`<${Hand} one=${one} />`}
          `
        )}
      </div>
    `;
}

/** The strips of the whole party, for a wide screen of a seat that plays none of them. */
export function Party() {
  const party = people.value.filter((one) => one.side === "players");
  return party.length > 0 && html`
    <section class="party stack" aria-label=${say("party.title")}>
      <h3 class="label">${say("party.title")}</h3>
      ${party.map((one) => html`<${Strip} key=${one.id} one=${one} />`)}
    </section>
  `;
}

function Strip({ one }) {
  const carried = carriedBy(one);
  const place = useStruck(hurtOf(one), plays(one));
  return html`
    <button
      type="button"
      ref=${place}
      class="strip card cluster full small lines-0 target"
      data-character=${one.id}
      onClick=${() => openCharacter(one)}
    >
      <${Person} name=${one.name} side="player" size="small" />
      <span class="strip-name strong one-line grow">${one.name}</span>
      <span class="strip-points cluster gap-3 lines-0">
        <${Counts} one=${one} />
        ${isBare(one) && html`<span class="fine quiet">${say("sheet.none")}</span>`}
      </span>
      ${carried.length > 0 &&
        html`<span class="strip-carried fine quiet">${carried.join(" · ")}</span>`}
    </button>
  `;
}

/** What a character is marked with, has for now, and carries to its next roll, in words. */
export function carriedBy(one) {
  // An injury lasts, and brings a die: it is one trait.
  const carried = new Set([...listedOf(one.id), ...promises(one)]);
  const texts = [...carried].map((trait) => trait.text);
  return [
    ...marksOf(one.id),
    ...[...new Set(texts)].map((what) => {
      const n = texts.filter((text) => text === what).length;
      return n > 1 ? say("party.times", { what, n }) : what;
    }),
  ];
}

/**
 * Every balance, track and box of a character; `brief` ones have a sign in place of a word, and
 * nothing says nothing.
 */
export function Counts({ one, brief = false }) {
  const isAlarm = panelsOf("tracks")[0]?.binds.tone === "bad";
  const shown = points(one).filter(({ n, most }) =>
    !brief || n || (most && (isAlarm || one.side === "players"))
  );
  return html`
    ${shown.map(({ name, n, most, over, glyph }) =>
      html`
        <span
          key=${name}
          class="strip-point inline"
          data-over=${String(over)}
          title=${lookOf(name).plural}
        >
          ${glyph && html`<${Glyph} name=${glyph} size="16" />`}
          <span class=${brief && glyph ? "visually-hidden" : "fine"}>
            ${capital(lookOf(name).plural)}
          </span>
          ${" "}
          <span class="count">${amount(n, most)}</span>
        </span>
      `
    )}
    ${tracksOf(one.id).map(({ title, n, most }) =>
      html`
        <span key=${title} class="strip-point inline" title=${title}>
          <span class="fine">${title}</span>
          ${" "}
          <span class="count">${say("track.of", { n, most })}</span>
        </span>
      `
    )}
    <${BoxCounts} one=${one} />
  `;
}

/** How hurt a character is: what alarms, and its tracks and boxes. */
export function hurtOf(one) {
  const alarms = panelsOf("tracks")[0]?.binds.tone === "bad" ? points(one) : [];
  const boxes = boxesOf(one).map(({ checked }) => checked.size);
  return [...[...alarms, ...tracksOf(one.id)].map(({ n }) => n), ...boxes].reduce(
    (sum, n) => sum + n,
    0,
  );
}

/**
 * The balances of a character, each with how much is full, and with its sign if no other has it,
 * but for points that can never come up.
 */
function points(one) {
  const accounts = (the(game).accounts ?? []).filter((account) => account.each === "character");
  const tracked = panelsOf("tracks")[0]?.binds;
  const shown = accounts.filter((account) =>
    the(table).points[`${one.id}.${account.name}`] || mostOf(account, one.id) !== 0
  );
  const glyphs = shown.map(({ name }) => lookOf(name).glyph);
  return shown.map((account) => {
    const { name } = account;
    const most = one.sheet[tracked?.full?.[tracked.accounts.indexOf(name)] ?? ""] ??
      mostOf(account, one.id);
    const n = the(table).points[`${one.id}.${name}`] ?? 0;
    const { glyph } = lookOf(name);
    const isAlone = glyphs.filter((other) => other === glyph).length === 1;
    return { name, n, most, over: over(n, most), glyph: isAlone ? glyph : "" };
  });
}

/**
 * What waits for the next roll of a character: its own promises, and those to its side, but for
 * those that are in the pool already.
 */
function promises(one) {
  const pooled = new Set(check.value?.mods.map((mod) => mod.promise));
  return Object.values(the(table).traits).filter((trait) =>
    trait.mods.length > 0 && trait.text && !pooled.has(trait.id) &&
    (trait.about === one.id || isForSide(trait, one))
  );
}

/** For so many milliseconds the device buzzes, where it may, when one's own character is hit. */
const HIT = 60;

/**
 * A ref for an element that is struck for a moment when this number rises; the device buzzes too
 * for one's `own`.
 */
export function useStruck(hurt, own = false) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(hurt);
  useEffect(() => {
    if (hurt > before.current && !calm()) {
      if (own) buzz(HIT);
      place.current?.animate([{ transform: "translateX(-6px)" }, { transform: "translateX(6px)" }, {
        transform: "none",
      }], { duration: 120, iterations: 3 });
    }
    before.current = hurt;
  }, [hurt]);
  return place;
}
