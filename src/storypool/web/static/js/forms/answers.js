/** Answers to the questions of a move: what they begin with, and which of them are sent. */

import { check } from "../state/store.js";
import { diceOf, dieOf, inOrder, notation } from "../state/looks.js";

/**
 * What may stay open without a word: real dice, and what is only chosen. A text is asked for, and
 * so are dice for another side.
 */
const OPTIONAL = new Set(["faces", "choice", "number"]);

/** @import { Answers } from "../state/store.js" */

/**
 * What the form of a move begins with, but for the questions that are answered.
 *
 * @param {Wire.OfferShown} offer
 * @param {Answers} args
 * @returns {Answers}
 */
export function initialAnswers(offer, args) {
  const preset = offer.asks.filter((ask) => !(ask.name in args) && (ask.preset ?? null) !== null);
  return Object.fromEntries(preset.map((ask) => [ask.name, ask.preset]));
}

/**
 * Whether a question has its answer before anybody gives one.
 *
 * @param {Wire.AskView} ask
 */
export const hasInitialAnswer = (ask) => (ask.preset ?? ask.default ?? null) !== null;

/**
 * Whether the form of a move would have nothing left that has to be asked: every question begins
 * with its answer, or may stay open, and it ends nothing that others are in.
 *
 * @param {Wire.OfferShown} offer
 * @param {Answers} given
 */
export const asksNothing = (offer, given) =>
  !offer.ends &&
  offer.asks.every((ask) =>
    ask.name in given || hasInitialAnswer(ask) || (!ask.needed && OPTIONAL.has(ask.kind))
  );

/**
 * What a question shows: its answer, what is taken without one, or what the form begins with.
 *
 * @param {Answers} args
 * @param {Wire.AskView} ask
 */
export function shownAnswer(args, ask) {
  return args[ask.name] ?? (ask.name in args ? null : ask.preset) ?? ask.default ?? undefined;
}

/**
 * The answers to questions that are still asked; what was given for the move without a question
 * stays.
 *
 * @param {Answers} args
 * @param {Wire.OfferShown} offer
 * @param {Wire.OfferShown} first
 * @param {Answers} given
 * @returns {Answers}
 */
export function answersTo(args, offer, first, given) {
  const asked = new Set(offer.asks.map((ask) => ask.name));
  const unasked = new Set(
    Object.keys(given).filter((name) => !first.asks.some((ask) => ask.name === name)),
  );
  const isSent = ([name, value]) => (asked.has(name) || unasked.has(name)) && value !== undefined;
  return {
    ...initialAnswers(offer, args),
    ...Object.fromEntries(Object.entries(args).filter(isSent)),
  };
}

/**
 * Whether some dice have no face yet, such as those that explode after others.
 *
 * @param {Wire.AskView} ask
 * @param {Answers} args
 * @param {import("./answers-preview.js").AnswersPreview} preview
 */
export const lacksFaces = (ask, args, preview) =>
  (args[ask.name]?.length ?? 0) < diceToEnter(ask, preview).length;

/**
 * Whether a question has no possible answer now, and needs none.
 *
 * @param {Wire.AskView} ask
 */
export function hasNoOpenChoice(ask) {
  return ask.kind === "choice" && !ask.choices.length && !ask.needed && !ask.free;
}

/**
 * The questions that most people leave alone, folded away: those for dice and numbers by hand among
 * them.
 *
 * @param {Wire.AskView} ask
 */
export function isFolded(ask) {
  return !ask.needed &&
    (["pool", "flag", "sheet"].includes(ask.kind) ||
      (ask.kind === "number" && (ask.default ?? null) === null));
}

/**
 * Whether a question asks to hide what is made from the players: it stands beside the button that
 * sends the form, one tap away.
 *
 * @param {Wire.AskView} ask
 */
export const isHiding = ({ name, kind }) => name === "secret" && kind === "flag";

/**
 * The numbers of a sheet, unanswered: those of one character are not another's.
 *
 * @param {Wire.OfferShown} offer
 */
export const clearedNumbers = (offer) =>
  Object.fromEntries(
    offer.asks.filter((ask) => ask.kind === "sheet").map((ask) => [ask.name, undefined]),
  );

/**
 * The dice whose faces are entered: those that the question names, or those of the action.
 *
 * @param {Wire.AskView} ask
 * @param {import("./answers-preview.js").AnswersPreview} preview
 */
export function diceToEnter(ask, preview) {
  const pool = preview.check?.pool ?? preview.pool;
  const named = ask.choices.map(({ value, note }) => ({ ...countedDie(value), note }));
  const own = pool && notation(pool) !== notation(check.value?.pool)
    ? inOrder(pool).map(dieOf)
    : diceOf(check.value);
  return (named.length ? named : own).filter((die) => die.faces.length > 1);
}

/** A die as it counts in the open action, if all dice of that name read the same there. */
function countedDie(name) {
  const [one, ...more] = diceOf(check.value).filter((die) => die.name === name);
  return one && more.every((die) => JSON.stringify(die.faces) === JSON.stringify(one.faces))
    ? one
    : dieOf(name);
}
