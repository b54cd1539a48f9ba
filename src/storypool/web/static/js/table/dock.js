/** The bar at the thumb: one sentence to the reader, and the next step. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { Chips, MOST_CHIPS, ToForm } from "./chips.js";
import { Clamped } from "../ui/clamped.js";
import { asksNothing, hasInitialAnswer } from "../forms/answers.js";
import { keptFor } from "../forms/drafts.js";
import { makeAtOnce, makeOrOpen, makeWithDefaults } from "../forms/making.js";
import { openMove } from "../forms/move-form.js";
import { endsSession } from "../sessions/session-end.js";
import {
  agreeOffer,
  askedProposal,
  atOnce,
  besides,
  currentWait,
  decideOffer,
  eveningSteps,
  furtherAnswers,
  isAsked,
  isOutsideMenus,
  isOver,
  menuOffers,
  othersAreAsked,
  playsNobody,
  pricedAnswers,
  primaryOffer,
  purses,
  suggestedTo,
} from "../state/game.js";
import { FirstScene } from "./first-scene.js";
import { Hint } from "../ui/hints.js";
import { askWhom } from "../screens/rarely-shown.js";
import { keepRealDice, rollsRealDice } from "../state/real-dice.js";
import { RealDice, realDice, rolls, useFacesOnceDue } from "../forms/real-dice-button.js";
import { buys, ToMenu } from "./menus.js";
import { Offer, Refusal } from "./offers.js";
import { OtherAnswers, Terms } from "./proposal.js";
import { Bag, Button, Glyph, IconButton, useOnce } from "../ui/parts.js";
import { byKey, check, firstScene, game, me, refused, table, the, turnTo } from "../state/store.js";
import { oneOf, say } from "../state/words.js";

/**
 * For so many milliseconds from its being painted on, what comes to stand in the dock does not
 * answer: a tap was meant for what stood there.
 */
const ASLEEP = 600;
/** A sentence of more letters has a title in it that may be cut. */
const LONG_SENTENCE = 130;
/** The most steps that fit beside the main button; more, and other actions, stand above it. */
const MOST_BESIDE = 2;
/** So many letters of a title fit beside the main button, and where there is another one too. */
const LONG_TITLE = 22;
const SHORT_TITLE = 17;

/**
 * The dock: what the table waits for, and of this seat the step that it waits for; spectators read
 * the first alone.
 */
export function Dock() {
  const wait = currentWait.value;
  const offer = primaryOffer.value;
  const asleep = useAsleep(`${wait?.id} ${wait?.check} ${offer?.key}`, Boolean(offer));
  useFacesOnceDue(offer, wait?.yours ? wait.args : {});
  if (!me.value || (me.value.side === "spectator" && !wait)) return null;
  const now = refused.value;
  const refusal = offer && now && now.move === offer.key ? now.refusal : null;
  const elsewhere = wait?.yours && wait.check && check.value && wait.check !== check.value.id;
  return html`
    <div
      class="dock stack gap-1"
      data-mine=${String(isAsked.value)}
      data-asleep=${asleep ? "true" : undefined}
    >
      <${Hint}
        about=${{
          dock: offer,
          pool: check.value?.phase === "build" && the(game).dice.length > 0,
          points: the(table).running.includes("session") &&
            purses.value.some(({ side }) => side !== "gm"),
        }}
      />
      <p class="dock-state small text-centre" role="status">${sentence(wait, offer)}</p>
      ${askedProposal.value && html`
        <div class="stack gap-0 small centre">
          <${Terms} proposal=${askedProposal.value} />
        </div>
      `}
      ${refusal
        ? html`
          <div role="alert">
            <${Refusal} offer=${offer} refusal=${refusal} args=${now?.args} />
          </div>
        `
        : html`<${Unseen} />`}
      ${elsewhere
        ? html`<${TurnTo} action=${wait.check} />`
        : html`<${Answers} wait=${wait} offer=${offer} asleep=${asleep} />`}
    </div>
  `;
}

/** The way to the other of two open actions, where that is what waits for this seat. */
function TurnTo({ action }) {
  return html`
    <div class="dock-row gap-2">
      <button type="button" class="button" data-kind="primary" onClick=${() => turnTo(action)}>
        ${say("dock.turn")}
      </button>
    </div>
  `;
}

