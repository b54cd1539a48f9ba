/** The state of the page: the session, the table as our seat sees it, and pending moves. */

import { batch, computed, effect, signal } from "../../vendor/preact.js";
import { follow } from "./feed.js";
import { filled } from "./feed-changes.js";
import { answered as hearAnswer, ask, askBy, changed, unheard } from "./questions.js";
import { spoken, standing } from "./announcements.js";
import { at, call, inLanguage, newToken, troubleIn } from "./wire.js";
import { eventOf } from "./record-events.js";
import { keep, kept } from "./browser-storage.js";
import { callMaster, learn, say } from "./words.js";

/**
 * A move that was refused, and why; `seq` is the number of the record after which it was.
 *
 * @typedef {{ move: string, args: Answers, refusal: Wire.RefusalShown, seq: number }} Refused
 */

/**
 * A move that got no answer; `since` is when it was made, in milliseconds.
 *
 * @typedef {{
 *   move: string,
 *   args: Answers,
 *   override: boolean,
 *   token: string,
 *   title: string,
 *   since: number,
 * }} Unsent
 */

/** @import { Button } from "./feed-changes.js" */

/**
 * The answers to the questions of a move, by their names.
 *
 * @typedef {Record<string, any>} Answers
 */

/** The session of this browser. */
export const session = signal(/** @type {Wire.SessionState | null} */ (null));

/** The open table, and as whom it is open. */
export const here = signal(/** @type {{ id: string, seat: string } | null} */ (null));
/** The table as our seat sees it, and the game it plays. */
export const table = signal(/** @type {Wire.TableShown | null} */ (null));
export const game = signal(/** @type {Wire.GameShown | null} */ (null));
export const notes = signal(/** @type {string[]} */ ([]));
/** Whether this game master may play the first scene: this table has had no scene. */
export const firstScene = signal(false);
/** The log as our seat may read it, from some record on, and the seats that are connected. */
export const records = signal(/** @type {Wire.RecordShown[]} */ ([]));
export const presence = signal(/** @type {string[]} */ ([]));
/** What came since dice began to fall: only the stage shows it until they lie. Null without any. */
const held = signal(
  /** @type {{ records: Wire.RecordShown[], message?: any } | null} */ (null),
);
/** The log with what is held back, for the stage. */
export const stageRecords = computed(() => [...records.value, ...(held.value?.records ?? [])]);
/** The action whose dice fall, by its id; or undefined. */
export const fallingAction = computed(() =>
  eventOf(held.value?.records.findLast(({ event }) => event?.type === "dice.rolled"), "dice.rolled")
    ?.check
);
/** The rolls whose dice are in the air, by their record numbers. */
const inAir = new Set();
/** Whether the dice of a record fall on this page; set by the room that draws them. */
let isThrown = (/** @type {Wire.RecordShown} */ _record) => false;
/** Devices that ask to speak for a seat. */
export const claims = signal(/** @type {Wire.ClaimState[]} */ ([]));
/** The state of the feed: "connecting", "live", "lost", "out" or "deleted". */
export const line = signal("connecting");
/** Whether our seat is no longer at the table: it is free again, or the table was deleted. */
export const isGone = computed(() => line.value === "out" || line.value === "deleted");
/** The number of the last record when we came: later ones are new. */
export const firstSeq = signal(0);

/**
 * The key of the pending move, a refusal to show beside its move, and the moves that got no answer,
 * the first first.
 */
export const busy = signal("");
export const refused = signal(/** @type {Refused | null} */ (null));
export const unsent = signal(/** @type {Unsent[]} */ ([]));
export const me = computed(() => table.value?.seats[here.value?.seat ?? ""] ?? null);
export const isGm = computed(() => me.value?.side === "gm");
/** Whether this seat decides for the table: a GM's, or a player's in a game without a GM. */
export const leads = computed(() =>
  isGm.value || (game.value?.has_gm === false && me.value?.side === "player")
);
/**
 * The open actions, one or two: the latest that everybody sees, then the latest that is hidden from
 * the players.
 */
export const lanes = computed(() => {
  const open = Object.values(table.value?.checks ?? {});
  return [open.filter((one) => !one.seen_by).at(-1), open.filter((one) => one.seen_by).at(-1)]
    .filter((one) => one !== undefined);
});
/** The action that the page is about: where two are open, the one that this seat has turned to. */
export const check = computed(() =>
  lanes.value.find((one) => one.id === turned.value) ?? lanes.value[0] ?? null
);
const turned = signal("");

/**
 * Every move of ours, open or closed: the feed sends those for the first action, those for the
 * other are fetched.
 */
export const offers = computed(() => {
  if (check.value === (lanes.value[0] ?? null)) return fed.value;
  return apart.value.check === the(check).id ? apart.value.offers : [];
});
const fed = signal(/** @type {Button[]} */ ([]));
/** What the table waits for, in words for our seat, the most pressing first. */
export const waits = signal(/** @type {Wire.Waiting[]} */ ([]));
const apart = signal({ check: "", seq: 0, offers: /** @type {Button[]} */ ([]) });
effect(() => {
  const id = check.value?.id;
  if (table.value && id && id !== lanes.value[0]?.id) fetchApart(id);
});

