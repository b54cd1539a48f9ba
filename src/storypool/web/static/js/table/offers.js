/** Offers with price and effect, and why others are closed. */

import { html, useRef, useState } from "../../vendor/preact.js";
import { makeOrOpen } from "../forms/making.js";
import { fetchAhead } from "../forms/coming-questions.js";
import { openMove } from "../forms/move-form.js";
import { consenting, isOwnAction, opensBeside } from "../state/game.js";
import { Effect, useWeighed } from "../odds/odds.js";
import { useOpened } from "../ui/in-view.js";
import { Bag, Because, Button, Fold, Glyph, useOnce } from "../ui/parts.js";
import { isLogInSight } from "../log/shown-line.js";
import { covering } from "../ui/sheet.js";
import { notice, tried } from "../state/announcements.js";
import { check, isGm, make, me, preview, refused } from "../state/store.js";
import { nearby } from "./gm-tools.js";
import { oneOf, say } from "../state/words.js";

/**
 * An offer as a button: an open one makes the move or asks; a closed one says why, and how it may
 * be allowed. What a move has done is shown in a notice, where it `says` so: there it may be seen
 * nowhere else.
 */
export function Offer({ offer, given = {}, title, note, asleep, says = false }) {
  // Which reason is shown: when another one holds, it is not.
  const [explained, setExplained] = useState("");
  const tapped = useRef(false);
  const [waiting, tap] = useOnce(async () => {
    tapped.current = true;
    const made = await makeOrOpen(offer, { given });
    // That something has merely ended is no news.
    const text = says &&
      made?.records.find((record) => record.text && record.event?.type !== "check.closed")?.text;
    // Beside the log it would be read twice.
    if (text && (covering.value || !isLogInSight())) notice(text);
  });
  const closed = offer.closed ??
    (offer.empty ? { text: offer.empty, remedy: "", rule: "", overridable: false } : null);
  const now = refused.value;
  const reason = now && now.move === offer.key
    ? now.refusal
    : explained && explained === closed?.text && closed;
  const place = useOpened(Boolean(reason && (closed || tapped.current)));
  const id = `why-${offer.key}`;
  return html`
    <div class="offer-place" data-move=${offer.key} ref=${place}>
      <button
        type="button"
        class="offer row wrap gap-3 lines-1 full"
        aria-disabled=${closed || asleep ? "true" : undefined}
        aria-busy=${waiting ? "true" : undefined}
        aria-expanded=${closed ? String(Boolean(reason)) : undefined}
        aria-controls=${reason ? id : undefined}
        onPointerDown=${() => closed || asleep || fetchAhead(offer, given)}
        onClick=${closed
          ? () => setExplained(reason ? "" : closed.text)
          : (event) => asleep || tap(event)}
      >
        <span class="offer-title strong">
          ${title ?? offer.title}
          ${note && html`<span class="offer-note block quiet small">${note}</span>`}
          ${offer.approval && !closed && !isGm.value &&
            html`
              <span class="offer-note block quiet small">
                ${say("offer.agrees", consenting(offer))}
              </span>
            `}
          ${offer.caution && html`<span class="offer-note block small">${offer.caution}</span>`}
        </span>
        <span class="offer-price inline strong count">
          <${Bag} bag=${offer.price} />
          ${closed && html`<${Glyph} name="lock" label=${say("offer.closed")} />`}
        </span>
        ${closed
          ? !reason && html`<span class="offer-note one-line full quiet fine">${closed.text}</span>`
          : html`<${Effect} offer=${offer} />`}
      </button>
      ${reason && html`
        <div role="status">
          <${Refusal} id=${id} offer=${offer} refusal=${reason} args=${given} />
        </div>
      `}
    </div>
  `;
}

/** A reason, with a second button that sets it aside or asks the game master to. */
export function Refusal({ offer, refusal, args = {}, id }) {
  const [confirming, setConfirming] = useState(false);
  const canSetAside = refusal.overridable && refusal.code !== "when" &&
    (offer.all_closed ?? []).every((one) => one.overridable);
  const aside = (offer.all_closed?.length ? offer.all_closed : [refusal]).map((one) => one.text)
    .join(" ");
  const go = async () => {
    const asked = offer.asks ? { offer } : await tried(() => preview(offer.key, {}, true));
    if (!asked) return;
    const { asks } = asked.offer;
    if (asks.length) openMove({ ...offer, asks }, { given: args, override: true, aside });
    else await make(offer.key, args, { override: true, title: offer.title });
  };
  return html`
    <${Because} refusal=${refusal} id=${id}>
      ${canSetAside && !confirming &&
        html`
          <div>
            <button type="button" class="button small" onClick=${() => setConfirming(true)}>
              ${isGm.value ? say("override.may") : say("override.ask")}
            </button>
          </div>
        `}
      ${canSetAside && confirming && html`
        <p>${isGm.value ? say("override.sets", { text: aside }) : say("override.asks")}</p>
        <div class="cluster">
          <${Button} tone="refusal" onTap=${go}>
            ${isGm.value ? say("override.do") : say("override.send")}
          <//>
          <button type="button" class="button small" onClick=${() => setConfirming(false)}>
            ${say("cancel")}
          </button>
        </div>
      `}
    <//>
  `;
}

/**
 * The offers beside the action, below the menus of what a roll can buy. Those that are folded away
 * are in the drawer where that stands `beside` them.
 */
export function Offers({ children, beside }) {
  useWeighed();
  if (!me.value || me.value.side === "spectator") return null;
  const { shown: listed, more } = nearby.value;
  // A player who does not act need not see what is closed to them; one who acts sees what points
  // could buy.
  const quiet = Boolean(check.value) && !isOwnAction.value;
  const closedOffers = listed.filter((offer) =>
    (offer.closed || offer.empty) && (quiet || !Object.keys(offer.price).length)
  );
  return html`
    <section class="offers-place stack" aria-label=${say("offers.label")}>
      ${children}
      <${List} offers=${listed.filter((offer) => !closedOffers.includes(offer))} />
      ${closedOffers.length > 0 && html`
        <${Fold} title=${say("offers.shut", { n: closedOffers.length })}>
          <${List} offers=${closedOffers} />
          <//>
      `}
      ${!beside && html`<${More} offers=${more} title=${say("offers.more")} />`}
    </section>
  `;
}

function List({ offers }) {
  return offers.length > 0 &&
    html`
      <div class="offers stack gap-2">
        ${offers.map((offer) =>
          html`
            <${Offer}
              key=${offer.key}
              offer=${offer}
              note=${opensBeside(offer) && !offer.closed
                ? oneOf("lanes.beside", check.value.seen_by ? "hidden" : "open")
                : ""}
            />
          `
        )}
      </div>
    `;
}

/** The moves that have no other place. */
export function More({ offers, title }) {
  if (!offers.length) return null;
  return html`
    <${Fold} title=${title}>
      ${html`
        <div class="offers stack gap-2">
          ${offers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} />`)}
        </div>
      `}
    <//>
  `;
}
