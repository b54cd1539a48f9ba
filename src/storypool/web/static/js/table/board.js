/**
 * A board: places, with the people and things in each. A tap shows what can be done with one; its
 * grip moves it to another place, dragged or with two taps.
 */

import { html, signal, useEffect, useRef, useState } from "../../vendor/preact.js";
import { makeOrAsk } from "../forms/making.js";
import { panelsOf, people, plays, starts } from "../state/game.js";
import { marksOf } from "../characters/goals.js";
import { Offer } from "./offers.js";
import { useOpened } from "../ui/in-view.js";
import { addStyles } from "../ui/motion.js";
import { Button, Glyph, Person } from "../ui/parts.js";
import { byKey, check, game, isGm, preview, table, the } from "../state/store.js";
import { listed, say } from "../state/words.js";

addStyles("board.css");

/** How far a finger moves before it drags, in CSS pixels. */
const DRAGS = 8;

/**
 * What is held: `{ id, name, offer, given, place, reach, dragged }`. `place` is the question for
 * the place; `reach` has for each place its answer, or why it cannot be reached, once the server
 * has answered. While it is dragged nothing moves below it: places are lit, without words.
 */
const held = signal(/** @type {any} */ (null));

const traits = (kind) =>
  Object.values(table.value?.traits ?? {}).filter((trait) => trait.kind === kind);

/** The moves of `MOVE QUESTION PLACE-QUESTION` that can begin with this, and are open. */
const drags = (named, one) =>
  named.flatMap((text) => {
    const place = text.split(" ")[2];
    return starts([text], one).filter(({ offer }) => !offer.closed)
      .map((start) => ({ ...start, place }));
  });

/** Hold a person or thing; the server says which places it reaches, and why not the others. */
async function hold(id, name, { offer, given, place }, places, dragged) {
  held.value = { id, name, offer, given, place, reach: {}, dragged };
  const asked = await preview(offer.key, given, false).catch(() => null);
  const choices = asked?.offer.asks?.find((one) => one.name === place)?.choices ?? [];
  const answers = await Promise.all(places.map(async (one) => {
    const choice = choices.find(({ value }) => value === one.id || value === one.text);
    if (!choice) return [one.id, { why: "" }];
    const there = await preview(offer.key, { ...given, [place]: choice.value }, false)
      .catch(() => null);
    const why = there?.refused?.field === place ? there.refused : null;
    return [one.id, why ? { why: `${why.text} ${why.remedy}`.trim() } : { answer: choice.value }];
  }));
  if (held.value?.id === id) held.value = { ...held.value, reach: Object.fromEntries(answers) };
}

/** What is known once the server has answered about what is held. */
let known = Promise.resolve();

/** Put what is held at a place: the move is made, or asks for what is left to choose. */
async function drop(id) {
  await known;
  const one = held.value;
  const answer = one?.reach[id]?.answer;
  if (!one) return;
  if (answer === undefined) {
    // The places then say why.
    held.value = id ? { ...one, dragged: false } : null;
    return;
  }
  held.value = null;
  await makeOrAsk(one.offer, { ...one.given, [one.place]: answer }, one.offer.title, true);
}

/**
 * The range of each place by its id, from that of a person: of what is held, else of one's own
 * character. `{}` without one, and on a board without ranges.
 */
