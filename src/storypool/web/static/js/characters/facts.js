/** What is true in the scene, between actions and during them. */

import { html } from "../../vendor/preact.js";
import { Listed } from "./lists.js";
import { inScene, truths } from "./traits.js";
import { panelsOf, startWith } from "../state/game.js";
import { say } from "../state/words.js";
import { Glyph } from "../ui/parts.js";

/**
 * What is true in this scene: facts, and of the game's words those that are on nobody's card. Below
 * what everybody knows is what a game master knows alone, who has it in sight while deciding about
 * an action. `usable` shows those alone that a move can begin with now.
 */
export function Facts({ usable = false }) {
  const named = panelsOf("list").flatMap(({ binds }) => binds.any ?? []);
  const all = truths().filter((fact) => !usable || startWith(named, fact));
  const facts = all.filter(inScene);
  const listed = (title, shown) =>
    shown.length > 0 && html`
      <div class="facts stack gap-2 full">
        <h3 class="label row gap-1">${title}</h3>
        <ul class="facts-list stack gap-2">
          ${shown.map((fact) =>
            html`<${Listed} key=${fact.id} one=${fact} named=${named}>${fact.text}<//>`
          )}
        </ul>
      </div>
    `;
  return html`
    ${listed(say("facts.title"), facts.filter((fact) => !fact.seen_by))}
    ${listed(
      html`<${Glyph} name="secret" size="16" />${say("facts.hidden")}`,
      facts.filter((fact) => fact.seen_by),
    )}
    ${facts.length > 0 && all.length > facts.length &&
      html`<p class="fine quiet">${say("facts.more", { n: all.length - facts.length })}</p>`}
  `;
}
