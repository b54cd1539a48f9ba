/** The questions of a form, fetched as it opens: the feed brings those of the dock alone. */

import { useEffect, useRef, useState } from "../../vendor/preact.js";
import { opensForm } from "../state/game.js";
import { line, naming, preview, table, the } from "../state/store.js";
import { troubleIn } from "../state/wire.js";

/**
 * Questions on their way for a form: `found` is the preview that has them, once it has come.
 *
 * @typedef {{ about: string, stop: AbortController, coming: Promise<any>, found: any }} Coming
 */

/** @type {Coming | null} */
let latest = null;

const aboutOf = (move, given) => JSON.stringify([move, naming(move, given), the(table).seq]);

/** Fetch the questions of a form that is about to open, unless they are known. */
export function fetchAhead(offer, given = {}) {
  const about = aboutOf(offer.key, given);
  if (offer.asks || !opensForm(offer, given) || latest?.about === about) return;
  latest?.stop.abort();
  const stop = new AbortController();
  const coming = preview(offer.key, given, false, stop.signal);
  const one = { about, stop, coming, found: null };
  latest = one;
  coming.then((found) => (one.found = found), () => (latest = latest === one ? null : latest));
}

/** What has been fetched ahead for a form that opens now, or null. */
export function takeAhead(move, given) {
  const taken = latest?.about === aboutOf(move, given) ? latest : null;
  if (taken) latest = null;
  return taken;
}

/**
 * The preview with the questions of a form, or null; why they have not come, or null; and a
 * function that tries again. A page that is back online does so, too.
 *
 * @param {(args: object, signal?: AbortSignal) => Promise<any>} look
 * @param {Coming | null} ahead
 */
export function useQuestions(isKnown, given, look, ahead) {
  const [found, setFound] = useState(ahead?.found ?? null);
  const [error, setError] = useState(null);
  const [tries, setTries] = useState(0);
  const first = useRef(ahead);
  const isLive = line.value === "live";
  useEffect(() => {
    if (isKnown || found) return undefined;
    const stop = first.current?.stop ?? new AbortController();
    const coming = first.current?.coming ?? look(given, stop.signal);
    first.current = null;
    setError(null);
    coming.then(
      (one) => stop.signal.aborted || setFound(one),
      (error) => stop.signal.aborted || setError(troubleIn(error).refusal),
    );
    return () => stop.abort();
  }, [tries, isLive]);
  return [found, error, () => setTries(tries + 1)];
}