/** Offers by their key. */
export const byKey = computed(() =>
  Object.fromEntries(offers.value.map((offer) => [offer.key, offer]))
);

/**
 * The value of a signal that is not empty: what is drawn at a table, or done there, needs an open
 * table. Throws otherwise.
 *
 * @template T
 * @param {{ value: T | null }} signal
 * @returns {T}
 */
export function the(signal) {
  if (signal.value === null) throw new TypeError("No table is open.");
  return signal.value;
}

const LONGEST_BUSY = 1000;
/** @type {ReturnType<typeof follow> | null} */
let feed = null;
let heard = [];
let before = Promise.resolve();
const underWay = new Set();

const catalogues = new Map();

/** The address of something of the open table, as our seat sees it. */
export function ours(...parts) {
  return `${at(the(here).id, ...parts)}?seat=${encodeURIComponent(the(here).seat)}`;
}

/**
 * Load the words of a language by its key, or of the server's default: as many as this page shows.
 */
export async function speak(language = "", page = "page") {
  const words = catalogues.get(language) ??
    (await call("GET", inLanguage(`/api/words?of=${page}`, language)));
  // The server's default is a language like others to a table that names it.
  catalogues.set(language, words).set(words.language, words);
  learn(words);
}

/** Fetch the session of this browser. */
export async function learnSession() {
  /** @type {Wire.SessionState} */
  const learnt = await call("GET", "/api/session");
  session.value = learnt;
  standing.value = learnt.notices;
  return learnt;
}

/** Open a table as one of our seats, and follow it. */
export function enter(id, seat) {
  leave();
  here.value = { id, seat };
  keep("played", { ...kept("played", {}), [`${id}/${seat}`]: Date.now() });
  feed = follow(id, seat, hear, (state) => {
    line.value = state;
    return state === "live" ? askBy((message) => feed?.ask(message), { id, seat }) : unheard();
  });
}

/** Stop following. */
export function leave() {
  feed?.stop();
  feed = null;
  heard = [];
  if (catalogues.has("")) learn(catalogues.get(""));
  callMaster();
  batch(() => {
    here.value =
      table.value =
      game.value =
      refused.value =
        null;
    unsent.value = [];
    fed.value =
      waits.value =
      records.value =
      presence.value =
      claims.value =
      notes.value =
        [];
    firstScene.value = false;
    apart.value = { check: "", seq: 0, offers: [] };
    busy.value = turned.value = "";
    firstSeq.value = 0;
    held.value = null;
    line.value = "connecting";
  });
}

/** Reconnect at once. */
export const reconnect = () => feed?.again();

function hear(kind, message) {
  if (kind === "hello") {
    firstSeq.value ||= message.seq;
    // What still holds is sent again.
    standing.value = [];
  } else if (kind === "record") gather(message);
  else if (kind === "offers") take(message);
  else if (kind === "answer") hearAnswer(message);
  else if (kind === "presence") presence.value = message.seats;
  else if (kind === "notices") standing.value = message.texts;
  else if (kind === "claims") claims.value = message.claims;
  else if (kind === "reset") {
    heard = [];
    held.value = null;
    firstSeq.value = message.seq ?? 0;
    records.value = [];
  }
}

/** Collects records, so that the page is drawn once for all that come together. */
function gather(record) {
  if (!heard.length) {
    queueMicrotask(() => {
      if (heard.length) publish(heard);
      heard = [];
    });
  }
  heard.push(record);
}

/** Show records, or hold them back while dice fall: their result is read once they lie. */
function publish(news) {
  if (!held.value && table.value && news.some(startsFall)) {
    held.value = { records: [] };
    setTimeout(releaseUnlessFalling, LONGEST_BUSY);
  }
  if (held.value) held.value = { ...held.value, records: [...held.value.records, ...news] };
  else records.value = [...records.value, ...news];
}

/** Whether the stage throws the dice of a record: those of its action, or of none. */
const startsFall = (record) =>
  record.event?.type === "dice.rolled" && isThrown(record) &&
  (!check.value || check.value.id === record.event.check);

/** Hold back what comes with the dice that this room throws. */
export const holdBack = (thrown) => (isThrown = thrown);

/** The dice of a roll fall from now on. Returns how to say that they lie. */
export function fall(seq) {
  inAir.add(seq);
  return () => {
    inAir.delete(seq);
    releaseUnlessFalling();
  };
}

function releaseUnlessFalling() {
  if (inAir.size || !held.value) return;
  const { records: news, message } = held.value;
  batch(() => {
    held.value = null;
    records.value = [...records.value, ...news];
    if (message) show(message);
  });
}

async function take(message) {
  if (game.value?.key !== message.table.system) {
    const language = message.table.options.language;
    await speak(language);
    game.value = await call("GET", inLanguage(`/api/systems/${message.table.system}`, language));
    callMaster(the(game).master);
  }
  if (!held.value) return show(message);
  held.value.message = message;
  // The stage has drawn what is held, so its dice are in the air, or none are thrown.
  setTimeout(releaseUnlessFalling);
}

