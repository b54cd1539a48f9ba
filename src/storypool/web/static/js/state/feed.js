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
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */

/**
 * What messages are sent on; `hang` ends it.
 *
 * @typedef {{ ask: (message: object) => boolean, probe: () => void, hang: () => void }} Line
 */

/**
 * Offers as changes, without the questions of their forms. So many records a page that knows none
 * is sent: more than it shows, and the earlier ones are fetched when they are wanted.
 */
const WANTED = { offers: true, changes: true, asks: false, newest: 150 };

/**
 * Follow a table as a seat. `hear(kind, message)` gets each record once and in order, and also
 * offers, presence, claims, notices, answers, reset; `tell(state)` gets "connecting", "live",
 * "lost", "out" or "deleted".
 *
 * @param {string} tableId
 * @param {string} seat
 * @param {(kind: string, message: any) => void} hear
 * @param {(state: string) => void} tell
 */
export const follow = (tableId, seat, hear, tell) => new Feed(tableId, seat, hear, tell);

/** The feed of one table, on one line after the other. */
class Feed {
  #last = 0;
  /** @type {string | null} */
  #epoch = null;
  /** @type {Line | null} */
  #line = null;
  /** How many sockets in a row were silent. */
  #deaf = 0;
  #isStopped = false;
  #shown = keptView();
  #patience = new Patience();
  /** @type {Timer} */
  #timer;

  constructor(tableId, seat, hear, tell) {
    this.tableId = tableId;
    this.seat = seat;
    this.hear = hear;
    this.tell = tell;
    this.pulse = new Pulse(() => this.#probe(), () => this.#broken());
    addEventListener("online", this.again);
    addEventListener("offline", this.#probe);
    document.addEventListener("visibilitychange", this.#seen);
    tell("connecting");
    this.#connect();
  }

  /** Send a message; returns whether this line can be asked. */
  ask(message) {
    return Boolean(this.#line?.ask(message));
  }

  /** Reconnect at once, where there is no line. */
  again = () => {
    if (this.#isStopped || this.#line) return;
    this.#patience.renew();
    this.#connect();
  };

  /**
   * Take records from a reply: the next ones are passed on at once, and skipped when the feed
   * brings them.
   *
   * @param {Wire.RecordShown[]} records
   */
  know(records) {
    for (const record of records) if (record.seq === this.#last + 1) this.#next(record);
  }

  /** End the feed. */
  stop() {
    this.#isStopped = true;
    removeEventListener("online", this.again);
    removeEventListener("offline", this.#probe);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#broken();
  }

  #connect() {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    const take = (message) => this.#take(message);
    const lost = (code) => this.#broken(code);
    // If a proxy blocks WebSockets, the same messages come as server-sent events.
    if (this.#deaf < SOCKET_TRIES) {
      this.#deaf += 1;
      this.#line = socket(this.tableId, this.seat, take, lost);
    } else {
      this.#line = events(this.tableId, this.seat, this.#last, take, lost);
    }
    // A server that says nothing at all is no line either.
    this.pulse.expect(SILENCE + ANSWER);
  }

  #take(message) {
    this.pulse.heard();
    if (message.type === "hello") this.#greeted(message);
    else if (message.type === "ping") this.#line?.ask({ type: "pong" });
    else if (message.type === "reset") this.#forget(message);
    else if (message.type === "record") this.#record(message);
    else if (message.type === "changes") this.hear("offers", this.#shown(message));
    else this.hear(message.type, message);
  }

  #greeted(message) {
    if (this.#epoch !== null && this.#epoch !== message.epoch) return this.#forget(message);
    this.#epoch = message.epoch;
    this.#deaf = 0;
    this.#patience = new Patience();
    this.hear("hello", message);
    this.#followAfter(this.#last);
    this.tell("live");
  }

  #record(message) {
    if (message.seq <= this.#last) return;
    if (this.#last > 0 && message.seq > this.#last + 1) this.#broken();
    else this.#next(message);
  }

  #next(record) {
    this.#last = record.seq;
    this.hear("record", record);
  }

  #forget(message) {
    this.#last = 0;
    this.#epoch = message.epoch ?? null;
    this.hear("reset", message);
    this.#followAfter(0);
  }

  #followAfter(after) {
    const asked = { type: "follow", table: this.tableId, after, epoch: this.#epoch, ...WANTED };
    this.#line?.ask(asked);
  }

  /** @param {number} [code] the server's reason */
  #broken(code) {
    clearTimeout(this.#timer);
    this.pulse.stop();
    this.#line?.hang();
    this.#line = null;
    if (this.#isStopped) return;
    if (code === 4001) return this.tell("out");
    if (code === 4004) return this.tell("deleted");
    this.tell("lost");
    if (code === RESTART) this.#patience.expectRestart();
    this.#timer = setTimeout(() => this.#connect(), this.#patience.next());
  }

  /** Ask whether the server hears: a line that is silently dead is known by no answer. */
  #probe = () => {
    this.pulse.rest();
    if (!this.#line || !isSeen()) return;
    this.pulse.expect(ANSWER);
    this.#line.probe();
  };

  #seen = () => {
    if (isSeen()) (this.#line ? this.#probe : this.again)();
  };
}

/** How long to wait until a line is tried again: longer each time. */
class Patience {
  #wait = FIRST_WAIT;
  #restarting = 0;

  /** Begin with the shortest wait. */
  renew() {
    this.#wait = FIRST_WAIT;
  }

  /**
   * A server that announced a restart is soon back: it is asked again and again, by all pages at
   * odd moments.
   */
  expectRestart() {
    this.#restarting = RESTART_TRIES;
  }

  /** The milliseconds until the next try. */
  next() {
    const time = this.#wait * (0.75 + Math.random() * (this.#restarting > 0 ? 1.5 : 0.5));
    if (this.#restarting > 0) this.#restarting -= 1;
    else this.#wait = Math.min(this.#wait * 1.8, LONGEST_WAIT);
    return time;
  }
}

/** Notices a line that has gone silent: it calls `probe` first, and `dead` without an answer. */
class Pulse {
  /** @type {Timer} */
  #silence;
  /** @type {Timer} */
  #doubt;

  constructor(probe, dead) {
    this.probe = probe;
    this.dead = dead;
  }

  /** A message has come. */
  heard() {
    this.stop();
    this.#silence = setTimeout(this.dead, LONG_SILENCE);
    this.#doubt = setTimeout(this.probe, SILENCE);
  }

  /** Something has to come within this time, in milliseconds. */
  expect(time) {
    this.rest();
    this.#doubt = setTimeout(this.dead, time);
  }

  /** Doubt the line no longer, but for a long silence. */
  rest() {
    clearTimeout(this.#doubt);
  }

  /** Notice nothing any more. */
  stop() {
    clearTimeout(this.#silence);
    this.rest();
  }
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
