/**
 * The game master's drawer: first what waits for an answer, then what can be spent now, the people,
 * the rest.
 */

import { computed, html } from "../../vendor/preact.js";
import { Otherwise } from "./dock.js";
import { agreeOffer, askedProposal, otherOffers, suggestion } from "../state/game.js";
import { Offer } from "./offers.js";
import { asks, Proposal } from "./proposal.js";
import { Button, Fold } from "../ui/parts.js";
import { Claim, ScenePeople } from "../screens/rarely-shown.js";
import { Clamped } from "../ui/clamped.js";
import {
  check,
  claims,
  firstScene,
  here,
  isGm,
  make,
  notes,
  seatName,
  table,
  the,
  waits,
} from "../state/store.js";
import { openSheet } from "../ui/sheet.js";
import { FirstScene } from "./first-scene.js";
import { asksOf, groups, nearby, nowIn } from "./gm-tools.js";
import { say } from "../state/words.js";

/** The number of things that wait for an answer of this seat. */
export const waiting = computed(() =>
  waits.value.filter((one) => one.yours).length + claims.value.length
);

/** Open the drawer on a phone. */
export function openDrawer() {
  openSheet(say("drawer.title"), () => html`<${Drawer} alone=${true} />`, { kind: "drawer" });
}

/** The drawer: the same on a phone and beside the table, where the people are in sight already. */
export function Drawer({ alone = false }) {
  // Between the actions of a fight its people come first, and what the scene needs after them.
  const fight = the(table).running.includes("round") && !check.value;
  return html`
    <div class="drawer-body stack gap-5">
      ${alone && agreeOffer.value && html`<${Suggested} />`}
      <${Waiting} alone=${alone} />
      ${alone && html`<${Now} />`}
      <${Notes} />
      ${alone && fight && html`<${ScenePeople} />`}
      <${Tools} alone=${alone} rest=${otherOffers.value} />
      ${alone && !fight && html`<${ScenePeople} />`}
    </div>
  `;
}

/**
 * What this seat hears of how the table plays its points: a side that cannot spend because the
 * other does not.
 */
export function Notes() {
  return notes.value.map((note) => html`<p class="card note" key=${note}>${note}</p>`);
}

/**
 * What a player suggests for the action, and the buttons of the dock, which is hidden below the
 * drawer.
 */
function Suggested() {
  const agree = the(agreeOffer);
  return html`
    <article class="card proposal stack gap-2" data-tone="move">
      <p class="name lead">
        ${say("suggested.gm", { who: seatName(the(check).by), what: suggestion.value })}
      </p>
      <div class="cluster">
        <${Button} kind="primary" onTap=${() => make(agree.key, {}, { title: agree.title })}>
          ${agree.title}
        <//>
      </div>
      <${Otherwise} />
    </article>
  `;
}

/**
 * What waits for an answer of this seat, and then what it proposed itself or others of others. The
 * dock answers one proposal beside the table.
 */
export function Waiting({ alone = false }) {
  const proposals = Object.values(the(table).proposals).filter((one) =>
    (isGm.value || one.seat === the(here).seat) && (alone || one !== askedProposal.value)
  );
  // Beside the table, who is at the door is at the thumb.
  const knocks = alone ? claims.value : [];
  const ours = asksOf(alone);
  const [mine, theirs] = [proposals.filter(asks), proposals.filter((one) => !asks(one))];
  // One thing is answered at a time, in one place: the dock, or what covers it.
  const isAnswered = agreeOffer.value || (!alone && askedProposal.value);
  const isClear = alone && !proposals.length && !waits.value.length && !claims.value.length &&
    !nowIn(true).length;
  return html`
    ${isClear && html`<p class="quiet">${say("drawer.nothing")}</p>`}
    ${knocks.length + mine.length + ours.length > 0 && html`
      <${Listed} title=${say("drawer.waiting")}>
        ${knocks.map((claim) => html`<${Claim} key=${claim.id} claim=${claim} />`)}
        ${mine.map((one, i) =>
          html`<${Proposal} key=${one.id} proposal=${one} first=${i > 0 || isAnswered} />`
        )}
        ${ours.map((one) =>
          html`<${Asked} key=${`${one.wait.id} ${one.wait.check} ${one.wait.text}`} ...${one} />`
        )}
      <//>
    `}
    ${theirs.length > 0 &&
      html`
        <${Listed} title=${say("drawer.proposed")}>
          ${theirs.map((one) => html`<${Proposal} key=${one.id} proposal=${one} />`)}
        <//>
      `}
  `;
}

const Listed = ({ title, children }) =>
  html`
    <section class="stack"
      aria-label=${title}><h3 class="label">${title}</h3>${children}</section>
  `;

/** What is asked of this seat, with the offers that answer it. */
function Asked({ wait, answers }) {
  return html`
    <article class="card stack" data-tone="move">
      <p>
        <${Clamped} text=${wait.text} />
      </p>
      <div class="offers stack gap-2">
        ${answers.map((offer) =>
          html`<${Offer} key=${offer.key} offer=${offer} given=${wait.args} />`
        )}
      </div>
    </article>
  `;
}

/** Who is at the door, above the next step: one after the other. */
export function Knock() {
  const [claim] = claims.value;
  return claim
    ? html`
      <div class="knock">
        <${Claim} key=${claim.id} claim=${claim} />
      </div>
    `
    : null;
}

/**
 * The game master's tools in the order of the game: the first few that are open, and all others
 * folded away.
 */
function Tools({ alone, rest }) {
  const all = groups(alone);
  const near = { title: say("drawer.now"), offers: nearby.value.more };
  const more = [near, ...all.map(({ title, later }) => ({ title, offers: later })), {
    title: say("drawer.others"),
    offers: rest,
  }].filter(({ offers }) => offers.length);
  return html`
    ${all.map(({ title, first }) => html`<${Group} key=${title} title=${title} offers=${first} />`)}
    ${more.length > 0 && html`
      <${Fold} title=${say("drawer.more")}>
        ${html`
          <div class="stack gap-5">
            ${more.map(({ title, offers }) =>
              html`<${Group} key=${title} title=${title} offers=${offers} />`
            )}
          </div>
        `}
      <//>
    `}
  `;
}

/** The actions that are possible now, because on a phone the drawer hides the table. */
function Now() {
  return html`
    ${firstScene.value && html`<${FirstScene} />`}
    <${Group} title=${say("drawer.now")} offers=${nowIn(true)} />
  `;
}

function Group({ title, offers }) {
  if (!offers.length) return null;
  return html`
    <section class="stack drawer-group">
      <h3 class="label">${title}</h3>
      <div class="offers stack gap-2">
        ${offers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} says=${true} />`)}
      </div>
    </section>
  `;
}
