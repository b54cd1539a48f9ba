/**
 * Questions of a move as rows of large buttons, each with the number on the acting character's
 * sheet.
 */

import { html } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { PickWorth } from "../odds/odds.js";
import { Asked, Shut, useClosed } from "../ui/parts.js";
import { check, table, the } from "../state/store.js";
import { say } from "../state/words.js";

/** The panel that shows this question as a row, or null. */
export function rowOf(ask) {
  if (ask.kind !== "choice") return null;
  return panelsOf("rows").find((panel) => [panel.binds.asks].flat().includes(ask.name)) ?? null;
}

/**
 * The sheet whose numbers a row shows: that of the character named by an answer of this form, else
 * the acting one's.
 */
export function sheetOf(panel, offer, args) {
  const names = [panel.binds.of ?? []].flat();
  const named = names.map((name) =>
    args[name] ?? offer.asks.find((ask) => ask.name === name)?.default
  ).find(Boolean);
  return the(table).characters[named ?? check.value?.actor]?.sheet ?? {};
}

/**
 * A question as a row: one button for each answer, arrow keys to move between them, and the chosen
 * one below.
 */
export function Row({ ask, value, set, id, about, worth }) {
  const chosen = ask.choices.find((choice) => choice.value === value);
  const none = !ask.needed && (ask.default ?? null) === null;
  const [why, radio] = useClosed(ask.choices, set);
  return html`
    <fieldset class="picks big-row" id=${id}>
      <legend class="label"><${Asked} ask=${ask} /></legend>
      <div class="big-picks tiles">
        ${ask.choices.map((choice, i) =>
          html`
            <label class="pick" key=${choice.value}>
              <input
                type="radio"
                name=${id}
                checked=${choice === chosen}
                aria-describedby=${choice.note ? `${id}-note-${i}` : undefined}
                ...${radio(choice)}
              />
              <span class="pick-face full">
                <span class="big-number count numeral">${about?.[choice.value] ?? "–"}</span>
                <span class="big-word small">
                  ${choice.label}
                  ${choice.closed && html`${" "}<${Shut} why=${choice.closed} />`}
                </span>
                <${PickWorth} row=${worth?.[choice.value]} />
              </span>
              ${choice.note &&
                html`<span class="visually-hidden" id="${id}-note-${i}">${choice.note}</span>`}
            </label>
          `
        )}
        ${none && html`
          <label class="pick">
            <input type="radio" name=${id} checked=${!chosen} onChange=${() => set(undefined)} />
            <span class="pick-face full">
              <span class="big-word small">${say("ask.none")}</span>
            </span>
          </label>
        `}
      </div>
      ${why}
      ${chosen?.note && html`<p class="big-note fine quiet" aria-hidden="true">${chosen.note}</p>`}
    </fieldset>
  `;
}
