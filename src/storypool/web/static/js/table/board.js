/**
 * A board as lists: places, with the people and things in each; a tap shows what can be done with
 * one.
 */

import { html, useState } from "../../vendor/preact.js";
import { panelsOf, people, plays, starts } from "../state/game.js";
import { marksOf } from "../characters/goals.js";
import { Offer } from "./offers.js";
import { useOpened } from "../ui/in-view.js";
import { Glyph, Person } from "../ui/parts.js";
import { check, game, isGm, table, the } from "../state/store.js";
import { listed, say } from "../state/words.js";

const traits = (kind) =>
  Object.values(table.value?.traits ?? {}).filter((trait) => trait.kind === kind);

/** Every board of the game that is not empty. */
export function Boards() {
  return panelsOf("board").map((panel) => html`<${Board} key=${panel.title} panel=${panel} />`);
}

function Board({ panel }) {
  const { binds } = panel;
  const places = traits(binds.place);
  if (!places.length) return null;
  const things = traits(binds.things);
  const where = Object.fromEntries(traits(binds.people).map((trait) => [trait.about, trait.at]));
  const known = new Set(places.map((place) => place.id));
  const at = (place) => ({
    people: people.value.filter((one) => (known.has(where[one.id]) ? where[one.id] : "") === place),
    things: things.filter((thing) => (known.has(thing.at) ? thing.at : "") === place),
  });
  const nowhere = at("");
  return html`
    <section class="board stack full measure" aria-label=${panel.title}>
      <h3 class="label">${panel.title}</h3>
      <ul class="places tiles">
        ${places.map((place) =>
          html`
            <li key=${place.id} class="card place snug">
              <${PlaceHead} place=${place} binds=${binds} />
              <${There} ...${at(place.id)} binds=${binds} words=${panel.words} />
            </li>
          `
        )}
        ${nowhere.people.length + nowhere.things.length > 0 && html`
          <li class="card place snug" data-nowhere="true">
            <h4 class="name quiet">${say("board.nowhere")}</h4>
            <${There} ...${nowhere} binds=${binds} words=${panel.words} />
          </li>
        `}
      </ul>
    </section>
  `;
}

function PlaceHead({ place, binds }) {
  const beside = [place.terms[binds.beside] ?? []].flat().map((id) => the(table).traits[id]?.text)
    .filter(Boolean);
  return html`
    <${Item}
      id=${place.id}
      name=${place.text}
      level=${4}
      moves=${starts(binds.here, place)}
      note=${beside.length ? say("board.beside", { places: listed(beside) }) : ""}
    />
  `;
}

function There({ people: who, things, binds, words }) {
  if (!who.length && !things.length) return html`<p class="fine quiet">${say("board.empty")}</p>`;
  const mine = (owner) => plays(owner) || (isGm.value && owner?.side === "gm") ? binds.own : [];
  const thing = (one, isBeside) => {
    const owner = the(table).characters[one.about];
    const note = [
      !isBeside && owner?.name,
      one.rating ? `${words.rating ?? ""} ${one.rating}` : "",
      ...flags(one, binds, words),
    ].filter(Boolean).join(" · ");
    return html`
      <li key=${one.id} data-owned=${isBeside ? "true" : undefined}>
        <${Item}
          id=${one.id}
          name=${one.text}
          note=${note}
          moves=${starts([...mine(owner), ...(binds.any ?? [])], one)}
        />
      </li>
    `;
  };
  return html`
    <ul class="there">
      ${who.map((one) =>
        html`
          <li key=${one.id}>
            <${Item}
              id=${one.id}
              name=${one.name}
              person=${one}
              note=${marksOf(one.id).join(" ")}
              marked=${marksOf(one.id).length > 0}
              moves=${starts([...mine(one), ...(binds.any ?? [])], one)}
            />
          </li>
          ${things.filter(({ about }) => about === one.id).map((own) => thing(own, true))}
        `
      )}
      ${things.filter(({ about }) => !who.some(({ id }) => id === about)).map((one) =>
        thing(one, false)
      )}
    </ul>
  `;
}

const flags = (thing, { flags = [] }, words) =>
  flags.filter((flag) => thing.terms[flag]).map((flag) => words[flag] ?? flag);

/** One place, person or thing; if something can be done with it, a button that opens the list. */
function Item({ id, name, note, person, marked, moves, level }) {
  const now = check.value?.id;
  const [opened, setOpened] = useState(/** @type {string | null} */ (null));
  // When another action opens, the move that was started here continues there; where one ends, what
  // was opened in it stays.
  const open = opened !== null && (!now || opened === now);
  // At once: an effect would come after the next tap, and take it back.
  if (opened !== null && !open) setOpened(null);
  const face = html`
    ${person &&
      html`<${Person} name=${person.name} side=${person.side === "gm" ? "gm" : "player"} />`}
    <span class="grow">
      <span class=${level ? "name" : ""}>${name}</span>
      ${note &&
        html`<span class=${marked ? "fine block marked" : "fine block quiet"}>${note}</span>`}
    </span>
  `;
  // What an offer would do now may name another one: here the person or thing is chosen.
  const title = (offer) => level ? offer.title : the(game).titles[offer.key] ?? offer.title;
  const tools = `board-${id}`;
  const place = useOpened(open && moves.length > 0);
  const head = moves.length
    ? html`
      <button
        type="button"
        class="board-item row full target"
        aria-expanded=${String(open)}
        aria-controls=${tools}
        onClick=${() => setOpened(open ? null : (now ?? ""))}
      >
        ${face}
        <${Glyph} name="chevron" size="16" />
      </button>
    `
    : html`<div class="board-item row full target">${face}</div>`;
  return html`
    ${level ? html`<h4 class="place-name ruled">${head}</h4>` : head}
    <div
      class="offers board-offers stack gap-2"
      id=${tools}
      ref=${place}
      hidden=${!open || !moves.length}
    >
      ${open &&
        moves.map(({ offer, given }) =>
          html`
            <${Offer}
              key=${offer.key + Object.keys(given)}
              offer=${{ ...offer, title: `${title(offer)}: ${name}` }}
              title=${title(offer)}
              given=${given}
            />
          `
        )}
    </div>
  `;
}
