/** Offers with price and effect, the menus of what a roll can buy, and why others are closed. */

import { html, useRef, useState } from "../../vendor/preact.js";
import { choose, consenting, openMove, start } from "../forms/move-form.js";
import { acts, beside, docked, emptyAsk, panelsOf, shownOf } from "../state/game.js";
import { Effect, MenuWorth, RowWorth, useWeighed, worthOf } from "../odds/odds.js";
import { useOpened } from "../ui/in-view.js";
import { Bag, Because, Button, Fold, Glyph, IconButton, useOnce } from "../ui/parts.js";
import { check, isGm, make, me, notice, refused } from "../state/store.js";
import { nearby } from "./gm-tools.js";
import { say } from "../state/words.js";

/** A number before its word, on one line with it. */
const NUMBER = /(\d) /g;

/** An offer as a button: an open one makes the move or asks; a closed one says why, and how it may be allowed. What a
 * move has done is shown in a notice, where it `says` so: there it may be seen nowhere else. */
export function Offer({ offer, given = {}, title, note, asleep, says = false }) {
  // Which reason is shown: when another one holds, it is not.
  const [explained, explain] = useState("");
  const tapped = useRef(false);
  const [waiting, tap] = useOnce(async () => {
    tapped.current = true;
    const made = await start(offer, { given });
    const text = says && made?.records.find((record) => record.text)?.text;
    if (text) notice(text);
  });
  const empty = emptyAsk(offer);
  const closed = offer.closed ?? (empty ? { text: whyEmpty(empty), remedy: "", rule: "", overridable: false } : null);
  const no = refused.value?.move === offer.key ? refused.value.refusal : explained && explained === closed?.text && closed;
  const place = useOpened(Boolean(no && (closed || tapped.current)));
  const id = `why-${offer.key}`;
  return html`<div class="offer-place" data-move=${offer.key} ref=${place}>
    <button type="button" class="offer" aria-disabled=${closed || asleep ? "true" : undefined} aria-busy=${waiting ? "true" : undefined}
      aria-expanded=${closed ? String(Boolean(no)) : undefined} aria-controls=${no ? id : undefined}
      onClick=${closed ? () => explain(no ? "" : closed.text) : (event) => asleep || tap(event)}>
      <span class="offer-title strong">${title ?? offer.title}${note && html`<span class="offer-note block quiet small">${note}</span>`}
        ${offer.approval && !closed && !isGm.value && html`<span class="offer-note block quiet small">${say("offer.agrees", consenting(offer))}</span>`}
        ${offer.caution && html`<span class="offer-note block small">${offer.caution}</span>`}
        ${closed && !no && html`<span class="offer-note block quiet small">${closed.text}</span>`}</span>
      <span class="offer-price inline strong"><${Bag} bag=${offer.price} />${closed && html`<${Glyph} name="lock" label=${say("offer.closed")} />`}</span>
      ${closed ? html`<span></span>` : html`<${Effect} offer=${offer} />`}
    </button>
    ${no && html`<div role="status"><${Refusal} id=${id} offer=${offer} refusal=${no} args=${given} /></div>`}
  </div>`;
}

/** Why a question has no possible answer: the reason of its choices, if there is just one. */
function whyEmpty(ask) {
  const reasons = new Set(ask.choices.map((choice) => choice.closed));
  return reasons.size === 1 ? [...reasons][0] : say("offer.empty", { label: ask.label });
}

/** A reason, with a second button that sets it aside or asks the game master to. */
export function Refusal({ offer, refusal, args = {}, id }) {
  const [sure, ask] = useState(false);
  const may = refusal.overridable && refusal.code !== "when" && (offer.all_closed ?? []).every((one) => one.overridable);
  const aside = (offer.all_closed?.length ? offer.all_closed : [refusal]).map((one) => one.text).join(" ");
  const go = () => (offer.asks.length ? openMove(offer, { given: args, override: true, aside }) : make(offer.key, args, { override: true, title: offer.title }));
  return html`<${Because} refusal=${refusal} id=${id}>
    ${may && !sure && html`<div><button type="button" class="button small" onClick=${() => ask(true)}>${isGm.value ? say("override.may") : say("override.ask")}</button></div>`}
    ${may && sure && html`<p>${isGm.value ? say("override.sets", { text: aside }) : say("override.asks")}</p>
      <div class="cluster"><${Button} tone="refusal" onTap=${go}>${isGm.value ? say("override.do") : say("override.send")}<//>
      <button type="button" class="button small" onClick=${() => ask(false)}>${say("cancel")}</button></div>`}
  <//>`;
}

