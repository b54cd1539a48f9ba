/** A field for a name: one that is too long says so before it is sent, and is never cut. */

import { html, useId } from "../../vendor/preact.js";
import { alike } from "../state/folding.js";
import { say } from "../state/words.js";

/** So many letters the server takes for the name of a person or a character. */
const LONGEST_NAME = 40;
/** And for the title of a table. */
export const LONGEST_TITLE = 80;

/** By how many letters a name is too long, counted as the server does; 0 if it is not. */
export function excess(name, most = LONGEST_NAME) {
  return Math.max(0, [...name.normalize("NFC").trim()].length - most);
}

/** The sentence about a name that is too long, or "". */
export function tooLong(name, most = LONGEST_NAME) {
  const n = excess(name, most);
  return n ? say("name.long", { n, most }) : "";
}

/** Whether two names are one to a reader: the server keeps no joiners of emoji. */
export const sameName = (one, other) => bare(one) === bare(other);
const bare = (name) => alike(name).replaceAll(" ", "");

/** The field with its label; further attributes are those of the input. */
export function NameField({ label, value, set, most, extra = "", ...more }) {
  const id = useId();
  const long = tooLong(value, most);
  return html`
    <div class="field stack gap-1">
      <label for=${id}>${label}</label>
      <input
        class="input ${extra}"
        id=${id}
        autocomplete="off"
        value=${value}
        onInput=${(e) => set(e.target.value)}
        aria-invalid=${long ? "true" : undefined}
        aria-describedby=${long ? `${id}-long` : undefined}
        ...${more}
      />
      ${long && html`<p class="field-error small" id="${id}-long">${long}</p>`}
    </div>
  `;
}
