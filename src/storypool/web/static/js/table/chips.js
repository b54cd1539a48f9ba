/** The answers to one question as chips: in the dock, and below a row of a menu. */

import { html } from "../../vendor/preact.js";
import { makeOrAsk } from "../forms/making.js";
import { openMove } from "../forms/move-form.js";
import { Button } from "../ui/parts.js";
import { say } from "../state/words.js";

/** So many answers stand as chips at most; a form has more. */
export const MOST_CHIPS = 11;
/** So many chips have room for whole notes; of more, each note has one line. */
const FEW_CHIPS = 3;
/** Of a note with more letters than this a phone has room for the beginning. */
const LONG_NOTE = 24;
/** Chips of so many letters stand in a row, like numbers; longer ones in columns. */
const SHORT_CHIP = 4;

/**
 * The answers to a question as chips, under a caption where the sentence above does not say what
 * they are; `pick` answers it. The way to the whole form is beside them unless it is elsewhere.
 */
export function Chips(
  {
    offer,
    ask,
    given,
    asleep,
    caption,
    whole = true,
    pick = (args) => makeOrAsk(offer, args, offer.title, true),
  },
) {
  const choices = ask.kind === "choice"
    ? ask.choices.filter((choice) => !choice.closed)
    : Array.from(
      { length: ask.high - ask.low + 1 },
      (_, i) => ({ value: ask.low + i, label: String(ask.low + i) }),
    );
  return html`
    ${caption && html`<p class="label chips-caption text-centre" aria-hidden="true">${caption}</p>`}
    <div
      class="chips wrap gap-2"
      role="group"
      aria-label=${offer.title}
      data-move=${offer.key}
      data-many=${choices.length > FEW_CHIPS &&
          choices.some(({ label }) => label.length > SHORT_CHIP)
        ? "true"
        : undefined}
    >
      ${choices.map((choice) =>
        html`
          <${Button}
            key=${choice.value}
            kind="chip"
            disabled=${asleep}
            data-preset=${choice.value === (ask.preset ?? ask.default) ? "true" : undefined}
            onTap=${() => pick({ ...given, [ask.name]: choice.value })}
          >
            ${html`<span>${choice.label}<${Note} text=${choice.note} /></span>`}
          <//>
        `
      )}
      ${whole && html`<${ToForm} offer=${offer} given=${given} asleep=${asleep} />`}
    </div>
  `;
}

/** The way to the form of a move whose answers are chips, where it asks more. */
export const ToForm = ({ offer, given, asleep }) =>
  offer.asks.length > 1 && html`
    <${Button}
      kind="plain"
      data-change=${offer.key}
      disabled=${asleep}
      onTap=${() => openMove(offer, { given })}
    >
      ${say("dock.more")}
    <//>
  `;

/**
 * The note of an answer; of a long one a phone shows what it begins with, as in "3: a complex
 * lock", and a form the whole.
 */
function Note({ text }) {
  if (!text) return null;
  const [first] = text.length > LONG_NOTE ? text.split(":", 1) : [text];
  return html`
    <span class="fine quiet chip-note block" title=${text}>
      ${first}
      <span class="chip-rest">${text.slice(first.length)}</span>
    </span>
  `;
}
