/** The cards of characters, and the view that has them all: few visits open one at once. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { isForSide, isRank, ordered, panelsOf, people, plays, ranksOf } from "../state/game.js";
import { byKey, game, isGm, make, table, the } from "../state/store.js";
import { say } from "../state/words.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Fold, Glyph, IconButton, Person } from "../ui/parts.js";
import { confirmed } from "../ui/sheet.js";
import { Boxes, kindOf } from "./boxes.js";
import { goalKinds, GoalsOf } from "./goals.js";
import { Slots } from "./in-a-fight.js";
import { LivingSheet, openCharacter, Papers, Show, Tracks } from "./people.js";
import { isBare, Tap, uses } from "./taps.js";
import { truths, wordKinds, WordMoves, Words } from "./traits.js";

const SheetEditor = drawnLater(
  (again) => import(`./living-sheet.js${again}`).then((made) => made.SheetEditor),
);

/** An open sheet: the card of a character, or the editor of it. */
export function OpenedCharacter({ id, isEdited, close }) {
  const one = people.value.find((found) => found.id === id);
  const [editing, setEditing] = useState(isEdited);
  useEffect(() => void (one || close()), [!one]);
  if (!one) return null;
  return editing
    ? html`<${SheetEditor} one=${one} done=${isEdited ? close : () => setEditing(false)} />`
    : html`<${CharacterCard} one=${one} isAlone=${true} edit=${() => setEditing(true)} />`;
}

/**
 * All characters in the story, the players' first, then the game master's, and other true
 * statements; `addOne` asks for one more.
 */
export function People({ addOne }) {
  const heroes = people.value.filter((one) => one.side === "players");
  const others = people.value.filter((one) => one.side !== "players");
  const add = byKey.value["character.add"];
  return html`
    <div class="people stack">
      ${ordered.value && html`<${Slots} whole />`}
      ${heroes.length > 0 && html`<h3 class="label">${say("people.players")}</h3>`}
      ${heroes.map((one) => html`<${CharacterCard} key=${one.id} one=${one} />`)}
      ${others.length > 0 && html`<h3 class="label">${say("people.gm")}</h3>`}
      ${others.map((one) => html`<${CharacterCard} key=${one.id} one=${one} />`)}
      ${!people.value.length && html`<p class="quiet">${say("people.none")}</p>`}
      ${add && !add.closed && html`
        <button type="button" class="button" onClick=${() => addOne(add)}>
          <${Glyph} name="plus" />
          ${add.title}
        </button>
      `}
      <${Truths} />
      <${Papers} />
    </div>
  `;
}

/**
 * A character as a card: its tracks, boxes, statements and numbers, which are folded among other
 * cards.
 */
function CharacterCard(
  { one, isAlone = false, edit = () => openCharacter(one, true) },
) {
  const level = isAlone ? "h3" : "h4";
  const seat = the(table).seats[one.seat];
  const mayChange = isGm.value || plays(one);
  const waiting = traitsOf(one);
  const numbers = hasNumbers(one) &&
    html`<${LivingSheet} one=${one} level=${isAlone ? 4 : 6} />`;
  return html`
    <article class="card person-card stack gap-2" data-mine=${String(plays(one))}>
      <header class="row">
        <${Person} name=${one.name} side=${one.side === "gm" ? "gm" : "player"} />
        <div class="grow">
          <${level} class="name">${one.name}<//>
          <p class="fine quiet">
            ${ranksOf(one).map((rank) => `${rank} · `)}
            ${one.seen_by
              ? say("people.hidden")
              : seat
              ? (plays(one)
                ? say("people.yours")
                : say(seat.here ? "people.playedBy" : "people.left", { who: seat.name }))
              : say("people.nobodys")}
          </p>
        </div>
        ${mayChange && html`<${Tools} one=${one} edit=${edit} />`}
      </header>
      <${Tracks} one=${one} />
      <${Boxes} one=${one} />
      <${GoalsOf} who=${one.id} />
      ${isAlone && numbers}
      ${mayChange && one.side === "players" && isBare(one) && html`
        <button type="button" class="button" onClick=${edit}>
          <${Glyph} name="pencil" />
          ${say("sheet.fill")}
        </button>
      `}
      ${waiting.length > 0 && html`
        <ul class="traits stack gap-1">
          ${waiting.map((trait) =>
            html`
              <li
                key=${trait.id}
                class="trait small told"
                data-kind=${trait.kind}
                data-tone=${toneOf(trait)}
              >
                <${Tap} roll=${uses.value[trait.id]} label=${trait.text}>${trait.text}<//>
              </li>
            `
          )}
        </ul>
      `}
      <${Words} one=${one} />
      ${isAlone && mayChange && html`<${WordMoves} one=${one} />`}
      ${!isAlone && numbers && html`
        <${Fold} title=${say("people.numbers")} level=${5}>${numbers}<//>
      `}
      ${isAlone && html`<${Papers} about=${one.id} />`}
      ${mayChange && html`<${Leave} one=${one} />`}
    </article>
  `;
}