/** What this seat may answer, or begin: the gold step last, above other answers to a proposal. */
function Answers({ wait, offer, asleep }) {
  // A game master with nobody left to act for goes on with the evening all the same.
  const rest = offer || wait ? [] : eveningSteps.value;
  return html`
    ${[false, ...(offer && realDice(offer) ? [] : [true])].map((row) =>
      html`<${Priced} key=${row} given=${wait?.args} asleep=${asleep} row=${row} />`
    )}
    ${menuOffers.value.length > 0 && html`<${ToMenu} offers=${menuOffers.value} />`}
    ${!wait && !offer && playsNobody.value && html`
      <div class="dock-row gap-2">
        <${Button} kind="primary" onTap=${askWhom}>${say("whom.title")}<//>
      </div>
    `}
    ${rest.length > 0 &&
      html`
        <div class="dock-row gap-2">
          ${rest.map((one) =>
            html`<${Step} key=${one.key} offer=${one} given=${{}} asleep=${asleep} />`
          )}
        </div>
      `}
    ${offer &&
      html`
        <${Steps}
          key=${offer.key}
          offer=${offer}
          given=${wait?.yours ? wait.args : {}}
          asleep=${asleep}
        />
      `}
    ${agreeOffer.value && html`<${Otherwise} />`}
    ${askedProposal.value && html`
      <div class="cluster otherwise">
        <${OtherAnswers} proposal=${askedProposal.value} />
      </div>
    `}
  `;
}

/**
 * The further answers that have a price: above any other step, or beside a roll with real dice if
 * they are short enough.
 */
const Priced = ({ given, asleep, row }) =>
  pricedAnswers.value.filter((one) => row === atOnce(one)).map((one) =>
    html`<${Offer} key=${one.key} offer=${one} given=${given} asleep=${asleep} />`
  );

/** A refusal that nothing in sight shows comes to the thumb, where the finger is. */
function Unseen() {
  const now = refused.value;
  const [unseen, setUnseen] = useState(/** @type {typeof now} */ (null));
  useEffect(() => {
    const thumb = document.querySelector(".thumb")?.getBoundingClientRect().top ?? innerHeight;
    const inSight = ({ top, bottom }) => bottom > 0 && top < thumb;
    const shown = [...document.querySelectorAll(".because")].some((one) =>
      one.checkVisibility() && inSight(one.getBoundingClientRect())
    );
    setUnseen(now && !shown ? now : null);
  }, [now]);
  if (!now || unseen !== now) return null;
  return html`
    <div role="alert">
      <${Refusal}
        offer=${byKey.value[now.move] ?? { asks: [] }}
        refusal=${now.refusal}
        args=${now.args}
      />
    </div>
  `;
}

/** The sentence: what is asked of the reader stands out; what others are asked is quiet. */
function sentence(wait, offer) {
  if (wait?.yours) {
    return html`
      <strong class="your-move">
        <${Clamped} key=${wait.text} text=${wait.text} long=${LONG_SENTENCE} />
      </strong>
    `;
  }
  return html`
    <span class="quiet">
      ${wait
        ? html`<${Clamped} key=${wait.text} text=${wait.text} long=${LONG_SENTENCE} />`
        : say(offer ? "dock.free" : playsNobody.value ? "whom.none" : "dock.quiet")}
    </span>
  `;
}

/**
 * The next step as chips, where one choice answers it, or as the main button with the other answers
 * beside it.
 */
function Steps({ offer, given, asleep }) {
  const wait = currentWait.value;
  // What a player begins of their own accord is more than who begins it.
  const ask = wait?.yours ? chipped(offer, given) : null;
  const more = [...furtherAnswers.value, ...(wait?.yours ? [] : eveningSteps.value)];
  const several = Boolean(wait?.yours) && wait.moves.length > 1;
  // Where the answers are scrolled, what is beside them stays in sight with the further steps.
  const hasOneMore = more.length === 1;
  const fits = more.length <= MOST_BESIDE && !besides.value.length;
  const steps = more.map((one) =>
    html`
      <${Step}
        key=${one.key}
        offer=${one}
        given=${given}
        asleep=${asleep}
        crowded=${fits && more.length > 1}
        real=${!rolls(offer)}
      />
    `
  );
  return html`
    ${ask && html`
      <${Chips}
        offer=${offer}
        ask=${ask}
        given=${given}
        asleep=${asleep}
        caption=${several ? offer.title : ask.kind === "number" ? ask.label : ""}
        whole=${!hasOneMore}
      />
    `}
    ${!fits && html`<div class="cluster otherwise">${steps}</div>`}
    ${hasFirstScene(offer) && html`<${FirstScene} asleep=${asleep} />`}
    <div class="dock-row gap-2">
      ${!ask &&
        html`
          <${Main}
            offer=${offer}
            given=${given}
            asleep=${asleep}
            crowded=${more.length > (askable(offer, given) ? 0 : 1)}
          />
        `}
      ${realDice(offer) && html`<${Priced} given=${given} asleep=${asleep} row />`}
      ${ask && hasOneMore && html`<${ToForm} offer=${offer} given=${given} asleep=${asleep} />`}
      ${fits && steps}
    </div>
  `;
}