function show(message) {
  batch(() => {
    table.value = message.table;
    fed.value = message.offers;
    waits.value = message.waits ?? [];
    notes.value = message.notes ?? [];
    firstScene.value = message.first_scene ?? false;
    if (refused.value && refused.value.seq < message.seq) refused.value = null;
  });
  changed();
}

/**
 * Make a move, with one token however often it is sent: `again` repeats an unanswered move with the
 * same token. Returns the answer, or null when it was refused (then `refused` says why) or not
 * answered. Different moves are sent one after the other; a second tap on the same one is ignored.
 * One that is still waiting is dropped when its seat is gone or the page shows another table.
 */
export async function make(
  move,
  args = {},
  { override = false, token = newToken(), title = "" } = {},
) {
  const meant = JSON.stringify([move, args, override]);
  if (underWay.has(meant)) return null;
  underWay.add(meant);
  busy.value = move;
  const followed = feed;
  const turn = before.then(() =>
    feed === followed && !isGone.value ? send(move, args, override, token, title) : null
  );
  before = turn.catch(() => null);
  try {
    return await turn;
  } finally {
    underWay.delete(meant);
    if (!underWay.size) busy.value = "";
  }
}

async function send(move, args, override, token, title) {
  const { id, seat } = the(here);
  const followed = feed;
  args = naming(move, args);
  refused.value = null;
  try {
    const answer = await call("POST", at(id, "moves"), {
      seat,
      move,
      args,
      token,
      override,
      finish: true,
    });
    answered(token);
    // After a change of table, answers for the old one are ignored.
    if (feed === followed) feed?.know(answer.records);
    // The feed ends a moment later; what is tapped until then would be refused.
    if (feed === followed && move === "seat.remove" && args.seat === seat) line.value = "out";
    await shown(answer.seq);
    const opened = answer.records.find((record) => record.event?.type === "check.opened");
    if (opened) turnTo(opened.event.check.id);
    return answer;
  } catch (error) {
    const trouble = troubleIn(error);
    // Another table shows no refusal of this one, and does not make its moves.
    if (feed !== followed) return null;
    if (trouble.unanswered) {
      const known = unsent.value.find((one) => one.token === token) ??
        { move, args, override, token, title, since: Date.now() };
      unsent.value = [...unsent.value.filter((one) => one !== known), known];
    } else {
      answered(token);
      refused.value = { move, args, refusal: trouble.refusal, seq: table.value?.seq ?? 0 };
    }
    spoken.value = trouble.message;
    return null;
  }
}

/** A move that was unanswered is so no longer. */
function answered(token) {
  unsent.value = unsent.value.filter((one) => one.token !== token);
}

/** Turn to one of two open actions. */
export const turnTo = (id) => (turned.value = id);

const PLACED = new Set([
  ...["table.say", "table.undo", "table.redo", "table.settings", "table.rename"],
  ...[
    "proposal.accept",
    "proposal.decline",
    "proposal.withdraw",
    "consent.give",
    "consent.refuse",
    "seat.rename",
    "seat.remove",
  ],
  ...["character.add", "character.set", "character.give", "character.show"],
  ...["character.leave", "try.add", "try.call", "question.add", "question.answer", "trait.show"],
  "character.portrait",
]);

/** Whether the page places a move beside what it is about, which is never the action. */
export const isPlaced = (move) => PLACED.has(move) || /^(paper|encounter|pack)\./.test(move);

/** The arguments of a move; where several actions are open, they name the one that it is about. */
export function naming(move, args) {
  if (Object.keys(the(table).checks).length < 2 || isPlaced(move) || args.check !== undefined) {
    return args;
  }
  return { ...args, check: the(check).id };
}

/** Fetch the offers for an action that the feed's offers are not about. */
async function fetchApart(check) {
  const { id, seat } = the(here);
  const query = new URLSearchParams({ seat, check, brief: "true" });
  const found = await call("GET", `${at(id, "offers")}?${query}`).catch(() => null);
  if (
    found && here.value?.id === id && (apart.value.check !== check || apart.value.seq <= found.seq)
  ) apart.value = { check, seq: found.seq, offers: Object.values(found.brief).map(filled) };
}

/**
 * Keep a button busy until the table shows what it did, but not for long: the next tap is then
 * about what is shown.
 */
function shown(seq) {
  return new Promise((/** @type {(value?: undefined) => void} */ done) => {
    const late = setTimeout(arrived, LONGEST_BUSY);
    const stop = effect(() => {
      if ((table.value?.seq ?? 0) >= seq || line.value !== "live") queueMicrotask(arrived);
    });
    function arrived() {
      clearTimeout(late);
      stop();
      done();
    }
  });
}

/** Return a preview: what a move would do, and what it would ask next. */
export const preview = (move, args, override, signal) =>
  ask({ preview: { move, args: naming(move, args), override } }, signal);

/** The name of a seat. */
export function seatName(id) {
  return table.value?.seats?.[id]?.name ?? (id ? id : say("unknownSeat"));
}
