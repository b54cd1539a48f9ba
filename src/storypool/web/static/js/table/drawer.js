/** The game master's drawer: first what waits for an answer, then what can be spent now, the people, the rest. */

import { computed, html } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { openChanges, settle } from "../forms/amended-proposal.js";
import { Otherwise } from "./dock.js";
import { agreeing, answersOf, asked, docked, others, people, suggestion } from "../state/game.js";
import { Offer } from "./offers.js";
import { Bag, Button, Fold, Person } from "../ui/parts.js";
import { Boxes, Tracks } from "../characters/people.js";
import { Clamped } from "../ui/clamped.js";
import { at, call } from "../state/wire.js";
import { tried } from "../state/announcements.js";
import { byKey, check, claims, firstScene, game, here, isGm, make, notes, seatName, table, waits } from "../state/store.js";
import { openSheet } from "../ui/sheet.js";
import { FirstScene } from "./first-scene.js";
import { groups, nearby, now } from "./gm-tools.js";
import { say } from "../state/words.js";

/** The number of things that wait for an answer of this seat. */
export const waiting = computed(() => waits.value.filter((one) => one.yours).length + claims.value.length);

/** Open the drawer on a phone. */
export function openDrawer() {
  openSheet(say("drawer.title"), () => html`<${Drawer} alone=${true} />`, { kind: "drawer" });
}

/** The drawer: the same on a phone and beside the table. */
export function Drawer({ alone = false }) {
  // Between the actions of a fight its people are at hand, and what the scene needs comes after them.
  const fight = table.value.running.includes("round") && !check.value;
  return html`<div class="drawer-body stack gap-5">
    ${alone && agreeing.value && html`<${Suggested} />`}
    <${Waiting} alone=${alone} />
    ${alone && html`<${Now} />`}
    <${Notes} />
    ${fight && html`<${Scene} />`}
    <${Tools} alone=${alone} rest=${others.value} />
    ${!fight && html`<${Scene} />`}
  </div>`;
}

/** What this seat hears of how the table plays its points: a side that cannot spend because the other does not. */
export function Notes() {
  return notes.value.map((note) => html`<p class="card note" key=${note}>${note}</p>`);
}

/** What a player suggests for the action, and the buttons of the dock, which is hidden below the drawer. */
function Suggested() {
  const agree = agreeing.value;
  return html`<article class="card proposal stack gap-2" data-tone="move">
    <p class="name lead">${say("suggested.gm", { who: seatName(check.value.by), what: suggestion.value })}</p>
    <div class="cluster"><${Button} kind="primary" onTap=${() => make(agree.key, {}, { title: agree.title })}>${agree.title}<//></div>
    <${Otherwise} />
  </article>`;
}

/** What waits for an answer of this seat: claims, its waits, and the proposals that it made or answers. */
export function Waiting({ alone = false }) {
  const proposals = Object.values(table.value.proposals).filter((one) => isGm.value || one.seat === here.value.seat);
  // A proposal has a card of its own, and beside the table the dock says what is asked first.
  const beside = (one) => one !== asked.value && !answersOf(one).every((offer) => docked.value.has(offer.key));
  const carded = (one) => one.id === "proposal" && proposals.some(({ id }) => id === one.args.id);
  const ours = waits.value.filter((one) => one.yours && !carded(one) && one.id !== "suggested" && (alone || beside(one)));
  // Beside the table, who is at the door is at the thumb.
  const knocks = alone ? claims.value : [];
  if (proposals.length + knocks.length + ours.length === 0) return alone && !waits.value.length && !claims.value.length && !now.value.length ? html`<p class="quiet">${say("drawer.nothing")}</p>` : null;
  const title = say(isGm.value || knocks.length + ours.length ? "drawer.waiting" : "drawer.proposed");
  return html`<section class="stack" aria-label=${title}>
    <h3 class="label">${title}</h3>
    ${knocks.map((claim) => html`<${Claim} key=${claim.id} claim=${claim} />`)}
    ${proposals.map((proposal) => html`<${Proposal} key=${proposal.id} proposal=${proposal} />`)}
    ${ours.map((one) => html`<${Asked} key=${`${one.id} ${one.check} ${one.text}`} wait=${one} />`)}
  </section>`;
}

/** What is asked of this seat, with the offers that answer it. */
function Asked({ wait }) {
  return html`<article class="card stack" data-tone="move"><p><${Clamped} text=${wait.text} /></p>
    <div class="offers stack gap-2">${answersOf(wait).map((offer) => html`<${Offer} key=${offer.key} offer=${offer} given=${wait.args} />`)}</div></article>`;
}

