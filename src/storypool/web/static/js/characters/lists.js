/** The kinds of lasting things that lists show, and what they show of one character. */

import { html } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { panelsOf, startWith } from "../state/game.js";
import { table, the } from "../state/store.js";
import { say } from "../state/words.js";
import { Glyph } from "../ui/parts.js";

/** The traits of these kinds that have words. */
export const traits = (...kinds) =>
  Object.values(the(table).traits).filter((trait) => kinds.includes(trait.kind) && trait.text);

/** The kinds of traits that have a panel of these kinds, and are listed only here. */
export function standingKinds() {
  return [...panelsOf("track"), ...panelsOf("list")].flatMap(({ binds }) =>
    [binds.trait, binds.of, ...(binds.traits ?? [])].filter(Boolean)
  );
}

/** What a list shows at any time. */
export const shownIn = ({ binds }) =>
  traits(...binds.traits).filter((one) => !binds.passing || one.until || one.rating > 0);

/** What the lists show of one character. */
export const listedOf = (who) =>
  panelsOf("list").flatMap(shownIn).filter((one) => one.about === who);

/** One of a list, which a tap begins one of the `named` moves with, where one is open. */
export function Listed({ one, named, children }) {
  const start = startWith(named, one);
  if (!start) return html`<li class="told snug">${children}</li>`;
  const { offer, given } = start;
  return html`
    <li class="told">
      <button
        type="button"
        class="board-item row between full target"
        title=${say("sheet.begin", { title: offer.title, entry: one.text })}
        onClick=${() => openMove(offer, { given })}
      >
        <span>${children}</span> <${Glyph} name="chevron" size="16" />
      </button>
    </li>
  `;
}