function rangesFrom({ binds, words }, where) {
  const who = held.value ?? people.value.find((one) => plays(one) && where[one.id]);
  const found = {}, { bands } = binds;
  let ring = bands && who && where[who.id] ? [where[who.id]] : [];
  for (let n = 0; ring.length; n += 1) {
    const band = words[bands[Math.min(n, bands.length - 1)]];
    for (const place of ring) found[place] = say("board.range", { band, name: who.name });
    const next = ring.flatMap((place) => the(table).traits[place]?.terms[binds.beside] ?? []);
    ring = [...new Set(next)].filter((place) => !(place in found));
  }
  return found;
}

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
  const ranges = rangesFrom(panel, where);
  // What puts everybody at once begins with nobody.
  const all = (binds.puts ?? []).map((text) => byKey.value[text])
    .filter((offer) => offer && !offer.closed);
  useEffect(() => {
    const escape = (event) => event.key === "Escape" && (held.value = null);
    addEventListener("keydown", escape);
    return () => {
      removeEventListener("keydown", escape);
      held.value = null;
    };
  }, []);
  return html`
    <section class="board stack full measure" aria-label=${panel.title}>
      <h3 class="label">${panel.title}</h3>
      <ul class="places tiles">
        ${places.map((place) =>
          html`
            <${Place} key=${place.id} place=${place} binds=${binds} range=${ranges[place.id]}>
              <${There}
                ...${at(place.id)}
                places=${places}
                binds=${binds}
                moved=${binds.drags}
                words=${panel.words}
              />
              <//>
          `
        )}
        ${nowhere.people.length + nowhere.things.length > 0 && html`
          <li class="card place snug" data-nowhere="true">
            <h4 class="name quiet">${say("board.nowhere")}</h4>
            ${all.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} />`)}
            <${There}
              ...${nowhere}
              places=${places}
              binds=${binds}
              moved=${binds.puts}
              words=${panel.words}
            />
          </li>
        `}
      </ul>
      <p class="visually-hidden" role="status">
        ${held.value && say("board.held", { name: held.value.name })}
      </p>
    </section>
  `;
}

/** A place; while something is held, it says whether that can be put here. */
function Place({ place, binds, range, children }) {
  const reach = held.value?.reach[place.id];
  const can = reach?.answer !== undefined;
  return html`
    <li
      class="card place snug"
      data-place=${place.id}
      data-reach=${reach ? (can ? "yes" : "no") : undefined}
    >
      <${PlaceHead} place=${place} binds=${binds} range=${range} />
      ${can && !held.value.dragged && html`
        <${Button} onTap=${() => drop(place.id)}>
          ${say("board.here", { name: held.value.name })}
        <//>
      `}
      ${reach?.why && !held.value.dragged && html`<p class="place-why fine">${reach.why}</p>`}
      ${children}
    </li>
  `;
}

function PlaceHead({ place, binds, range }) {
  const beside = [place.terms[binds.beside] ?? []].flat().map((id) => the(table).traits[id]?.text)
    .filter(Boolean);
  return html`
    <${Item}
      id=${place.id}
      name=${place.text}
      level=${4}
      moves=${starts(binds.here, place)}
      note=${[beside.length > 0 && say("board.beside", { places: listed(beside) }), range]
        .filter(Boolean).join(" · ")}
    />
  `;
}

function There({ people: who, things, places, binds, moved, words }) {
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
          grip=${drags(moved, one)[0]}
          places=${places}
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
              grip=${drags(moved, one)[0]}
              places=${places}
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
function Item({ id, name, note, person, marked, moves, level, grip, places }) {
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
    ${level ? html`<h4 class="place-name ruled">${head}</h4>` : grip
      ? html`
        <div class="board-row">
          ${head}
          <${Grip} id=${id} name=${name} grip=${grip} places=${places} />
        </div>
      `
      : head}
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

/**
 * The grip of a person or thing: dragged to a place, or tapped and then put there by the button of
 * the place. A second tap or the escape key puts it back.
 */
function Grip({ id, name, grip, places }) {
  const drag = useRef(/** @type {any} */ (null));
  const [at, setAt] = useState(/** @type {{ x: number, y: number } | null} */ (null));
  const isHeld = held.value?.id === id;
  const placeBelow = ({ clientX, clientY }) => /** @type {HTMLElement | null} */
  (document.elementFromPoint(clientX, clientY)?.closest("[data-place]") ?? null);
  const over = (place) => {
    for (const one of document.querySelectorAll("[data-over]")) one.removeAttribute("data-over");
    if (place?.dataset.reach === "yes") place.dataset.over = "true";
  };
  const end = () => {
    drag.current = null;
    setAt(null);
    over(null);
  };
  return html`
    <button
      type="button"
      class="grip"
      aria-label=${say("board.move", { name })}
      aria-pressed=${String(isHeld)}
      onPointerDown=${(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY, moves: false };
      }}
      onPointerMove=${(event) => {
        const from = drag.current;
        if (!from) return;
        const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAGS;
        if (!from.moves && far) {
          from.moves = true;
          known = hold(id, name, grip, places, true);
        }
        if (from.moves) {
          setAt({ x: event.clientX, y: event.clientY });
          over(placeBelow(event));
        }
      }}
      onPointerUp=${(event) => {
        const wasDragged = drag.current?.moves;
        const dropped = placeBelow(event)?.dataset.place ?? "";
        setAt(null);
        over(null);
        // The click that follows a drag is none.
        drag.current = wasDragged ? { done: true } : null;
        if (wasDragged) void drop(dropped);
      }}
      onPointerCancel=${end}
      onClick=${() => {
        const wasDragged = drag.current?.done;
        end();
        if (wasDragged) return;
        if (isHeld) held.value = null;
        else known = hold(id, name, grip, places, false);
      }}
    >
      <${Glyph} name="grip" size="20" />
    </button>
    ${at && html`
      <div class="board-ghost" style=${{ transform: `translate(${at.x + 12}px, ${at.y + 12}px)` }}>
        ${name}
      </div>
    `}
  `;
}