/**
 * Whether a session could begin with the first scene of the game: that stands first, and is the
 * gold step.
 */
const hasFirstScene = (offer) => firstScene.value && offer.key === "session.begin";

/**
 * The only question of a move that still needs an answer, if it has few possible ones; else null.
 * What needs words is asked in the form afterwards.
 */
function chipped(offer, given) {
  const needed = offer.asks.filter((ask) =>
    ask.needed && ask.kind !== "text" && !(ask.name in given)
  );
  const open = needed.filter((ask) => (ask.default ?? null) === null);
  const [ask] = open.length ? open : needed;
  if (!ask || ask.free || open.length > 1 || (!open.length && needed.length > 1)) return null;
  const n = ask.kind === "choice"
    ? ask.choices.filter((choice) => !choice.closed).length
    : ask.kind === "number" && ask.low !== null && ask.high !== null
    ? ask.high - ask.low + 1
    : 0;
  return n > 1 && n <= MOST_CHIPS ? ask : null;
}

/**
 * What a game master may do with a suggestion but agree to it: decide otherwise, or call the action
 * off.
 */
export function Otherwise() {
  const decide = decideOffer.value;
  const cancel = byKey.value["check.cancel"];
  return html`
    <div class="cluster otherwise">
      ${decide &&
        html`
          <button
            type="button"
            class="button"
            data-move=${decide.key}
            onClick=${() => openMove(decide, { answers: suggestedTo(decide) })}
          >
            ${say("suggested.change")}
          </button>
        `}
      ${cancel && !cancel.closed &&
        html`<${Button} data-move=${cancel.key} onTap=${() =>
          makeOrOpen(cancel)}>${cancel.title}<//>`}
    </div>
  `;
}

/** Make a move that still needs nothing, or open its form. */
const go = (offer, given) =>
  needless(offer, given) && !endsSession(offer)
    ? makeAtOnce(offer, given)
    : makeOrOpen(offer, { given });

/**
 * Whether nothing that a move needs is still to be answered, nor whether to end what others are in.
 */
const needless = (offer, given) =>
  !offer.ends && offer.asks.every((ask) => ask.name in given || !ask.needed);

/**
 * Make a move with what its form begins with where that leaves nothing to ask, as `go` otherwise.
 */
const goWithDefaults = (offer, given) =>
  asksNothing(offer, given) && !endsSession(offer)
    ? makeWithDefaults(offer, given)
    : go(offer, given);

/**
 * What the form of a move that is made at once could ask all the same, or "": other answers than it
 * begins with, or words.
 */
function askable(offer, given) {
  const asks = asksNothing(offer, given) || needless(offer, given)
    ? offer.asks.filter((ask) => !(ask.name in given))
    : [];
  const alone = (ask) =>
    ask.kind === "choice" && ask.needed && !ask.free &&
    ask.choices.filter((choice) => !choice.closed).length < 2;
  if (asks.some((ask) => hasInitialAnswer(ask) && !alone(ask))) return "change";
  return asks.some((ask) => ask.name === "text") ? "words" : "";
}

/** Whether a move is a purchase: it has a price, or is one where its roll has paid for it. */
const isPurchase = (offer) => Object.keys(offer.price).length > 0 || !isOutsideMenus(offer.key);

/**
 * What the form of a move that is made at once would begin with, but for what goes without saying.
 */
function usual(offer, given) {
  const open = offer.asks.filter((ask) =>
    !(ask.name in given) && (ask.needed || (ask.preset ?? null) !== null) && hasInitialAnswer(ask)
  );
  const shown = open.filter((ask) =>
    ask.kind === "text" || (ask.kind === "choice" && ask.choices.length > 1)
  );
  const values = shown.map((ask) => {
    const value = ask.preset ?? ask.default;
    return ask.choices.find((choice) => choice.value === value)?.label ?? value;
  });
  return values.filter((value) => !offer.title.includes(value)).join(", ");
}

/**
 * Whether the main button is gold: not for a step that loses or accepts something bad, leaves free
 * rows of a menu as they are, goes ahead of others, is bought, or begins another evening.
 */
const isGold = (offer) =>
  !offer.caution && !offer.ends && !offer.loss && !isPurchase(offer) && !buys.value &&
  !othersAreAsked.value && !isOver() && !hasFirstScene(offer);

/** The main button; beside it, where it begins with answers, the way to change them. */
function Main({ offer, given, asleep, crowded }) {
  const kept = keptFor(offer, given);
  const ask = askable(offer, given);
  const real = realDice(offer, given);
  const isReal = real && rollsRealDice.value;
  const begin = () => {
    if (real) keepRealDice(false);
    return kept ? openMove(offer, { given }) : goWithDefaults(offer, given);
  };
  const [waiting, tap] = useOnce(isReal ? real : begin);
  const note = offer.caution || (asksNothing(offer, given) ? usual(offer, given) : "");
  return html`
    <button
      type="button"
      class="button"
      data-kind=${isGold(offer) ? "primary" : "wide"}
      id="primary"
      data-long=${crowded && (note || offer.title.length > SHORT_TITLE) ? "true" : undefined}
      data-move=${offer.key}
      aria-busy=${waiting ? "true" : undefined}
      aria-disabled=${asleep ? "true" : undefined}
      onClick=${(event) => asleep || tap(event)}
    >
      ${isReal
        ? html`<${Glyph} name="hand" size="24" />`
        : rolls(offer) && html`<${Glyph} name="roll" size="24" />`}
      <span>
        ${isReal ? say("dock.real") : kept ? say("dock.next", { title: kept }) : offer.title}
        ${note && html`<span class="offer-note block small">${note}</span>`}
      </span>
      <${Bag} bag=${offer.price} />
    </button>
    ${isReal
      ? html`<${IconButton} glyph="roll" label=${offer.title} word=${
        say("dock.roll")
      } onTap=${begin} />`
      : html`<${RealDice} way=${real} />`}
    ${ask && html`
      <${Button}
        kind="plain"
        data-change=${offer.key}
        disabled=${asleep}
        onTap=${() => openMove(offer, { given })}
      >
        ${oneOf("dock.ask", ask)}
      <//>
    `}
  `;
}

/**
 * A further answer, as a plain button, with its caution: what it costs of this roll, or loses. With
 * real dice too where the main one rolls none.
 */
function Step({ offer, given, asleep, crowded, real = false }) {
  const long = offer.caution || offer.title.length > (crowded ? SHORT_TITLE : LONG_TITLE);
  return html`
    <${Button}
      data-move=${offer.key}
      data-long=${long ? "true" : undefined}
      disabled=${asleep}
      onTap=${() => go(offer, given)}
    >
      <span>
        ${offer.title}
        ${offer.caution && html`<span class="offer-note block small">${offer.caution}</span>`}
      </span>
      <${Bag} bag=${offer.price} />
    <//>
    ${real && html`<${RealDice} way=${realDice(offer, given)} />`}
  `;
}

/**
 * Whether the dock has just changed under the thumb: `what` says what it asks, `stands` whether it
 * has a button.
 */
function useAsleep(what, stands) {
  const [, wake] = useState({});
  const last = useRef({ what, stands, asleep: false });
  if (last.current.what !== what) last.current = { what, stands, asleep: last.current.stands };
  const now = last.current;
  useEffect(() => {
    if (!now.asleep) return undefined;
    let frame = 0;
    let timer = null;
    const sleep = () => {
      timer = setTimeout(() => {
        now.asleep = false;
        wake(now);
      }, ASLEEP);
    };
    // The second frame comes after the first is painted, which takes a slow phone a while: before,
    // nobody can mean it.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(sleep);
    });
    return () => (cancelAnimationFrame(frame), clearTimeout(timer));
  }, [now]);
  return now.asleep;
}
