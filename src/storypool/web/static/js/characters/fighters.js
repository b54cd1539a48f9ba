/** The characters of a fight, a row each, in sight beside the action of a large screen. */

import { html } from "../../vendor/preact.js";
import { makeOrOpen } from "../forms/making.js";
import { idsOut, isAskedFor, panelsOf, people, plays, primaryOffer } from "../state/game.js";
import { isGm, table, the } from "../state/store.js";
import { initial, oneOf, say } from "../state/words.js";
import { Glyph, Portrait } from "../ui/parts.js";
import { openCharacter } from "./people.js";
import { carriedBy, Counts, hurtOf, useStruck } from "./strips.js";

/** Everybody in the story: the players' characters in one list, the game master's in the other. */
export function Fighters() {
  const turns = turnsByCharacter();
  const [heroes, others] = [true, false].map((ours) =>
    people.value.filter((one) => (one.side === "players") === ours)
  );
  return html`
    <div class="fighters">
      <${Side} title=${say("party.title")} list=${heroes} turns=${turns} />
      <${Side} title=${say("people.gm")} list=${others} turns=${turns} />
    </div>
  `;
}

/** What the order of turns says of each character: "now", "acted", "out", or nothing. */
function turnsByCharacter() {
  const traits = Object.values(the(table).traits);
  /** @type {Record<string, "now" | "acted" | "out">} */
  const found = {};
  for (const { binds } of panelsOf("slots")) {
    for (const { kind, at, terms } of traits) {
      const who = terms?.who;
      if (kind === binds.trait && who) {
        if (at === "now") found[who] = "now";
        else if (terms[binds.acted ?? "acted"]) found[who] = "acted";
      }
    }
  }
  for (const who of idsOut()) found[who] = "out";
  return found;
}

function Side({ title, list, turns }) {
  return list.length > 0 && html`
    <section class="stack gap-1" aria-label=${title}>
      <h3 class="label">${title}</h3>
      <ul class="stack gap-1">
        ${list.map((one) =>
          html`<${Fighter} key=${one.id} one=${one} turn=${turns[one.id] ?? ""} />`
        )}
      </ul>
    </section>
  `;
}

/**
 * A character: who it is, how hurt, where it stands and what it carries, and its turn. A tap
 * acts with it where that is this seat's next step, else it opens the card, as its portrait does.
 */
function Fighter({ one, turn }) {
  const place = useStruck(hurtOf(one), plays(one));
  const open = () => openCharacter(one);
  const act = actionOf(one);
  const notes = [placeOf(one), ...carriedBy(one)].filter(Boolean).join(" · ");
  const what = html`
    <span class="small strong one-line">${one.name}</span>
    <span class="fighter-notes fine lines-0" title=${notes}>
      <${Counts} one=${one} brief />
      <span class="quiet one-line">${notes}</span>
    </span>
  `;
  const sign = { now: "turn", acted: "check", out: "cross" }[turn];
  return html`
    <li class="fighter card" data-character=${one.id} data-turn=${turn} ref=${place}>
      <button
        type="button"
        class="fighter-face"
        aria-label=${say("fighters.card", { who: one.name })}
        onClick=${open}
      >
        <span class="person" data-side=${one.side === "gm" ? "gm" : "player"} data-size="small">
          <${Portrait} name=${one.name}>${initial(one.name)}<//>
        </span>
      </button>
      <button
        type="button"
        class="fighter-row stack gap-0"
        title=${act ? `${act.title}: ${one.name}` : one.name}
        onClick=${act ? () => makeOrOpen(act, { given: { as: one.id } }) : open}
      >
        ${what}
      </button>
      ${sign && html`<${Glyph} name=${sign} size="16" label=${oneOf("slots", turn)} />`}
    </li>
  `;
}

/** The next step of this seat where it can be taken with a character, or null. */
function actionOf(one) {
  const offer = primaryOffer.value;
  const own = plays(one) || (isGm.value && one.side === "gm");
  return own && offer && isAskedFor(offer, "as") ? offer : null;
}

/** The name of the place where a character stands, or "". */
function placeOf(one) {
  const traits = the(table).traits;
  for (const { binds } of panelsOf("board")) {
    const stands = Object.values(traits).find((trait) =>
      trait.kind === binds.people && trait.about === one.id
    );
    if (stands) return traits[stands.at]?.text ?? "";
  }
  return "";
}