/** A proposal: the move, its price, the refusals it sets aside, and two buttons. */
function Proposal({ proposal }) {
  const [accept, decline, withdraw] = ["proposal.accept", "proposal.decline", "proposal.withdraw"].map((key) => byKey.value[key]);
  const what = game.value.titles[proposal.move] ?? "";
  const priced = Object.keys(proposal.price ?? {}).length > 0;
  const own = proposal.seat === here.value.seat;
  const asked = waits.value.some((one) => one.yours && one.id === "proposal" && one.args.id === proposal.id);
  // A text that begins with the title has all answers in it.
  const whole = proposal.text.startsWith(what);
  const shown = whole ? [] : Object.entries(proposal.args).filter(([name, value]) => !["text", "check"].includes(name) && !["boolean", "number"].includes(typeof value) && value !== proposal.text).map(([, value]) => spelled(value)).filter((word) => !proposal.text.includes(word));
  return html`<article class="card proposal stack gap-2" data-tone="move">
    <p class="fine quiet">${whole ? seatName(proposal.seat) : say("proposal.from", { who: seatName(proposal.seat), what })}</p>
    <p class="name lead"><${Clamped} text=${proposal.text} /></p>
    ${shown.length > 0 && html`<p>${shown.join(" · ")}</p>`}
    ${priced && html`<p class="fine row">${say("proposal.price")} <${Bag} bag=${proposal.price} /></p>`}
    ${proposal.set_aside?.length > 0 && html`<p class="fine">${say("override.sets", { text: proposal.set_aside.join(" ") })}</p>`}
    <div class="cluster">
      ${isGm.value && asked && accept && html`<${Button} onTap=${() => make("proposal.accept", settle(proposal), { title: accept.title })}>${say("proposal.accept")}<//>
        ${questioned(proposal) && html`<${Button} onTap=${() => openChanges(accept, proposal)}>${say("proposal.change")}<//>`}`}
      ${isGm.value && decline && html`<${Button} onTap=${() => make("proposal.decline", settle(proposal), { title: decline.title })}>${say("proposal.decline")}<//>
        <${Button} kind="plain" onTap=${() => openMove({ ...decline, title: say("proposal.why") }, { given: settle(proposal) })}>${say("proposal.because")}<//>`}
      ${own && !isGm.value && withdraw && !withdraw.closed && html`<${Button} onTap=${() => make("proposal.withdraw", { id: proposal.id }, { title: withdraw.title })}>${say("proposal.withdraw")}<//>`}
    </div>
  </article>`;
}

/** Whether a proposal has answers that may be changed. */
const questioned = (proposal) => Object.keys(proposal.args).some((name) => !["check", "faces"].includes(name));

/** An answer in words: the name of a person or a die, a statement, or else as it was given. */
function spelled(value) {
  const named = table.value.characters[value] ?? table.value.seats[value];
  return named?.name ?? table.value.traits[value]?.text ?? (game.value.look[value] ? game.value.look[value].word : [value].flat().join(" "));
}

/** Who is at the door, above the next step: one after the other. */
export function Knock() {
  const [claim] = claims.value;
  return claim ? html`<div class="knock"><${Claim} key=${claim.id} claim=${claim} /></div>` : null;
}

/** A claim: a device that asks to speak for a seat, and shows the same code. */
function Claim({ claim }) {
  const answer = (agree) => () => tried(() => call("POST", at(here.value.id, "claims", claim.id), { seat: here.value.seat, agree }));
  return html`<article class="card proposal stack gap-2" data-tone="other">
    <p>${say("claim.asks", { who: seatName(claim.seat) })}</p>
    <p class="claim-code numeral text-centre" aria-label=${say("claim.code", { code: claim.code })}>${claim.code}</p>
    <div class="cluster"><${Button} onTap=${answer(true)}>${say("claim.agree")}<//><${Button} onTap=${answer(false)}>${say("claim.refuse")}<//></div>
  </article>`;
}

/** The game master's tools in the order of the game: the first few that are open, and all others folded away. */
function Tools({ alone, rest }) {
  const all = groups(alone);
  // Beside the table they are folded where they stand.
  const near = { title: say("drawer.now"), offers: alone ? nearby.value.more : [] };
  const more = [near, ...all.map(({ title, later }) => ({ title, offers: later })), { title: say("drawer.others"), offers: rest }].filter(({ offers }) => offers.length);
  return html`${all.map(({ title, first }) => html`<${Group} key=${title} title=${title} offers=${first} />`)}
    ${more.length > 0 && html`<${Fold} title=${say("drawer.more")}><div class="stack gap-5">
      ${more.map(({ title, offers }) => html`<${Group} key=${title} title=${title} offers=${offers} />`)}</div><//>`}`;
}

/** The actions that are possible now, because on a phone the drawer hides the table. */
function Now() {
  return html`${firstScene.value && html`<${FirstScene} />`}<${Group} title=${say("drawer.now")} offers=${now.value} />`;
}

function Group({ title, offers }) {
  if (!offers.length) return null;
  return html`<section class="stack drawer-group"><h3 class="label">${title}</h3>
    <div class="offers stack gap-2">${offers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} says=${true} />`)}</div></section>`;
}

/** The people of the scene that the game master plays, with their tracks. */
function Scene() {
  const own = people.value.filter((one) => one.side === "gm");
  if (!own.length) return null;
  return html`<section class="stack"><h3 class="label">${say("drawer.people")}</h3>
    ${own.map((one) => html`<div class="scene-one cluster between" key=${one.id}><div class="row"><${Person} name=${one.name} side="gm" /><span class="name">${one.name}</span></div><${Tracks} one=${one} /><${Boxes} one=${one} /></div>`)}</section>`;
}
