/**
 * The scene of a game master in one place: what is read aloud, what may be tried, what is still
 * open, and the people, each with what can be done about it. It is loaded when it is first drawn.
 */

import { html, useState } from "../../vendor/preact.js";
import { Boxes } from "../characters/boxes.js";
import { Goals } from "../characters/goals.js";
import { Tracks as Courses } from "../characters/in-a-fight.js";
import { openCharacter, Papers, Show, Tracks } from "../characters/people.js";
import { carriedBy } from "../characters/strips.js";
import { truths } from "../characters/traits.js";
import { openMove } from "../forms/move-form.js";
import { idsOut, ordered, people, ranksOf } from "../state/game.js";
import { eventOf } from "../state/record-events.js";
import { byKey, make, table, the } from "../state/store.js";
import { say } from "../state/words.js";
import { isolated } from "../ui/bidi.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Button, IconButton, Person } from "../ui/parts.js";

const Encounters = drawnLater(
  (again) => import(`../characters/papers.js${again}`).then((made) => made.Encounters),
);

const open = (key) => {
  const offer = byKey.value[key];
  return offer && !offer.closed && !offer.empty ? offer : null;
};
const statements = (kind) => Object.values(the(table).traits).filter((one) => one.kind === kind);

/**
 * The scene with the records that are read aloud as it begins: `beside` the action what is not in
 * the middle of the table, else all of it.
 */
export function ScenePage({ beside, aloud }) {
  return html`
    <div class="scene-page stack">
      ${!beside && html`<${Aloud} texts=${aloud} />`}
      <${Part} title=${say("scene.tries")} add="try.add">
        ${statements("try").map((one) => html`<${Try} key=${one.id} one=${one} />`)}
      <//>
      <${Part} title=${say("scene.questions")} add="question.add">
        ${statements("question").map((one) => html`<${Question} key=${one.id} one=${one} />`)}
      <//>
      ${!(beside && ordered.value) && html`<${ScenePeople} />`}
      <${Part} title=${say("facts.title")} add=${beside ? "" : "trait.set"}>
        ${truths().filter(({ kind }) => kind !== "question").map((one) =>
          html`<${Statement} key=${one.id} one=${one} />`
        )}
      <//>
      <${Papers} scene=${the(table).periods.scene} />
      ${!beside && html`
        <${Courses} />
        <${Goals} />
      `}
    </div>
  `;
}

/** What is read aloud as the scene begins. */
function Aloud({ texts }) {
  return texts.length > 0 && html`
    <section class="aloud card stack gap-2">
      <h3 class="label">${say("opening.title")}</h3>
      ${texts.map((record) =>
        html`<p key=${record.seq}>${isolated(eventOf(record, "words.said")?.text ?? "")}</p>`
      )}
    </section>
  `;
}

/** A part of the scene, with the move that adds to it. */
function Part({ title, add, children }) {
  const offer = open(add);
  if (!children.length && !offer) return null;
  return html`
    <section class="stack gap-2" aria-label=${title}>
      <h3 class="label">${title}</h3>
      ${children.length > 0 && html`<ul class="stack gap-2">${children}</ul>`}
      ${offer && html`
        <div>
          <${Button} kind="plain" data-move=${add} onTap=${() => openMove(offer)}>
            ${offer.title}
          <//>
        </div>
      `}
    </section>
  `;
}

/** A statement in its words, with the taps that show it to the players or take it out. */
function Statement({ one, what, children }) {
  return html`
    <li
      class="told snug stack gap-1"
      data-kind=${one.kind}
      data-hidden=${String(Boolean(one.seen_by))}
    >
      <div class="row">
        ${what ?? html`<span class="grow">${isolated(one.text)}</span>`}
        <${Tap} glyph="secret" move="trait.show" one=${one} />
        <${Tap} glyph="cross" move="trait.remove" one=${one} />
      </div>
      ${children}
    </li>
  `;
}

