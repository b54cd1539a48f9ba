/** The game master's drawer: first what waits for an answer, then what can be spent now, the people, the rest. */

import { computed, html } from "../vendor/preact.js";
import { openMove } from "./asks.js";
import { openChanges, settle } from "./changes.js";
import { actions, agreeing, others, panelsOf, people, primary, shownOf, suggestion, windows } from "./game.js";
import { useEconomy } from "./gauge.js";
import { Offer, More, Otherwise } from "./offers.js";
import { Bag, Button, Person } from "./parts.js";
import { Tracks } from "./people.js";
import { at, call } from "./wire.js";
import { byKey, check, claims, game, here, isGm, lanes, make, notes, seatName, table, tried } from "./store.js";
import { openSheet } from "./sheet.js";
import { say } from "./words.js";

/** The number of things that wait for an answer of this seat. */
export const waiting = computed(() => {
  if (!table.value) return 0;
  const proposals = isGm.value ? Object.keys(table.value.proposals).length : 0;
  const suggested = isGm.value ? lanes.value.filter((one) => Object.keys(one.suggested ?? {}).length).length : 0;
  return suggested + proposals + claims.value.length + (isGm.value && windows.value[0]?.mine && windows.value[0]?.key === "gm" ? 1 : 0);
});

/** Open the drawer on a phone. */
export function openDrawer() {
  openSheet(say("drawer.title"), () => html`<${Drawer} alone=${true} />`, { kind: "drawer" });
}

/** The drawer: the same on a phone and beside the table. */
export function Drawer({ alone = false }) {
  const rest = others.value.filter((offer) => offer.closed?.code !== "when" && offer.closed?.code !== "identity");
  return html`<div class="drawer-body stack">
    ${alone && agreeing.value && html`<${Suggested} />`}
    <${Waiting} />
    ${alone && html`<${Now} />`}
    <${Notes} />
    ${panelsOf("drawer").map((panel) => html`<${Group} key=${panel.title} title=${panel.title} offers=${shownOf(panel)} />`)}
    <${Scene} />
    <${More} offers=${rest} title=${say("drawer.more")} />
  </div>`;
}

/** What this seat is told of how the table plays its points: a side that cannot spend because the other does not. */
export function Notes() {
  return notes.value.map((note) => html`<p class="card note" key=${note}>${note}</p>`);
}

/** What a player suggests for the action, and the buttons of the dock, which is hidden below the drawer. */
function Suggested() {
  const agree = agreeing.value;
  return html`<article class="card proposal" data-tone="move">
    <p class="name proposal-text">${say("suggested.gm", { who: seatName(check.value.by), what: suggestion.value })}</p>
    <div class="cluster"><${Button} kind="primary" onTap=${() => make(agree.key, {}, { title: agree.title })}>${agree.title}<//></div>
    <${Otherwise} />
  </article>`;
}

/** What waits for an answer: windows, proposals, claims. */
export function Waiting() {
  const proposals = Object.values(table.value.proposals).filter((one) => isGm.value || one.seat === here.value.seat);
  const window = isGm.value && windows.value[0]?.key === "gm" && windows.value[0].mine;
  if (!proposals.length && !claims.value.length && !window) return isGm.value && !suggestion.value ? html`<p class="quiet">${say("drawer.nothing")}</p>` : null;
  return html`<section class="stack" aria-label=${say("drawer.waiting")}>
    <h3 class="label">${say("drawer.waiting")}</h3>
    ${claims.value.map((claim) => html`<${Claim} key=${claim.id} claim=${claim} />`)}
    ${window && html`<p class="card" data-tone="move">${say("drawer.window")}</p>`}
    ${proposals.map((proposal) => html`<${Proposal} key=${proposal.id} proposal=${proposal} />`)}
  </section>`;
}

