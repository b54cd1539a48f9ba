/** The tray beside the pool: a tap adds one die on top of the others. */

import { html, useState } from "../../vendor/preact.js";
import { makeOrAsk } from "../forms/making.js";
import { openMove } from "../forms/move-form.js";
import { atOnce, consenting, isOwnAction, panelsOf, shownOf } from "../state/game.js";
import { lookOf } from "../state/looks.js";
import { TapWorth } from "../odds/odds.js";
import { Refusal } from "./offers.js";
import { Bag, Die, Glyph, useOnce } from "../ui/parts.js";
import { isGm, refused } from "../state/store.js";
import { say } from "../state/words.js";

/** The trays of the game, with the dice that this seat may add. */
export const Tray = () =>
  panelsOf("tray").map((panel) => html`<${Panel} key=${panel.title} panel=${panel} />`);

/** Closed dice are for the player who acts: what they cost, and what opens them. */
function Panel({ panel }) {
  const [tapped, setTapped] = useState("");
  const offers = shownOf(panel).filter((offer) => !offer.closed || isOwnAction.value);
  const dice = panel.binds.dice.map((text) => text.split(" "));
  const taps = dice.map(([key, die, ask]) => {
    const offer = offers.find((one) => one.key === key);
    const isShared = dice.some(([other, same]) => same === die && other !== key);
    const word = isShared ? offer?.title : lookOf(die).word;
    return { text: `${key} ${die}`, die, word, offer, given: ask ? { [ask]: die } : {} };
  }).filter(({ offer }, _, all) => offer && (all.length < 2 || offer.closed?.code !== "only_if"));
  if (!taps.length) return null;
  const last = taps.find(({ text }) => text === tapped);
  const made = refused.value?.move === last?.offer.key ? refused.value?.refusal : null;
  const reason = last && (made ?? last.offer.closed);
  const open = offers.filter((offer) => !offer.closed);
  const proposed = isGm.value ? null : open.find((offer) => offer.approval);
  return html`
    <section class="dice-tray cluster centre gap-2 full" aria-label=${panel.title}>
      ${taps.map((tap) =>
        html`
          <${Tap}
            key=${tap.text}
            ...${tap}
            onTap=${() => setTapped(tap.text === tapped && tap.offer.closed ? "" : tap.text)}
          />
        `
      )}
      ${proposed && html`<p class="quiet fine">${say("ask.approval", consenting(proposed))}</p>`}
      ${open.filter((offer) => !atOnce(offer)).map((offer) =>
        html`
          <button
            key=${offer.key}
            type="button"
            class="button small tray-more"
            data-kind="plain"
            data-move=${offer.key}
            aria-label=${`${say("diceTray.more")}: ${offer.title}`}
            onClick=${() => openMove(offer)}
          >
            ${say("diceTray.more")}
          </button>
        `
      )}
      ${reason && html`
        <div class="full" role="status">
          <${Refusal} offer=${last.offer} refusal=${reason} args=${last.given} />
        </div>
      `}
    </section>
  `;
}

/**
 * A die of the tray, with its price and the odds after it; by its move where others add the same.
 */
function Tap({ offer, die, word, given, onTap }) {
  const [waiting, tap] = useOnce(() => {
    onTap();
    return offer.closed ? null : makeOrAsk(offer, given, offer.title, true);
  });
  return html`
    <button
      type="button"
      class="button tray-die"
      data-move=${offer.key}
      data-die=${die}
      aria-busy=${waiting ? "true" : undefined}
      aria-disabled=${offer.closed ? "true" : undefined}
      onClick=${tap}
    >
      <${Glyph} name=${offer.closed ? "lock" : "plus"} size="16" label=${offer.closed
        ? say("offer.closed")
        : say("diceTray.add")} />
      <${Die} name=${die} size="small" />
      <span class="stack gap-0">
        <span class="inline gap-2">
          ${word} <span class="offer-price"><${Bag} bag=${offer.price} /></span>
        </span>
        ${offer.caution && html`<span class="fine">${offer.caution}</span>`}
        ${!offer.closed && html`<${TapWorth} offer=${offer} given=${given} />`}
      </span>
    </button>
  `;
}
