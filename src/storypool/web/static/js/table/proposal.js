/**
 * A proposal: what it says, its price, the refusals it sets aside, and all that may be done with
 * it.
 */

import { html } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { Clamped } from "../ui/clamped.js";
import { Bag, Button } from "../ui/parts.js";
import {
  byKey,
  game,
  here,
  isGm,
  lanes,
  make,
  seatName,
  table,
  the,
  waits,
} from "../state/store.js";
import { tried } from "../state/announcements.js";
import { later } from "../state/wire.js";
import { say } from "../state/words.js";

const amended = later((again) => import(`../forms/amended-proposal.js${again}`));

/** A text that begins with the title of the move has all answers in it. */
const isWhole = (proposal) => proposal.text.startsWith(the(game).titles[proposal.move] ?? "");

/**
 * What its text does not say: other answers, what is reserved for it, and the refusals it sets
 * aside.
 */
export function Terms({ proposal }) {
  const { text, args, price, set_aside: aside } = proposal;
  const described = ([name, value]) =>
    !["text", "check"].includes(name) && !["boolean", "number"].includes(typeof value) &&
    value !== text;
  const words = isWhole(proposal)
    ? []
    : Object.entries(args).filter(described).map(([, value]) => spelled(value)).filter((word) =>
      !text.includes(word)
    );
  return html`
    ${words.length > 0 && html`<p>${words.join(" · ")}</p>`}
    ${Object.keys(price ?? {}).length > 0 &&
      html`<p class="fine row">${say("proposal.price")} <${Bag} bag=${price} /></p>`}
    ${aside?.length > 0 &&
      html`<p class="fine">${say("override.sets", { text: aside.join(" ") })}</p>`}
  `;
}

/**
 * The answers beside yes and no: with changes, and no with its reason; none for who may not give
 * them.
 */
export function OtherAnswers({ proposal }) {
  const accept = byKey.value["proposal.accept"];
  const refusals = [byKey.value["proposal.decline"], byKey.value["consent.refuse"]];
  const decline = refusals.find((offer) => offer && !offer.closed);
  return html`
    ${asks(proposal) && accept && questioned(proposal) &&
      html`
        <${Button}
          onTap=${() =>
            tried(async () => (await amended()).openChanges(accept, proposal, settle(proposal)))}
        >
          ${say("proposal.change")}
        <//>
      `}
    ${decline &&
      html`
        <${Button}
          kind="plain"
          onTap=${() =>
            openMove({ ...decline, title: say("proposal.why") }, { given: settle(proposal) })}
        >
          ${say("proposal.because")}
        <//>
      `}
  `;
}

/** Whether a proposal waits for the answer of this seat. */
export const asks = (proposal) =>
  waits.value.some((one) => one.yours && one.id === "proposal" && one.args.id === proposal.id);

/**
 * The arguments that settle a proposal; where two actions are open they name the one that it was
 * made for.
 */
const settle = (proposal) =>
  lanes.value.length > 1 && proposal.check
    ? { id: proposal.id, check: proposal.check }
    : { id: proposal.id };

/** The card of a proposal that is not in the dock; it has no answers while another is `first`. */
export function Proposal({ proposal, first = false }) {
  const own = proposal.seat === the(here).seat;
  const settled = (key, label) => {
    const offer = byKey.value[key];
    return offer && !offer.closed &&
      html`
        <${Button} onTap=${() => make(key, settle(proposal), { title: offer.title })}>${label}<//>
      `;
  };
  return html`
    <article class="card proposal stack gap-2" data-tone="move">
      <p class="fine quiet">
        ${isWhole(proposal) ? seatName(proposal.seat) : say("proposal.from", {
          who: seatName(proposal.seat),
          what: the(game).titles[proposal.move] ?? "",
        })}
      </p>
      <p class="name lead">
        <${Clamped} text=${proposal.text} />
      </p>
      <${Terms} proposal=${proposal} />
      <div class="cluster">
        ${own
          ? settled(isGm.value ? "proposal.decline" : "proposal.withdraw", say("proposal.withdraw"))
          : isGm.value && !first && html`
            ${asks(proposal) && settled("proposal.accept", say("proposal.accept"))}
            ${settled("proposal.decline", say("proposal.decline"))}
            <${OtherAnswers} proposal=${proposal} />
          `}
      </div>
    </article>
  `;
}

/** Whether a proposal has answers that may be changed; what an undo takes back is none. */
const questioned = (proposal) =>
  proposal.move !== "table.undo" &&
  Object.keys(proposal.args).some((name) => !["check", "faces"].includes(name));

/** An answer in words: the name of a person or a die, a statement, or else as it was given. */
function spelled(value) {
  const named = the(table).characters[value] ?? the(table).seats[value];
  return named?.name ?? the(table).traits[value]?.text ??
    (the(game).look[value] ? the(game).look[value].word : [value].flat().join(" "));
}