/** A proposal: the move, its price, the refusals it sets aside, and two buttons. */
function Proposal({ proposal }) {
  const [accept, decline, withdraw] = ["proposal.accept", "proposal.decline", "proposal.withdraw"].map((key) => byKey.value[key]);
  const what = game.value.titles[proposal.move] ?? "";
  const priced = Object.keys(proposal.price ?? {}).length > 0;
  const own = proposal.seat === here.value.seat;
  const told = Object.entries(proposal.args).filter(([name, value]) => !["text", "check"].includes(name) && value !== false && value !== proposal.text).map(([, value]) => spelled(value));
  return html`<article class="card proposal" data-tone="move">
    <p class="fine quiet">${say("proposal.from", { who: seatName(proposal.seat), what })}</p>
    <p class="name proposal-text">${proposal.text}</p>
    ${told.length > 0 && html`<p>${told.join(" · ")}</p>`}
    ${priced && html`<p class="fine row">${say("proposal.price")} <${Bag} bag=${proposal.price} /></p>`}
    ${proposal.set_aside?.length > 0 && html`<p class="fine">${say("override.sets", { text: proposal.set_aside.join(" ") })}</p>`}
    <div class="cluster">
      ${isGm.value && accept && html`<${Button} onTap=${() => make("proposal.accept", settle(proposal), { title: accept.title })}>${say("proposal.accept")}<//>
        ${questioned(proposal) && html`<${Button} onTap=${() => openChanges(accept, proposal)}>${say("proposal.change")}<//>`}`}
      ${isGm.value && decline && html`<${Button} onTap=${() => make("proposal.decline", settle(proposal), { title: decline.title })}>${say("proposal.decline")}<//>
        <${Button} kind="plain" onTap=${() => openMove({ ...decline, title: say("proposal.why") }, { given: settle(proposal) })}>${say("proposal.because")}<//>`}
      ${own && !isGm.value && withdraw && !withdraw.closed && html`<${Button} onTap=${() => make("proposal.withdraw", { id: proposal.id }, { title: withdraw.title })}>${say("proposal.withdraw")}<//>`}
    </div>
  </article>`;
}

/** Whether a proposal has answers that may be changed. */
const questioned = (proposal) => Object.keys(proposal.args).some((name) => !["check", "faces"].includes(name));

/** An answer in words: the name of a person or a die, or else as it was given. */
function spelled(value) {
  const named = table.value.characters[value] ?? table.value.seats[value];
  return named?.name ?? (game.value.look[value] ? game.value.look[value].word : [value].flat().join(" "));
}

/** A claim: a device that asks to speak for a seat, and shows the same code. */
function Claim({ claim }) {
  const answer = (agree) => () => tried(() => call("POST", at(here.value.id, "claims", claim.id), { seat: here.value.seat, agree }));
  return html`<article class="card proposal" data-tone="other">
    <p>${say("claim.asks", { who: seatName(claim.seat) })}</p>
    <p class="claim-code count" aria-label=${say("claim.code", { code: claim.code })}>${claim.code}</p>
    <div class="cluster"><${Button} onTap=${answer(true)}>${say("claim.agree")}<//><${Button} onTap=${answer(false)}>${say("claim.refuse")}<//></div>
  </article>`;
}

/** The actions that are possible now, because on a phone the drawer hides the table. */
function Now() {
  const open = [agreeing.value ? null : primary.value, ...actions.value].filter((offer) => offer && !offer.closed);
  return html`<${Group} title=${say("drawer.now")} offers=${open} />`;
}

function Group({ title, offers }) {
  if (!offers.length) return null;
  return html`<section class="stack drawer-group"><h3 class="label">${title}</h3>
    <div class="offers">${offers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} />`)}</div></section>`;
}

/** The people of the scene that the game master plays, with their tracks. */
function Scene() {
  const own = people.value.filter((one) => one.side === "gm");
  if (!own.length) return null;
  return html`<section class="stack"><h3 class="label">${say("drawer.people")}</h3>
    ${own.map((one) => html`<div class="scene-one" key=${one.id}><div class="row"><${Person} name=${one.name} side="gm" /><span class="name">${one.name}</span></div><${Tracks} one=${one} /></div>`)}</section>`;
}

/** How the table plays its points, with the notes for this seat. */
export function Economy() {
  const seen = useEconomy();
  if (!seen) return null;
  const rows = seen.accounts ?? [];
  return html`<section class="stack economy"><h3 class="label">${say("economy.title")}</h3>
    <table class="economy-table"><thead><tr><th scope="col">${say("economy.points")}</th><th scope="col">${say("economy.now")}</th><th scope="col">${say("economy.spent")}</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.account}><th scope="row">${game.value.look[row.account]?.plural ?? row.account}</th><td class="count">${row.balance}</td><td class="count">${row.spent}</td></tr>`)}</tbody></table>
    ${(seen.notes ?? []).map((note) => html`<p class="quiet" key=${note}>${note}</p>`)}</section>`;
}
