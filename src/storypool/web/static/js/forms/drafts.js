/**
 * What was typed in a form that was not sent: it is there again when the same form is opened for
 * the same action.
 */

import { signal } from "../../vendor/preact.js";
import { check, here, naming } from "../state/store.js";

/** Answers by what their form was about; they last as long as the page. */
const drafts = new Map();
/** The titles of the drafts that wait until another action is done. */
export const keptDrafts = signal({});

/**
 * What the form of a move is about: this seat at this table, the move, the action in sight, and
 * what is known.
 */
export function draftOf(move, ...known) {
  return JSON.stringify([here.value?.id, here.value?.seat, move, check.value?.id ?? "", ...known]);
}

/** The title of what was kept for this move until another action was done, or "". */
export const keptFor = (offer, given) =>
  keptDrafts.value[draftOf(offer.key, naming(offer.key, given), false)] ?? "";

/** Return the answers that were typed, as far as these questions can still be answered so. */
export function draftAnswers(draft, asks) {
  const open = (ask, value) =>
    ask.kind !== "choice" || ask.free ||
    ask.choices.some((choice) => choice.value === value && !choice.closed);
  // Faces were rolled for one time.
  const fits = ([name, value]) =>
    asks.every((ask) => ask.name !== name || (ask.kind !== "faces" && open(ask, value)));
  return Object.fromEntries(Object.entries(drafts.get(draft) ?? {}).filter(fits));
}

/** Keep what was typed. */
export function keepDraft(draft, answers) {
  drafts.set(draft, answers);
}

/**
 * Keep what was typed until the action in sight is done; it is offered again then, by this title.
 */
export function keepForLater(draft, title) {
  keptDrafts.value = { ...keptDrafts.value, [draft]: title };
}

/** Forget what was typed for a move that was sent later. */
export function dropDraftsOf(move) {
  for (const draft of drafts.keys()) if (JSON.parse(draft)[2] === move) dropDraft(draft);
}

/** Forget what was typed for a form that was sent. */
export function dropDraft(draft) {
  drafts.delete(draft);
  keptDrafts.value = Object.fromEntries(
    Object.entries(keptDrafts.value).filter(([key]) => key !== draft),
  );
}
