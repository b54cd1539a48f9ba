/**
 * The game that a file makes, as far as one can look at it without a table: dice, odds, points,
 * moves, people.
 */

import { html } from "../../vendor/preact.js";
import { faceOf, lookOf, runsOf } from "../state/looks.js";
import { fraction, percent } from "../odds/fractions.js";
import { Curve } from "../odds/odds-pictures.js";
import { Button, Die, SmallPool } from "../ui/parts.js";
import { RollQuestions } from "./roll-questions.js";
import { PlayedEvenings } from "./played-evenings.js";
import { oneOf, say } from "../state/words.js";

/** So many faces are drawn one by one. */
const MOST_FACES = 20;

/**
 * All of it; `shown` is the server's answer, `roll` what the odds are of, `text` that of the
 * file.
 */
export function ShownGame({ shown, roll, set, text }) {
  const { game } = shown;
  return html`
    <div class="shown-game stack gap-5">
      <header class="stack gap-1">
        <h2 class="result">${game.name}</h2>
        <p class="quiet">${game.about}</p>
      </header>
      ${game.dice.length > 0
        ? html`
          <${Part} title=${say("workshop.dice")}>
            ${game.dice.map((die) => html`<${Faces} die=${die} key=${die.name} />`)}
          <//>
          <${Odds} shown=${shown} roll=${roll} set=${set} />
        `
        : html`<${Ladder} outcomes=${shown.outcomes} none=${shown.no_odds} />`}
      ${game.accounts.length > 0 && html`
        <${Part} title=${say("workshop.points")}>
          ${html`<${Terms} rows=${game.accounts.map(accountRow)} />`}
        <//>
      `}
      ${shown.moves.length > 0 &&
        html`
          <${Part} title=${say("workshop.moves")}>
            ${shown.moves.map((move) => html`<${Move} move=${move} key=${move.key} />`)}
          <//>
        `}
      ${game.accounts.length > 0 && html`
        <${Part} title=${say("workshop.evening.title")}>
          ${html`<${PlayedEvenings} text=${text} level=${4} />`}
        <//>
      `}
      ${game.sheet.length > 0 && html`
        <${Part} title=${say("workshop.sheet")}>
          <${Terms} rows=${groups(game)} />
          <//>
      `}
      ${game.ready.length > 0 && html`
        <${Part} title=${say("workshop.people")}>
          ${html`<${Terms} rows=${game.ready.map(({ name, about }) => [name, about])} />`}
        <//>
      `}
    </div>
  `;
}

function Part({ title, children }) {
  return html`<section class="stack gap-2"><h3 class="label">${title}</h3>${children}</section>`;
}

/** A list of names, each with what is to be known of it. */
function Terms({ rows }) {
  return html`
    <dl class="shown-terms">
      ${rows.map(([name, text]) =>
        html`
          <div key=${name}>
            <dt class="strong">${name}</dt>
            <dd class="small quiet">${text}</dd>
          </div>
        `
      )}
    </dl>
  `;
}

/** A die with each of its faces; of one with very many, only those that show something. */
function Faces({ die }) {
  const look = lookOf(die.name);
  const numbers = die.faces.map((_, i) => die.first + i);
  const drawn = numbers.length > MOST_FACES ? runsOf(die).map(({ from }) => from) : numbers;
  return html`
    <div class="stack gap-1">
      <h4 class="inline small">
        <${Die} name=${die.name} size="small" />
        ${say("workshop.die", { die: look.word, n: numbers.length })}
      </h4>
      <ol class="faces cluster gap-1">
        ${drawn.map((face) => {
          const upper = faceOf(die, face);
          return html`
            <li key=${face}>
              <span role="img" aria-label=${upper.words}><${Die} name=${die
                .name} ...${upper} /></span>
            </li>
          `;
        })}
      </ol>
    </div>
  `;
}

/** The sentence of a result, with a mark for each number that a roll fills in. */
const marked = (words) => words.replace(/\{\w+\}/g, "…");

/** What an action can come to in a game without dice, and the sentence that it has none. */
function Ladder({ outcomes, none }) {
  return html`
    <${Part} title=${say("workshop.dice")}>
      ${none && html`<p class="quiet" role="status">${none}</p>`}
      ${Object.entries(outcomes).map(([key, words]) =>
        html`<p class="small" key=${key}>${marked(words)}</p>`
      )}
    <//>
  `;
}

/** The questions of an action, or a typed pool; what it comes to, and its curve. */
function Odds({ shown, roll, set }) {
  const { actions, odds, outcomes } = shown;
  /** @type {Array<[string, number]>} */
  const rungs = Object.keys(outcomes).map((key) => [key, fraction(odds?.outcomes[key])]);
  return html`
    <${Part} title=${say("workshop.odds")}>
      ${actions.length > 0 && html`
        <div class="cluster gap-1">
          ${actions.map((one) =>
            html`
              <${Button}
                key=${one.key}
                aria-pressed=${!roll.pool && shown.action === one.key}
                onTap=${() => set({ pool: "", action: one.key, answers: {} })}
              >${one.title}<//>
            `
          )}
        </div>
      `}
      <${RollQuestions} shown=${shown} set=${set} />
      <div class="field stack gap-1">
        <label for="workshop-pool">${say("workshop.pool")}</label>
        <input
          class="input notation"
          id="workshop-pool"
          autocomplete="off"
          value=${roll.pool || shown.pool}
          onInput=${(e) => set({ ...roll, pool: e.target.value })}
          aria-invalid=${shown.no_odds ? "true" : undefined}
        />
      </div>
      ${shown.no_odds && html`<p class="field-error small" role="status">${shown.no_odds}</p>`}
      ${odds && html`
        <${SmallPool} pool=${odds.pool} />
        <ul class="rungs stack gap-2">
          ${rungs.map(([key, chance]) =>
            html`
              <li class="stack gap-1" key=${key}>
                <p class="row baseline">
                  <span class="rung-odds count strong whole">
                    ${say("odds.percent", { n: percent(chance) })}
                  </span>
                  <span class="small">${marked(outcomes[key])}</span>
                </p>
                <div class="odds-bar" aria-hidden="true" style=${{
                  "--part": chance.toFixed(3),
                }}></div>
              </li>
            `
          )}
        </ul>
        ${odds.axes.map((axis, i) => html`<${Curve} now=${odds} axis=${i} key=${axis} />`)}
      `}
    <//>
  `;
}

function Move({ move }) {
  const terms = [move.who, move.price, move.limit].filter(Boolean).join(" · ");
  return html`
    <div class="shown-move">
      <p class="strong">${move.title}</p>
      ${move.about && html`<p class="small">${move.about}</p>`}
      <p class="small quiet">${terms}</p>
    </div>
  `;
}

function accountRow({ name, each, side, most }) {
  const whose = oneOf("workshop.whose", each === "character" ? each : side || "table");
  return [lookOf(name).plural, most === null ? whose : say("workshop.most", { whose, most })];
}

/** The groups of the sheet, each with the labels of its entries. */
function groups({ sheet, groups: titles }) {
  const labels = (key) => sheet.filter(({ group }) => group === key).map(({ label }) => label);
  return Object.entries(titles).map(([key, title]) => [title, labels(key).join(", ")]);
}
