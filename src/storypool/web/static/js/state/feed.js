/**
 * The live feed of one table: in order, without gaps or duplicates, and reconnected when it breaks.
 */

import { keptView } from "./feed-changes.js";
import { at } from "./wire.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/**
 * After so many milliseconds without a message, a page that is looked at asks whether the server
 * hears it.
 */
const SILENCE = 4000;
/** Without an answer for so many milliseconds the line is dead, though nothing has closed it. */
const ANSWER = 5000;
/** And without a message for so many, no matter who looks: the server pings in between. */
const LONG_SILENCE = 70_000;
const RESTART = 1012;
const RESTART_TRIES = 25;
const SOCKET_TRIES = 2;
/**
 * Offers as changes, without the questions of their forms. So many records a page that knows none
 * is sent: more than it shows, and the earlier ones are fetched when they are wanted.
 */
const WANTED = { offers: true, changes: true, asks: false, newest: 150 };

/**
 * Follow a table as a seat. `hear(kind, message)` gets each record once and in order, and also
 * offers, presence, claims, notices, answers, reset; `tell(state)` gets "connecting", "live",
 * "lost", "out" or "deleted". Returns { stop, again, know, ask }, where `ask(message)` says whether
 * this line can be asked.
 */
export function follow(tableId, seat, hear, tell) {
  let last = 0;
  let epoch = null;
  let line = null;
  let wait = FIRST_WAIT;
  let timer = null;
  let silence = null;
  let doubt = null;
  let deaf = 0;
  let restarting = 0;
  let stopped = false;
  const shown = keptView();

  function trust() {
    clearTimeout(doubt);
    doubt = setTimeout(ask, SILENCE);
  }

  /** Ask whether the server hears: a line that is silently dead is known by no answer. */
  function ask() {
    clearTimeout(doubt);
    if (!line || !isSeen()) return;
    doubt = setTimeout(broken, ANSWER);
    line.probe();
  }

  function take(message) {
    clearTimeout(silence);
    silence = setTimeout(broken, LONG_SILENCE);
    trust();
    if (message.type === "hello") {
      if (epoch !== null && epoch !== message.epoch) return forget(message);
      epoch = message.epoch;
      deaf = 0;
      restarting = 0;
      wait = FIRST_WAIT;
      hear("hello", message);
      followAfter(last);
      tell("live");
    } else if (message.type === "ping") {
      line?.ask({ type: "pong" });
    } else if (message.type === "reset") {
      forget(message);
    } else if (message.type === "record") {
      if (message.seq <= last) return;
      if (last > 0 && message.seq > last + 1) return broken();
      next(message);
    } else if (message.type === "changes") {
      hear("offers", shown(message));
    } else {
      hear(message.type, message);
    }
  }

  /**
   * Take records from a reply: the next ones are passed on at once, and skipped when the feed
   * brings them.
   */
  function know(records) {
    for (const record of records) if (record.seq === last + 1) next(record);
  }

  function next(record) {
    last = record.seq;
    hear("record", record);
  }

  function forget(message) {
    last = 0;
    epoch = message.epoch ?? null;
    hear("reset", message);
    followAfter(0);
  }

  function followAfter(after) {
    line?.ask({ type: "follow", table: tableId, after, epoch, ...WANTED });
  }

  function broken(code) {
    for (const one of [silence, doubt, timer]) clearTimeout(one);
    line?.hang();
    line = null;
    if (stopped) return;
    if (code === 4001) return tell("out");
    if (code === 4004) return tell("deleted");
    tell("lost");
    // A server that announced a restart is soon back: it is asked again and again, by all pages at
    // odd moments.
    if (code === RESTART) restarting = RESTART_TRIES;
    timer = setTimeout(connect, wait * (0.75 + Math.random() * (restarting > 0 ? 1.5 : 0.5)));
    if (restarting > 0) restarting -= 1;
    else wait = Math.min(wait * 1.8, LONGEST_WAIT);
  }

  function connect() {
    if (stopped) return;
    clearTimeout(timer);
    const lost = (code) => broken(code);
    // If a proxy blocks WebSockets, the same messages come as server-sent events.
    if (deaf < SOCKET_TRIES) {
      deaf += 1;
      line = socket(tableId, seat, take, lost);
    } else {
      line = events(tableId, seat, last, take, lost);
    }
    // A server that says nothing at all is no line either.
    doubt = setTimeout(broken, SILENCE + ANSWER);
  }

  function again() {
    if (stopped || line) return;
    wait = FIRST_WAIT;
    connect();
  }

  const seen = () => isSeen() && (line ? ask() : again());
  addEventListener("online", again);
  addEventListener("offline", ask);
  document.addEventListener("visibilitychange", seen);
  tell("connecting");
  connect();
  return {
    again,
    know,
    ask: (message) => Boolean(line?.ask(message)),
    stop() {
      stopped = true;
      removeEventListener("online", again);
      removeEventListener("offline", ask);
      document.removeEventListener("visibilitychange", seen);
      broken();
    },
  };
}

const isSeen = () => document.visibilityState === "visible";

function socket(tableId, seat, take, lost) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(
    `${scheme}://${location.host}${at(tableId, "live")}?seat=${encodeURIComponent(seat)}`,
  );
  let over = false;
  socket.onmessage = (event) => over || take(JSON.parse(event.data));
  socket.onclose = (event) => {
    if (over) return;
    over = true;
    lost(event.code);
  };
  const ask = (message) => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  };
  return {
    ask,
    probe: () => ask({ type: "ping" }),
    hang() {
      over = true;
      socket.close();
    },
  };
}

function events(tableId, seat, after, take, lost) {
  const query = new URLSearchParams({
    seat,
    after: String(after),
    ...Object.fromEntries(Object.entries(WANTED).map(([name, value]) => [name, String(value)])),
  });
  const source = new EventSource(`${at(tableId, "events")}?${query}`);
  for (
    const kind of ["hello", "record", "changes", "presence", "claims", "notices", "reset", "ping"]
  ) {
    source.addEventListener(
      kind,
      (event) => take({ type: kind, ...JSON.parse(event.data || "{}") }),
    );
  }
  source.addEventListener("closed", (event) => lost(JSON.parse(event.data).code));
  source.onerror = () => lost(0);
  // Nothing can be sent on this line: the server pings it before it would be asked.
  return { ask: () => false, probe() {}, hang: () => source.close() };
}