/** One tap about a statement; to show it only where it is hidden. */
function Tap({ glyph, move, one }) {
  const offer = open(move);
  if (!offer || (glyph === "secret" && !one.seen_by)) return null;
  return html`
    <${IconButton}
      glyph=${glyph}
      label=${`${offer.title}: ${one.text}`}
      data-move=${move}
      onTap=${() => make(move, { id: one.id }, { title: offer.title })}
    />
  `;
}

/** A thing to try: a tap asks a player to, or asks first whom. */
function Try({ one }) {
  const [asking, setAsking] = useState(false);
  const asked = the(table).characters[one.about];
  const heroes = people.value.filter(({ side, seat }) => side === "players" && seat);
  const offer = open("try.call");
  const call = (who) => make("try.call", { id: one.id, who }, { title: offer?.title });
  const tap = () => heroes.length > 1 ? setAsking(!asking) : call(heroes[0].id);
  const note = asked ? say("scene.asked", { who: asked.name }) : one.terms.note;
  const words = html`
    ${isolated(one.text)} ${note && html`<span class="block small quiet">${note}</span>`}
  `;
  const what = asked || !offer || !heroes.length ? html`<span class="grow">${words}</span>` : html`
    <button
      type="button"
      class="offer grow"
      data-move="try.call"
      title=${offer.title}
      aria-expanded=${heroes.length > 1 ? String(asking) : undefined}
      onClick=${tap}
    >
      ${words}
    </button>
  `;
  return html`
    <${Statement} one=${one} what=${what}>
      ${asking && !asked && html`
        <div class="cluster gap-1" role="group" aria-label=${offer?.title}>
          ${heroes.map(({ id, name }) =>
            html`
              <${Button} key=${id} onTap=${() => (setAsking(false), call(id))}>
                ${say("scene.ask", { who: name })}
              <//>
            `
          )}
        </div>
      `}
    <//>
  `;
}

/** An open question, with the place where it is answered. */
function Question({ one }) {
  const [text, setText] = useState("");
  const offer = open("question.answer");
  const answer = (event) => {
    event.preventDefault();
    if (text.trim()) make("question.answer", { id: one.id, text }, { title: offer?.title });
  };
  return html`
    <${Statement} one=${one}>
      ${offer && html`
        <form class="row" onSubmit=${answer}>
          <input
            class="input grow"
            aria-label=${`${offer.title}: ${one.text}`}
            placeholder=${say("scene.answer")}
            value=${text}
            onInput=${(event) => setText(event.target.value)}
          />
          <button type="submit" class="button" aria-disabled=${text.trim() ? undefined : "true"}>
            ${say("scene.answered")}
          </button>
        </form>
      `}
    <//>
  `;
}

/** The people that the game master plays, with their tracks, and what of them may be shown. */
export function ScenePeople() {
  const own = people.value.filter((one) => one.side === "gm");
  const prepares = byKey.value["encounter.prepare"];
  return (own.length > 0 || prepares) && html`
    <section class="stack" aria-label=${say("drawer.people")}>
      <h3 class="label">${say("drawer.people")}</h3>
      ${own.map((one) => html`<${Someone} key=${one.id} one=${one} />`)}
      ${prepares && html`<${Encounters} />`}
    </section>
  `;
}

function Someone({ one }) {
  const notes = [
    ...ranksOf(one),
    one.seen_by && say("people.hidden"),
    idsOut().includes(one.id) && say("slots.out"),
    ...carriedBy(one),
  ].filter(Boolean);
  return html`
    <div class="scene-one cluster between" data-character=${one.id}>
      <button type="button" class="row button" data-kind="plain" onClick=${() =>
        openCharacter(one)}>
        <${Person} name=${one.name} side="gm" />
        <span class="name">${one.name}</span>
      </button>
      <${Show} one=${one} />
      ${notes.length > 0 && html`<p class="fine quiet full">${notes.join(" · ")}</p>`}
      <${Tracks} one=${one} />
      <${Boxes} one=${one} />
    </div>
  `;
}
