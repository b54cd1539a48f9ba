/** What fields of several kinds have: a label, and what describes a refused answer. */

import { html } from "../../vendor/preact.js";
import { Asked } from "../ui/parts.js";

/** The label of a question, for the field with this id. */
export function Label({ ask, id }) {
  return html`<label for=${id}><${Asked} ask=${ask} /></label>`;
}

/** What ties a field to its refusal, for screen readers. */
export const described = (id, wrong) => ({
  "aria-invalid": wrong ? "true" : undefined,
  "aria-describedby": wrong ? `${id}-wrong` : undefined,
});
