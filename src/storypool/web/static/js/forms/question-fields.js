/** The questions of a form: those that most people answer, and the others folded away. */

import { html, useRef } from "../../vendor/preact.js";
import { clearedNumbers, diceToEnter, isFolded, shownAnswer } from "./answers.js";
import { missingOf } from "./answers-preview.js";
import { Field } from "./fields.js";
import { rowOf, sheetOf } from "./option-rows.js";
import { table, the } from "../state/store.js";
import { worthOn } from "../odds/odds.js";
import { Fold } from "../ui/parts.js";
import { say } from "../state/words.js";

/**
 * The questions `asks` of an offer; `refusal` is shown beside the one that it is about, and
 * `isWanting` says without which the form cannot be sent.
 */
export function Questions({ asks, offer, args, preview, refusal, isWanting, change }) {
  // A question that was once missed may not stay open, and none offers that.
  const onceMissing = useRef(new Set());
  const missing = missingOf(preview);
  if (missing) onceMissing.current.add(missing);
  const early = asks.filter((ask) => !isFolded(ask));
  // Rows of dice are long: what is asked besides comes before them.
  const folded = asks.filter(isFolded).sort((one, other) =>
    Number(one.kind === "pool") - Number(other.kind === "pool")
  );
  // Where the form needs nothing else, the numbers of a sheet are what it was opened for.
  const unfolds = (ask) =>
    refusal?.field === ask.name || args[ask.name] !== undefined ||
    (ask.kind === "sheet" && !early.some(({ needed }) => needed));
  const set = (name) => (value) =>
    change({ ...(name === "who" && clearedNumbers(offer)), [name]: value });
  const question = (ask) =>
    html`
      <${Field}
        key=${ask.name}
        ask=${{ ...ask, plain: !preview.of || onceMissing.current.has(ask.name) }}
        value=${shownAnswer(args, ask)}
        set=${set(ask.name)}
        wanting=${isWanting(ask)}
        refusal=${refusal}
        about=${subjectOf(ask, offer, args, preview)}
        worth=${worthOn(offer, ask)}
      />
    `;
  return html`
    ${early.map(question)}
    ${folded.length > 0 && html`
      <${Fold} title=${say("ask.moreOptions")} open=${folded.some(unfolds)}>
        ${html`<div class="stack">${folded.map(question)}</div>`}
      <//>
    `}
  `;
}

/** The sheet or the dice that a question is about, or undefined. */
function subjectOf(ask, offer, args, preview) {
  if (ask.kind === "sheet") {
    const who = args.who ?? offer.asks.find(({ name }) => name === "who")?.default;
    return the(table).characters[who]?.sheet;
  }
  if (ask.kind === "faces") return diceToEnter(ask, preview);
  return rowOf(ask) ? sheetOf(rowOf(ask), offer, args) : undefined;
}
