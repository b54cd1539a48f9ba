/**
 * The place that speaks is in view: what has news is scrolled out from under the bars, until the
 * reader goes elsewhere.
 */

import { signal, useEffect, useRef } from "../../vendor/preact.js";
import { records, table } from "../state/store.js";
import { calm } from "./motion.js";

/**
 * Of news that come together the greatest are shown: a scene, what is at stake, the order of turns,
 * the stage, a result, or a card of what has fallen.
 */
export const RANKS = { scene: 1, stakes: 2, order: 3, stage: 4, result: 5, card: 6 };
/** Milliseconds after which a smooth scroll should have arrived: the page can shift under it. */
const ARRIVED_MS = 1000;
/** Keys with which a reader scrolls or goes elsewhere. */
const GOES = /^(Page|Arrow|Home|End|Tab)/;

/**
 * What spoke last: { element, rank, block, seq, fresh }, or null once the reader has gone
 * elsewhere.
 */
let speaker = null;
let frame = 0;
let arrival = null;
/** Whether what spoke last is on its way into view. */
export const arriving = signal(false);
/** The latest news of each rank: an element that is drawn again in another place has none. */
const known = {};

for (const kind of ["wheel", "touchmove", "pointerdown"]) {
  addEventListener(kind, leave, { capture: true, passive: true });
}
addEventListener("keydown", ({ key }) => GOES.test(key) && leave(), { capture: true });

function leave() {
  speaker = null;
  arriving.value = false;
}

/**
 * A ref for an element, or for what `selector` finds in it, that is shown whenever `news` is
 * another; nothing is no news, and what comes again after it is. With the `block` "start" it is
 * shown as far up as it can be, before what follows it.
 */
export function useSpeaking(news, rank, selector = "", block = "nearest") {
  const place = useRef(null);
  const last = useRef("");
  useEffect(() => {
    const latest = `${location.pathname} ${news}`;
    if (!news && known[rank] === last.current) delete known[rank];
    last.current = latest;
    if (!news) return;
    const element = selector ? place.current?.querySelector(selector) : place.current;
    if (known[rank] === latest) return moved(element, rank);
    known[rank] = latest;
    speak(element, rank, block);
  }, [news]);
  return place;
}

/**
 * A ref for an element that opens on a tap: once it is open, as much of it as the window holds is
 * in view. `wasOpen` says whether it was open before it was first drawn.
 */
export function useOpened(open, wasOpen = open) {
  const place = useRef(null);
  const before = useRef(wasOpen);
  useEffect(() => {
    if (open && open !== before.current) showOpened(place.current);
    before.current = open;
  }, [open]);
  return place;
}

/** Scroll an element back to where it was in the window before what is above it changed. */
export function scrollBack(element, top) {
  scrollers(element)[0].scrollTop += element.getBoundingClientRect().top - top;
}

/** Scroll as much of what has just opened into view as the window holds. */
function showOpened(element) {
  element.scrollIntoView({ block: "nearest", behavior: calm() ? "instant" : "smooth" });
}

/**
 * Show an element from now on, unless something of a higher rank has spoken of the same move: the
 * table follows its records. Then that is shown again, with as much of what now stands above it as
 * there is room for.
 */
function speak(element, rank, block) {
  if (!element) return;
  if (!speaker?.element.isConnected) speaker = null;
  const stays = speaker?.rank > rank && !movedSince(speaker.seq);
  speaker = stays
    ? { ...speaker, fresh: true }
    : { element, rank, block, seq: records.value.at(-1)?.seq ?? table.value?.seq, fresh: true };
  arriving.value = true;
  keepInView();
}

/**
 * Go on with what spoke last where it is drawn again in another place, as in a window of another
 * size.
 */
function moved(element, rank) {
  if (!element || speaker?.rank !== rank || speaker.element.isConnected) return;
  speaker = { ...speaker, element, fresh: true };
  keepInView();
}

/** Whether a move was made after this record. */
const movedSince = (seq) =>
  (records.value.findLast((record) => record.event?.type === "move.made")?.seq ?? 0) > seq;

/** Look again whether what spoke last is in view: what is around it has changed. */
export function keepInView() {
  frame ||= requestAnimationFrame(look);
}

function look() {
  frame = 0;
  if (!speaker?.element.isConnected) return arrived();
  const { element, block, fresh } = speaker;
  speaker.fresh = false;
  const boxes = scrollers(element);
  const before = boxes.map((box) => box.scrollTop);
  // News are shown as near to the top as they can be.
  if (fresh) { for (const box of boxes) box.scrollTop = 0; }
  element.style.scrollMarginBlockStart = `${heightOfTurns(element)}px`;
  element.scrollIntoView({ block: placed(boxes, block), behavior: "instant" });
  const after = boxes.map((box) => box.scrollTop);
  if (calm() || String(after) === String(before)) return arrived();
  for (const [n, box] of boxes.entries()) {
    if (after[n] === before[n]) continue;
    box.scrollTop = before[n];
    box.scrollTo({ top: after[n], behavior: "smooth" });
    clearTimeout(arrival);
    // Once more by a smooth scroll: one at once would be added to what is left of the one that is
    // under way.
    arrival = setTimeout(keepInView, ARRIVED_MS);
  }
}

/** The height of an order of turns that stays in place above an element. */
function heightOfTurns(element) {
  /** @type {HTMLElement | null} */
  const turns = document.querySelector(".turns");
  const isAbove = turns && !turns.contains(element) &&
    getComputedStyle(turns).position === "sticky";
  return isAbove ? turns.offsetHeight : 0;
}

function arrived() {
  arriving.value = false;
}

/**
 * Where in the window an element is shown: what follows it in a column of its own needs no room
 * there.
 */
const placed = (boxes, block) => boxes.length > 1 ? "nearest" : block;

/** What scrolls an element: the page, and on a large screen its column too. */
function scrollers(element) {
  const column = element.closest(".middle, .right");
  const page = document.scrollingElement;
  return column && getComputedStyle(column).overflowY === "auto" ? [column, page] : [page];
}
