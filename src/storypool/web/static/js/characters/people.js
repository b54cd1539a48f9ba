/** The characters: their numbers, their tracks, and their other traits. */

import { html, useEffect, useState } from "../../vendor/preact.js";

import { openMove } from "../forms/move-form.js";
import { byKey, game, isGm, make, table, the } from "../state/store.js";
import {
  isForSide,
  isRank,
  mostOf,
  ordered,
  panelsOf,
  people,
  plays,
  ranksOf,
} from "../state/game.js";
import { lookOf } from "../state/looks.js";
import { goalKinds, GoalsOf } from "./goals.js";

import { Filled, Fold, Glyph, IconButton, Person } from "../ui/parts.js";
import { drawnLater } from "../ui/drawn-later.js";
import { confirmed, openSheet } from "../ui/sheet.js";
import { truths, wordKinds, WordMoves, Words } from "./traits.js";
import { capital, say } from "../state/words.js";
import { isBare, Tap, uses } from "./taps.js";
import { Boxes, kindOf, MOST_BOXES } from "./boxes.js";
import { Slots } from "./in-a-fight.js";

/** The numbers of a character with their rolls, and their editor: few visits open them. */
export const LivingSheet = drawnLater(
  (again) => import(`./living-sheet.js${again}`).then((made) => made.LivingSheet),
);
const SheetEditor = drawnLater(
  (again) => import(`./living-sheet.js${again}`).then((made) => made.SheetEditor),
);

/** What this reader has noted or was handed, of a character or of the scene where one is named. */
export const Papers = drawnLater(
  (again) => import(`./papers.js${again}`).then((made) => made.Papers),
);

/** Open the sheet of a character, to read or at once to edit; it closes when they leave. */
export function openCharacter({ id, name }, isEdited = false) {
  openSheet(
    name,
    (close) => html`<${OpenedCharacter} id=${id} isEdited=${isEdited} close=${close} />`,
  );
}

function OpenedCharacter({ id, isEdited, close }) {
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
export function CharacterCard(
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

/** The button that shows a hidden character to the players at once, and else asks what of it. */
export function Show({ one }) {
  const offer = byKey.value["character.show"];
  const isUnread = one.sheet_seen_by && (
    Object.keys(one.sheet).some((key) => !one.shown.includes(key)) ||
    Object.values(the(table).traits).some((trait) => trait.about === one.id && trait.sheet_seen_by)
  );
  if (!offer || offer.closed || !(one.seen_by || isUnread)) return null;
  const given = { who: one.id }, title = `${offer.title}: ${one.name}`;
  const tap = () => one.seen_by ? make(offer.key, given, { title }) : openMove(offer, { given });
  return html`<${IconButton} glyph="secret" label=${title} data-move=${offer.key} onTap=${tap} />`;
}

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

/** Whether there is more of a balance than is full, where that is an alarm. */
export const over = (n, most) => n > (most ?? n) && panelsOf("tracks")[0]?.binds.tone === "bad";

/** A balance in words: of how much, unless it may well be more. */
export const amount = (n, most) =>
  most === undefined || (n > most && !over(n, most)) ? n : say("track.of", { n, most });

/** The tracks of a character. */
export function Tracks({ one }) {
  const panel = panelsOf("tracks")[0];
  const known = the(game).accounts;
  const accounts = panel?.binds.accounts ??
    known.filter((account) => account.each === "character").map((account) => account.name);
  return html`
    <ul class="tracks cluster gap-4 lines-1">
      ${accounts.map((name, i) => {
        const own = known.find((account) => account.name === name) ?? { name, most: null };
        const full = one.sheet[panel?.binds.full?.[i] ?? ""];
        return html`
          <${Track} key=${name} one=${one} account=${own} full=${full}
            panel=${panel} />
        `;
      })}
    </ul>
  `;
}

/** A track: how full it is, and buttons for one step either way if this seat may take it. */
function Track({ one, account, full, panel }) {
  const { name } = account;
  const look = lookOf(name);
  const n = the(table).points[`${one.id}.${name}`] ?? 0;
  const cap = mostOf(account, one.id);
  const most = full ?? cap;
  const step = (key) => {
    const offer = byKey.value[key];
    return offer && !offer.closed && (isGm.value || plays(one)) &&
      (() => make(key, { who: one.id, track: name, by: 1 }, { title: offer.title }));
  };
  const [less, more] = [step(panel?.binds.down), step(panel?.binds.up)];
  // Of a character of the GM's only what they have is shown, and what can fill or be changed. A cap
  // that is worked out is there for all, also for who never has such points.
  const fills = (full ?? account.most ?? undefined) !== undefined;
  if (one.side === "gm" && !n && !fills && !less && !more) return null;
  // Points that the options of the table leave out.
  if (!n && cap === 0) return null;
  return html`
    <li class="track row" data-over=${String(over(n, most))}>
      <span class="track-name inline quiet small">
        ${look.glyph && html`<${Glyph} name=${look.glyph} />`}
        ${capital(look.plural)}
      </span>
      ${panel?.binds.drawn && most > 0 && most <= MOST_BOXES &&
        html`
          <${Filled}
            n=${n}
            most=${most}
            drawn=${panel.binds.drawn}
            label=${`${look.plural}: ${amount(n, most)}`}
          />
        `}
      ${less || more
        ? html`
          <${TrackDial} n=${n} most=${most} less=${less} more=${more} what=${look.plural}
            who=${one.name} />
        `
        : html`<strong class="count">${amount(n, most)}</strong>`}
    </li>
  `;
}

/** The balance of a track between the buttons for a step. */
function TrackDial({ n, most, less, more, what, who }) {
  return html`
    <span class="dial" role="group" aria-label=${what}>
      ${less && html`
        <button
          type="button"
          aria-label=${say("track.less", { what, who })}
          aria-disabled=${n ? undefined : "true"}
          onClick=${() => n && less()}
        >
          <${Glyph} name="minus" />
        </button>
      `}
      <output class="count">${amount(n, most)}</output>
      ${more && html`
        <button
          type="button"
          aria-label=${say("track.more", { what, who })}
          onClick=${more}
        >
          <${Glyph} name="plus" />
        </button>
      `}
    </span>
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
