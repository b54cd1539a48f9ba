/**
 * How much of what a game master may do is in sight: between actions a handful, and all else one
 * tap away.
 */

import { computed } from "../../vendor/preact.js";
import {
  actions,
  answersOf,
  currentWait,
  dockedKeys,
  isAsked,
  isAskedFor,
  panelsOf,
  primaryOffer,
  shownOf,
} from "../state/game.js";
import { check, isGm, table, the, waits } from "../state/store.js";
import { say } from "../state/words.js";

/**
 * How many tools of a game master are in sight at most: those beside the action, and those of the
 * drawer.
 */
const MOST_TOOLS = 7;
/**
 * While an action is open, so many of the drawer are in sight at least; between actions, so many
 * stand at most beside it.
 */
const LEAST_TOOLS = 2;
const MOST_BESIDE = 4;

/** Whether an offer can be taken as it stands. */
const open = (offer) => !offer.closed && !offer.empty;

/**
 * Whether a wait is asked of this seat and has no place of its own: a proposal has a card, a
 * suggestion the stage.
 */
const isCard = (one) => one.yours && !["proposal", "suggested"].includes(one.id);

/** The moves that answer what is asked besides, in part: they stand on its card alone. */
const onCards = computed(() =>
  new Set(
    waits.value.filter((one) =>
      isCard(one) && one !== currentWait.value && Object.keys(one.args).length > 0
    ).flatMap(answersOf).map(({ key }) => key),
  )
);

/**
 * The offers beside the action: { shown, more }, where a game master between actions is shown the
 * first few alone.
 */
export const nearby = computed(() => {
  const setup = panelsOf("setup").flatMap(shownOf).filter((offer) =>
    !dockedKeys.value.has(offer.key) && !offer.closed
  );
  const listed = [...new Set([...setup, ...actions.value])].filter(({ key }) =>
    !onCards.value.has(key)
  );
  if (!isGm.value || check.value) return { shown: listed, more: [] };
  const shown = listed.filter(open).slice(0, MOST_BESIDE);
  return { shown, more: listed.filter((offer) => !shown.includes(offer)) };
});

/** The moves that stand beside an order of turns. */
const turns = () =>
  the(table).turns.length ? panelsOf("slots").flatMap(({ binds }) => binds.moves ?? []) : [];

/**
 * What is asked of this seat with an answer that stands nowhere else: [{ wait, answers }]. A
 * proposal has a card of its own. A drawer that covers the table (`alone`) has all that is asked.
 */
export function asksOf(alone) {
  const menus = panelsOf("menu").flatMap(shownOf);
  const near = new Set([
    ...dockedKeys.value,
    ...turns(),
    ...[...nearby.value.shown, ...menus].map(({ key }) => key),
  ]);
  // An answer that the wait gives in part is another one than the offer of that move.
  const own = ({ args }, { key }) => alone || Object.keys(args).length > 0 || !near.has(key);
  const cards = waits.value.filter((one) => isCard(one) && (alone || one !== currentWait.value));
  return cards.map((wait) => ({
    wait,
    answers: answersOf(wait).filter((offer) => own(wait, offer)),
  })).filter(({ answers }) => alone || answers.length);
}

/**
 * What stands first in a drawer that covers the table: the next step, where nothing is asked, and
 * what is beside it.
 */
export function nowIn(alone) {
  const answers = new Set(asksOf(alone).flatMap((one) => one.answers.map(({ key }) => key)));
  return [isAsked.value ? null : primaryOffer.value, ...nearby.value.shown].filter((offer) =>
    offer && !offer.closed && !answers.has(offer.key)
  );
}

/**
 * What the dock begins with one tap, with the form that asks for its name; the drawer of a phone
 * has that form anyway.
 */
function named(offer) {
  const asks = dockedKeys.value.has(offer.key) && open(offer) && isAskedFor(offer, "title");
  return asks ? [{ ...offer, title: say("drawer.named", { title: offer.title }) }] : [];
}

/**
 * The drawer's groups: [{ title, first, later }]; `alone` says whether it covers what is beside the
 * action.
 */
export function groups(alone) {
  const answers = asksOf(alone).flatMap((one) => one.answers);
  const elsewhere = [...answers, ...nearby.value.shown].map(({ key }) => key);
  const near = new Set([...elsewhere, ...(alone ? [] : turns())]);
  const taken = alone
    ? nowIn(alone).length
    : nearby.value.shown.filter((offer) => !offer.closed).length;
  // Before a session and after it nothing needs them: the next session is the next step.
  const most = the(table).running.includes("session") ? MOST_TOOLS : 0;
  let room = Math.max(check.value ? LEAST_TOOLS : 0, most - taken);
  return panelsOf("drawer").map((panel) => {
    const offers = shownOf(panel).filter((offer) =>
      (alone || !dockedKeys.value.has(offer.key)) && !near.has(offer.key)
    );
    const first = offers.filter(open).slice(0, room);
    room -= first.length;
    return {
      title: panel.title,
      first,
      later: [
        ...offers.filter((offer) => !first.includes(offer)),
        ...(alone ? [] : shownOf(panel).flatMap(named)),
      ],
    };
  });
}
