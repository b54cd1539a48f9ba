/**
 * What the page wants to know about the table: asked on its feed once, and answered there whenever
 * the answer changes.
 */

import { at, call, Trouble, troubleIn, unanswered } from "./wire.js";

/**
 * Milliseconds after which a request is made again that got no answer, or about which more will be
 * known.
 */
const AGAIN = 2000;

/**
 * The questions by the names that they have on the feed: { about, hear, fail, once, answer,
 * requests }.
 */
const asked = new Map();
let count = 0;
let due = false;
/** How to ask, and as whom: `feed(message)` says whether the feed can be asked. */
let by = { feed: (_message) => false, id: "", seat: "" };

/** Ask on this feed of a table from now on, as a seat of it; all that is open is asked again. */
export function askBy(feed, { id, seat }) {
  by = { feed, id, seat };
  tell();
}

/** The feed is lost: what was asked there once gets no answer. */
export function unheard() {
  for (const [name, one] of [...asked]) {
    if (one.once && !one.requests) end(name, one, unanswered());
  }
}

/**
 * Have `hear(answer, seq)` called with the answer to a question, and again with each later one;
 * with null where there is none. It is `{ check, brief, move }` about odds, or `{ preview: { move,
 * args, override } }`. Returns what ends it.
 */
export function watch(about, hear) {
  return add({ about, hear, once: false });
}

/** Return the answer to a question as it is now. Throws `Trouble`. */
export function ask(about, signal) {
  return new Promise((hear, fail) => {
    const stop = add({ about, hear, fail, once: true });
    signal?.addEventListener("abort", () => {
      stop();
      fail(signal.reason);
    });
  });
}

/** Take an answer of the feed; one that is as before comes without its content. */
export function answered({ name, seq, odds, preview, error }) {
  const one = asked.get(name);
  if (!one) return;
  if (error) return end(name, one, new Trouble(409, error));
  one.answer = odds ?? preview ?? one.answer;
  give(name, one, one.answer, seq);
}

/** The table has changed: without a feed that can be asked, what is watched is requested again. */
export function changed() {
  for (const [name, one] of asked) if (one.requests) request(name, one);
}

function add(one) {
  const name = `q${(count += 1)}`;
  asked.set(name, { ...one, requests: 0 });
  tell();
  return () => asked.delete(name) && tell();
}

/**
 * Say what the page wants to know, once for all that comes together; what nobody can see is not
 * watched.
 */
function tell() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    const seen = [...asked].filter(([, { once }]) =>
      once || document.visibilityState === "visible"
    );
    const questions = Object.fromEntries(
      seen.map(([name, { about, once }]) => [name, { ...about, once }]),
    );
    const heard = by.feed({ type: "watch", questions });
    for (const [name, one] of seen) {
      if (heard && !one.once) one.requests = 0;
      if (!heard && !one.requests) request(name, one);
    }
  });
}

document.addEventListener("visibilitychange", tell);

async function request(name, one) {
  const n = (one.requests += 1);
  const again = () =>
    setTimeout(() => asked.get(name) === one && one.requests === n && request(name, one), AGAIN);
  try {
    const answer = await fetched(one.about);
    if (asked.get(name) !== one || one.requests !== n) return;
    give(name, one, answer, answer.seq);
    if (answer.solving) again();
  } catch (error) {
    const trouble = troubleIn(error);
    if (asked.get(name) !== one || one.requests !== n) return;
    if (trouble.passing && !one.once) again();
    else end(name, one, trouble);
  }
}

/** The answer to a question over HTTP. */
function fetched({ preview, ...about }) {
  const { id, seat } = by;
  if (preview) return call("POST", at(id, "preview"), { seat, ...preview });
  return call("GET", `${at(id, "odds")}?${new URLSearchParams({ seat, ...about })}`);
}

function give(name, one, answer, seq) {
  if (one.once) asked.delete(name);
  one.hear(answer, seq);
}

/** There is no answer. */
function end(name, one, trouble) {
  if (one.once) asked.delete(name);
  if (one.fail) one.fail(trouble);
  else one.hear(null, 0);
}
