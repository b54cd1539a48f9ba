/** What the server says of the answers in a form, before they are sent. */

import { useEffect, useRef, useState } from "../../vendor/preact.js";
import { answersTo } from "./answers.js";
import { Trouble } from "../state/wire.js";
import { busy, check, table, the } from "../state/store.js";

/** Milliseconds after the last change. */
const PAUSE = 140;
const MOST_ROUNDS = 4;

/** @import { Answers } from "../state/store.js" */

/**
 * What the answers in a form would do: `of` are the answers that it is about, and `sent` those of
 * them that are still asked for.
 *
 * @typedef {Partial<Wire.PreviewState> & { of?: Answers, sent?: Answers }} AnswersPreview
 */

/**
 * Preview the answers a moment after they, or the action that the form is about, have changed.
 * Returns the latest preview, and a function that previews them at once. `found` is the preview of
 * what is given, if it is known.
 *
 * @param {Wire.OfferShown} first
 * @param {Answers} given
 * @param {Answers} args
 * @param {(args: Answers, signal?: AbortSignal) => Promise<Wire.PreviewState>} look
 * @param {Wire.PreviewState} [found]
 * @returns {[AnswersPreview, (signal?: AbortSignal) => Promise<AnswersPreview>]}
 */
export function usePreview(first, given, args, look, found) {
  const fit = (offer) => answersTo(args, offer, first, given);
  const [preview, setPreview] = useState(/** @returns {AnswersPreview} */ () => {
    const sent = fit(first);
    const isKnown = found && JSON.stringify(sent) === JSON.stringify(given);
    return isKnown ? { ...found, of: args, sent } : { offer: first };
  });
  const isKnown = useRef(Boolean(preview.of));
  const previewNow = async (signal) => {
    const found = await settledPreview(look, fit, offerOf(preview, first), signal);
    if (!signal?.aborted) setPreview((old) => ({ ...old, ...found, of: args }));
    return found;
  };
  // What its own move makes of the action is no news to the form; what others make of it changes
  // what it shows.
  const action = given.check ? the(table).checks[given.check] : check.value;
  useEffect(() => {
    if (busy.value === first.key || isKnown.current) {
      isKnown.current = false;
      return undefined;
    }
    return afterPause(previewNow);
  }, [JSON.stringify(args), JSON.stringify(action ?? null)]);
  return [preview, previewNow];
}

/**
 * The offer as the answers have made it.
 *
 * @param {AnswersPreview} preview
 * @param {Wire.OfferShown} first
 */
export const offerOf = (preview, first) => preview.offer?.key ? preview.offer : first;

/**
 * The question without whose answer the move is refused, because it is needed or other answers make
 * it so; or "".
 *
 * @param {AnswersPreview} preview
 */
export function missingOf({ refused, of }) {
  const isMissing = refused?.code === "argument" && of?.[refused.field] === undefined;
  return isMissing ? refused.field : "";
}

/**
 * The refusal of these answers, without that of earlier ones and of what is still missing; or null.
 *
 * @param {AnswersPreview} preview
 * @param {Answers} args
 */
export function refusalOf({ refused, of }, args) {
  if (!refused || of !== args) return null;
  return refused.code !== "argument" || args[refused.field] !== undefined ? refused : null;
}

/** Do something a moment after the last change, unless another follows. */
function afterPause(work) {
  const stop = new AbortController();
  const timer = setTimeout(() => work(stop.signal), PAUSE);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

/** Preview the answers, and again without those to questions that are not asked any more. */
async function settledPreview(look, fit, offer, signal) {
  let sent = fit(offer);
  for (let round = 1;; round += 1) {
    const found = await tryPreview(look, sent, signal);
    // A move that its price closes asks nothing. The answers that made the price stay on the form.
    if (found.offer?.closed && !found.offer.asks.length) {
      return { ...found, offer: { ...offer, price: found.offer.price }, sent };
    }
    const next = found.offer?.key ? fit(found.offer) : sent;
    if (round === MOST_ROUNDS || JSON.stringify(next) === JSON.stringify(sent)) {
      return { ...found, sent };
    }
    sent = next;
  }
}

async function tryPreview(look, sent, signal) {
  try {
    return await look(sent, signal);
  } catch (error) {
    const refused = error instanceof Trouble && !error.unanswered ? error.refusal : null;
    return { refused, pool: null, check: null, odds: null };
  }
}
