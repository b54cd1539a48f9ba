/** The words on a sheet: statements, focuses and the like, by kind. */

import { html } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { boardKinds, noteOf, panelsOf, people, shownOf } from "../state/game.js";
import { goalKinds } from "./goals.js";
import { standingKinds } from "./lists.js";
import { Tap, uses } from "./taps.js";
import { lookOf } from "../state/looks.js";
import { game, table, the } from "../state/store.js";
import { say } from "../state/words.js";
import { Button } from "../ui/parts.js";

/** The kinds of traits that are drawn only here. */
export function wordKinds() {
  return panelsOf("words").flatMap((panel) => panel.binds.traits ?? []);
}

/**
 * What is true of no character who is here, and stands in no panel of its own: facts, effects and
 * the like.
 */
export function truths() {
  const ids = new Set(people.value.map((one) => one.id));
  const drawn = [
    "slot",
    "promise",
    "talent",
    "try",
    ...panelsOf("slots").flatMap(({ binds }) => binds.notes ?? []),
    ...standingKinds(),
    ...goalKinds(),
    ...boardKinds(),
  ];
  return Object.values(the(table).traits).filter((trait) =>
    trait.text && !ids.has(trait.about) && !drawn.includes(trait.kind) &&
    (trait.by || trait.about || inScene(trait))
  );
}

/**
 * Whether a truth is one of the scene, and not a note of the game or of a character who has left.
 */
export const inScene = ({ kind, about, goal }) =>
  !about && !goal && ["fact", "effect", ...wordKinds()].includes(kind);

/** The words on one character's sheet, by kind; struck-out ones stay readable. */
export function Words({ one }) {
  const who = one.id;
  return panelsOf("words").map((panel) =>
    (panel.binds.traits ?? []).map((kind) => {
      const own = Object.values(the(table).traits).filter((trait) =>
        trait.kind === kind && trait.about === who && trait.text
      );
      if (!own.length) return null;
      return html`
        <div class="words stack gap-0 small" key=${kind}>
          <p class="label">${panel.words[kind] ?? lookOf(kind).plural}</p>
          <ul class="words-list stack gap-0">
            ${own.map((trait) =>
              html`
                <li key=${trait.id}>
                  <${Tap} roll=${uses.value[trait.id]} label=${trait.text}>
                    <${Word} trait=${trait} note=${noteOf(panel, trait)} struck=${Boolean(
                      trait.terms[panel.binds.struck ?? ""],
                    )} />
                    <//>
                    </li>
              `
            )}
          </ul>
        </div>
      `;
    })
  );
}

/** The moves that change the words on a character's sheet. */
export const WordMoves = ({ one }) =>
  panelsOf("words").flatMap(shownOf).filter(({ closed }) => !closed).map((offer) =>
    html`
      <${Button} key=${offer.key} onTap=${() => openMove(offer, { given: { who: one.id } })}>
        ${offer.title}
      <//>
    `
  );

function Word({ trait, note, struck }) {
  const entry = the(game).sheet?.find((one) => one.key === trait.at);
  const text = struck
    ? html`<s>${trait.text}</s> <span class="fine">${say("words.struck")}</span>`
    : trait.text;
  return html`${entry && html`<strong>${entry.label}</strong>${" "}`}${text}${
    note && html`${" "}<span class="fine quiet">${note}</span>`
  }`;
}