/** Whether the sheet has a number, or words of an entry: a game's own notes are neither. */
const hasNumbers = (one) =>
  Object.entries(one.sheet).some(([key, n]) =>
    (typeof n === "number" && !isRank(one, key)) ||
    (n && the(game).sheet.some((entry) => entry.key === key && entry.text))
  );

/** How a new truth about a character is felt: good, bad, or not at all. */
const toneOf = (trait) =>
  panelsOf("moment").find(({ binds }) => binds.traits?.includes(trait.kind))?.binds.tone;

function traitsOf(one) {
  const drawn = ["slot", ...panelsOf("boxes").map(kindOf), ...goalKinds(), ...wordKinds()];
  return Object.values(the(table).traits).filter((trait) =>
    trait.text && !drawn.includes(trait.kind) &&
    (trait.about === one.id || (trait.kind === "promise" && isForSide(trait, one)))
  );
}

function Tools({ one, edit }) {
  const set = byKey.value["character.set"];
  const give = byKey.value["character.give"];
  return html`
    <div class="row">
      ${set && !set.closed && html`
        <button
          type="button"
          class="button"
          data-kind="plain"
          aria-label=${say("sheet.editOf", { who: one.name })}
          onClick=${edit}
        >
          <${Glyph} name="pencil" />
          ${say("sheet.edit")}
        </button>
      `}
      <${Show} one=${one} />
      ${give && !give.closed && html`
        <${IconButton}
          glyph="player"
          label=${`${give.title}: ${one.name}`}
          onTap=${() => openMove(give, { given: { who: one.id } })}
        />
      `}
    </div>
  `;
}

/**
 * Takes a character out of the story: at the end of the card, far from what closes a sheet, by
 * name, and asked once more.
 */
function Leave({ one }) {
  const offer = byKey.value["character.leave"];
  if (!offer || offer.closed) return null;
  const title = say("people.remove", { who: one.name });
  const remove = async () =>
    (await confirmed(
      title,
      [say("people.removeSure", { who: one.name }), offer.ends].filter(Boolean).join(" "),
      title,
    )) && make(offer.key, { who: one.id }, { title });
  return html`
    <button type="button" class="button" data-kind="plain" onClick=${remove}>${title}</button>
  `;
}

/** All that is true and about no character here, to be struck out. */
function Truths() {
  const found = truths();
  const strike = byKey.value["trait.remove"];
  if (!found.length) return null;
  return html`
    <h3 class="label">${say("people.truths")}</h3>
    <ul class="traits stack gap-1">
      ${found.map((trait) =>
        html`
          <li key=${trait.id} class="trait row small told">
            <span class="grow">${trait.text}</span>
            ${strike && !strike.closed && (trait.by || trait.about) && html`
              <button
                type="button"
                class="button"
                data-kind="icon"
                aria-label=${`${strike.title}: ${trait.text}`}
                title=${strike.title}
                onClick=${() => make("trait.remove", { id: trait.id }, { title: strike.title })}
              >
                <${Glyph} name="cross" />
              </button>
            `}
          </li>
        `
      )}
    </ul>
  `;
}
