/** A number that is always shown while an action is open: one of its terms large, others small beside it. */

import { html } from "../../vendor/preact.js";
import { lookOf, panelsOf } from "../state/game.js";
import { say } from "../state/words.js";

/** The figures of the game, from the terms of an action as it is or would be; a term that is not set yet is a dash. */
export function Figures({ action }) {
  if (!action) return null;
  return panelsOf("figure").map((panel) => html`<${Figure} key=${panel.title} panel=${panel} terms=${action.terms} rolled=${action.phase === "rolled"} />`);
}

function Figure({ panel, terms, rolled }) {
  // What was not set before the roll is not set any more.
  const beside = [panel.binds.beside ?? []].flat().filter((key) => !rolled || known(terms[key]));
  if (![panel.binds.term, ...beside].some((key) => known(terms[key]))) return null;
  return html`<dl class="figure card full">
    <div class="figure-main"><dt>${[panel.title, ...(terms[panel.binds.why] ?? [])].join(" · ")}</dt><dd class="count">${written(terms[panel.binds.term])}</dd></div>
    ${beside.map((key) => html`<div key=${key}><dt>${panel.words[key] ?? lookOf(key).word}</dt><dd class="count">${panel.words[`${key}.${terms[key]}`] ?? written(terms[key])}</dd></div>`)}
  </dl>`;
}

const known = (value) => value !== undefined && value !== null && value !== "";

function written(value) {
  if (known(value)) return String(value);
  return html`<span aria-hidden="true">–</span><span class="visually-hidden">${say("figure.open")}</span>`;
}
