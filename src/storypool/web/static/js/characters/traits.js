/** The words on a sheet: statements, focuses and the like, by kind. */

import { html } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { lookOf } from "../state/looks.js";
import { game, table } from "../state/store.js";
import { say } from "../state/words.js";

/** The kinds of traits that are drawn only here. */
export function wordKinds() {
  return panelsOf("words").flatMap((panel) => panel.binds.traits ?? []);
}

/** The words on one character's sheet, by kind; struck-out ones stay readable. */
export function Words({ who }) {
  return panelsOf("words").map((panel) => (panel.binds.traits ?? []).map((kind) => {
    const own = Object.values(table.value.traits).filter((trait) => trait.kind === kind && trait.about === who && trait.text);
    if (!own.length) return null;
    return html`<div class="words stack gap-0 small" key=${kind}><p class="label">${panel.words[kind] ?? lookOf(kind).plural}</p>
      <ul class="words-list stack gap-0">${own.map((trait) => html`<li key=${trait.id}><${Word} trait=${trait} struck=${Boolean(trait.terms?.[panel.binds.struck])} /></li>`)}</ul></div>`;
  }));
}

function Word({ trait, struck }) {
  const entry = game.value.sheet?.find((one) => one.key === trait.at);
  const text = struck ? html`<s>${trait.text}</s> <span class="fine">${say("words.struck")}</span>` : trait.text;
  return html`${entry && html`<strong>${entry.label}</strong> `}${text}`;
}