/** The offers beside the action, and the menus of things that a roll can buy. */
export function Offers() {
  useWeighed();
  if (!me.value || me.value.side === "spectator") return null;
  const { shown: listed, more } = nearby.value;
  // A player who does not act need not see what is closed to them; one who acts sees what points could buy.
  const quiet = Boolean(check.value) && !acts.value;
  const shut = listed.filter((offer) => (offer.closed || emptyAsk(offer)) && (quiet || !Object.keys(offer.price).length));
  return html`<section class="offers-place stack" aria-label=${say("offers.label")}>
    ${panelsOf("menu").map((panel) => html`<${Menus} key=${panel.title} panel=${panel} />`)}
    <${List} offers=${listed.filter((offer) => !shut.includes(offer))} />
    ${shut.length > 0 && html`<${Fold} title=${say("offers.shut", { n: shut.length })}><${List} offers=${shut} /><//>`}
    <${More} offers=${more} title=${say("drawer.more")} />
  </section>`;
}

function List({ offers }) {
  return offers.length > 0 && html`<div class="offers stack gap-2">${offers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} note=${beside(offer) && !offer.closed ? say("lanes.beside") : ""} />`)}</div>`;
}

const FIRST_ROWS = 6;

function Menus({ panel }) {
  const listed = shownOf(panel).filter((offer) => !docked.value.has(offer.key));
  const open = listed.filter((offer) => !offer.closed);
  const isRow = (offer) => (panel.binds.rows ?? []).includes(offer.key);
  // The closed rows of the book's menu are for the player who spends from it.
  const shut = acts.value || open.some(isRow) ? listed.filter((offer) => offer.closed && isRow(offer)) : [];
  if (open.length + shut.length === 0 || check.value?.phase !== "rolled") return null;
  return html`<section class="menu stack">
    <h3 class="label">${panel.title}</h3>
    ${open.map((offer) => html`<${Menu} key=${offer.key} offer=${offer} alone=${open.filter(rowsOf).length === 1} />`)}
    ${shut.length > 0 && html`<div class="offers stack gap-2">${shut.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} />`)}</div>`}
  </section>`;
}

/** The question of a move whose choices are rows; none where it asks for words. */
const rowsOf = (offer) => offer.asks.find((ask) => ask.kind === "choice" && ask.needed && ask.choices.length && ask.name !== "with");

/** One move of a menu: each choice of its first question is a row with its price. */
function Menu({ offer, alone }) {
  const [all, show] = useState(false);
  const rows = rowsOf(offer);
  if (!rows) return html`<${Offer} offer=${offer} />`;
  const first = [...rows.choices.filter((choice) => !choice.closed), ...rows.choices.filter((choice) => choice.closed)];
  const shown = all ? rows.choices : first.slice(0, FIRST_ROWS);
  return html`<${MenuHead} offer=${offer} rows=${rows} alone=${alone} /><div class="menu-rows rows">
    ${shown.map((choice) => html`<${Row} key=${choice.value} offer=${offer} name=${rows.name} choice=${choice} />`)}
    ${rows.choices.length > shown.length && html`<button type="button" class="button" data-kind="plain" onClick=${() => show(true)}>${say("menu.all", { n: rows.choices.length })}</button>`}
    ${refused.value?.move === offer.key && html`<div role="alert"><${Because} refusal=${refused.value.refusal} /></div>`}
  </div>`;
}

/** The head of a move's rows: its title, its price and worth, and the way to enter the faces of real dice. */
function MenuHead({ offer, rows, alone }) {
  const byHand = offer.asks.some((ask) => ask.kind === "faces");
  // The heading of the menu above says what a single list is.
  const agrees = offer.approval && !isGm.value;
  const bare = alone && !Object.keys(offer.price).length && !offer.caution && !agrees;
  if (bare && !byHand && !worthOf(offer.key).length) return null;
  return html`<div class="menu-head cluster"><h4 class=${bare ? "visually-hidden" : "grow strong"}>${offer.title}${agrees && html`<span class="offer-note block quiet small">${say("offer.agrees", consenting(offer))}</span>`}${offer.caution && html`<span class="offer-note block small">${offer.caution}</span>`}</h4><${Bag} bag=${offer.price} /><${MenuWorth} offer=${offer} rows=${rows} />
    ${byHand && html`<${IconButton} glyph="hand" label=${say("menu.byHand", { title: offer.title })} onTap=${() => openMove(offer, { byHand: true })} />`}</div>`;
}

/** A row is bought with one tap if nothing else is to be chosen; with several ways to pay or targets, it asks. */
function Row({ offer, name, choice }) {
  const [waiting, tap] = useOnce(() => !choice.closed && choose(offer, { [name]: choice.value }, choice.label));
  return html`<button type="button" class="menu-row row gap-3" aria-busy=${waiting ? "true" : undefined} aria-disabled=${choice.closed ? "true" : undefined} onClick=${tap}>
    <span class="grow">${choice.label}${choice.closed && html` <${Glyph} name="lock" size="16" extra="shut" /><span class="fine why block">${choice.closed}</span>`}</span><${RowWorth} offer=${offer} name=${name} choice=${choice} /><span class="menu-price count small">${choice.note.replace(NUMBER, "$1\u00a0")}</span></button>`;
}

/** The moves that have no other place. */
export function More({ offers, title }) {
  if (!offers.length) return null;
  return html`<${Fold} title=${title}><div class="offers stack gap-2">${offers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} />`)}</div></${Fold}>`;
}
