/**
 * A number that is always shown while an action is open: one of its terms large, others small
 * beside it.
 */

import { html } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { game, table, the } from "../state/store.js";
import { capital, say } from "../state/words.js";

/**
 * The figures of the game, from the terms of an action as it is or would be; a term that is not set
 * yet is a dash. Those of an action that is in sight are shown again where they would change.
 */
export function Figures({ action, known }) {
  if (!action) return null;
  const changed = ({ binds }) =>
    (binds.action ?? action.terms.action) === action.terms.action && (!known ||
      [binds.term, binds.why, ...(binds.beside ?? [])].some((key) =>
        String(action.terms[key]) !== String(known.terms[key])
      ));
  return panelsOf("figure").filter(changed).map((panel) =>
    html`<${Figure} ...${action} key=${panel.title} panel=${panel} />`
  );
}

function Figure({ panel, terms, phase }) {
  // What was not set before the roll is not set any more.
  const beside = (panel.binds.beside ?? []).filter((key) =>
    phase !== "rolled" || known(terms[key])
  );
  if (![panel.binds.term, ...beside].some((key) => known(terms[key]))) return null;
  const value = (key) =>
    panel.words[`${key}.${terms[key]}`] ?? written(termWord(terms[key]) || terms[key]);
  return html`
    <dl class="figure card full wrap gap-1 measure">
      <div class="figure-main">
        <dt>${[panel.title, ...(terms[panel.binds.why] ?? [])].join(" · ")}</dt>
        <dd class="numeral">${value(panel.binds.term)}</dd>
      </div>
      ${beside.map((key) =>
        html`
          <div key=${key}>
            <dt>
              ${panel.words[key] ?? the(game).look[key]?.word ??
                termWord(key.replaceAll("_", " "))}
            </dt>
            <dd class="numeral">${value(key)}</dd>
          </div>
        `
      )}
    </dl>
  `;
}

const known = (value) => (value ?? "") !== "";

function written(value) {
  if (known(value)) return String(value);
  return html`
    <span aria-hidden="true">–</span>
    <span class="visually-hidden">${say("figure.open")}</span>
  `;
}

/**
 * A term of an action in words: a name from the sheet or the table, a word of the game, or a plain
 * word; "" for any other.
 */
export function termWord(value) {
  if (typeof value !== "string") return "";
  const named = the(game).sheet.find((entry) => entry.key === value)?.label;
  const known = named ?? the(table).characters[value]?.name ?? the(table).traits[value]?.text;
  // Which seat rolls next is no term of the action.
  const plain = /^[a-z][a-z -]*$/.test(value) && value !== "none" && !the(table).seats[value];
  // Several answers to one question have commas between.
  const several = value.split(",").map((one) => the(game).terms[one]);
  const words = several.every(Boolean) ? several.join(", ") : undefined;
  return known ?? words ?? (plain ? capital(value) : "");
}
