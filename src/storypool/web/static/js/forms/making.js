/** Making a move: at once where nothing is left to ask, else by its form. */

import { hasInitialAnswer, initialAnswers } from "./answers.js";
import { openMove } from "./move-form.js";
import { confirmEnd, endsSession } from "../sessions/session-end.js";
import { notice } from "../state/announcements.js";
import { consenting, opensForm } from "../state/game.js";
import { check, make, preview } from "../state/store.js";
import { say } from "../state/words.js";

/** Make a move with the answers that its form would begin with. */
export const makeWithDefaults = (offer, given) =>
  make(offer.key, { ...initialAnswers(offer, given), ...given }, { title: offer.title });

/**
 * Make a move at once when it asks nothing and ends nothing that others are in, else open its form.
 */
export function makeOrOpen(offer, how = {}) {
  if (opensForm(offer, how.given ?? {})) return openMove(offer, how);
  if (endsSession(offer) && !how.override) return confirmEnd(offer, how.given);
  return makeAtOnce(offer, how.given, how.override);
}

/**
 * Make a move without its form; a notice says where the GM is asked first, as what waits for an
 * answer may be out of sight.
 */
export async function makeAtOnce(offer, given = {}, override = false) {
  const made = await make(offer.key, given, { override, title: offer.title });
  if (made?.records.some((record) => record.event?.type === "proposal.made")) {
    notice(say("ask.asked", consenting(offer)), "", "asked");
  }
  return made;
}

/**
 * Answer one question of a move: the move is made at once if nothing else is to be chosen, else its
 * form opens. With `presets`, questions that begin with an answer keep it; a move that asks for
 * words next, and begins with none, is one to tell in its form. `ask` is given the offer and the
 * question where one choice is left: it is asked there, and no form opens.
 */
export async function makeOrAsk(offer, given, title, presets = false, ask) {
  const previewed = await preview(offer.key, given, false).catch(() => null);
  const now = { ...(previewed?.offer ?? offer), title };
  const left = (now.asks ?? []).filter((one) => !(one.name in given));
  // A player who rolled here is not asked for the faces of real dice.
  const byHand = check.value?.rolled.some(({ source }) => source === "hand");
  const more = left.filter((one) =>
    one.kind !== "text" && (one.kind !== "faces" || one.needed || byHand)
  );
  // What the program must not roll in their place, the form asks.
  const real = byHand && more.some((one) => one.kind === "faces");
  const initial = presets ? initialAnswers(now, given) : {};
  // A missing answer that the form begins with is no refusal.
  const isOpen = previewed && !offer.ends &&
    (!previewed.refused || previewed.refused.field in initial);
  if (isOpen && !real && isSettled(left, presets) && more.every(settles(presets))) {
    return makeAtOnce(now, { ...initial, ...given });
  }
  const question = onlyChoice(more);
  const asksForMore = previewed && (previewed.refused?.code ?? "argument") === "argument";
  if (ask && question && asksForMore && !offer.ends) return ask(now, question);
  return openMove(now, { given, byHand: real, chosen: presets ? Object.keys(given).at(-1) : "" });
}

/**
 * Whether no text has to be written. A text with an initial answer is offered until the seat takes
 * the others as they are; one without is asked for in the form.
 */
function isSettled(left, presets) {
  if (!presets) return !left.some((ask) => ask.kind === "text" && hasInitialAnswer(ask));
  return left[0]?.kind !== "text" || hasInitialAnswer(left[0]);
}

/** Whether a question, which asks for no words, needs nobody to answer it. */
const settles = (presets) => (ask) =>
  (ask.choices.length === 1 && ask.kind === "choice") ||
  (!ask.needed && (presets || !ask.choices.length)) ||
  (presets && (ask.default ?? null) !== null);

/** The one question that is left to choose, if it suggests an answer and needs none; else null. */
export function optionalChoice({ asks }, given) {
  const only = onlyChoice(asks.filter((ask) => !(ask.name in given) && ask.kind !== "text"));
  return only?.needed ? null : only;
}

/** The one question that is left to choose, or that suggests an answer; else null. */
function onlyChoice(more) {
  const open = more.filter((ask) => ask.kind !== "choice" || ask.choices.length > 1);
  const [only] = open;
  const isAsked = only?.needed || (only?.preset ?? null) !== null;
  return open.length === 1 && isAsked && only.kind === "choice" && !only.free ? only : null;
}
