/**
 * The address of the page, navigation without reloading, and the browser's Back for what is over
 * the page.
 */

import { signal } from "../../vendor/preact.js";

/** The address: { path, query, secret }; the part after the # leaves this browser only by POST. */
export const place = signal(read());

/**
 * A step of our own in the history that the browser has not reported after so many milliseconds was
 * none.
 */
const LONGEST_STEP = 500;

/** What is over the page, such as sheets: how many, and what closes those above a number. */
let over = { count: 0, shut: (_left) => {} };
/** The timer of a step of our own in the history, or 0; and where to go after it. */
let stepping = null;
let next = null;

// A sheet that closes is a step back: the page stays where it is.
history.scrollRestoration = "manual";

function read() {
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    hash: new URLSearchParams(location.hash.slice(1)),
    href: location.href,
  };
}

/** Go to an address of the page; `quietly` replaces the entry in the browser's history. */
export function go(address, how = {}) {
  if (stepping) return void (next = () => go(address, how));
  // The entry of what is over the page is taken, so that Back leads to the page below.
  history[how.quietly || layer() ? "replaceState" : "pushState"](null, "", address);
  place.value = read();
  scrollTo(0, 0);
}

/**
 * Give each of `count` things over the page an entry in the history; going back calls `shut` with
 * how many remain.
 */
export function overlay(count, shut) {
  over = { count, shut };
  queueMicrotask(settle);
}

const layer = () => history.state?.layer ?? 0;

/** Make the history as deep as what is over the page. */
function settle() {
  if (stepping) return;
  const above = layer() - over.count;
  if (above > 0) {
    stepping = setTimeout(stepped, LONGEST_STEP);
    history.go(-above);
  }
  for (let n = layer() + 1; n <= over.count; n += 1) {
    history.pushState({ layer: n }, "", location.href);
  }
}

function stepped() {
  clearTimeout(stepping);
  stepping = null;
  if (place.value.href !== location.href) {
    if (place.value.path !== location.pathname) scrollTo(0, 0);
    place.value = read();
  }
  const then = next;
  next = null;
  then?.();
  settle();
}

addEventListener("popstate", () => {
  if (!stepping && layer() < over.count) over.shut(layer());
  stepped();
});
addEventListener("hashchange", () => {
  if (place.value.href !== location.href) place.value = read();
});

/** The address of a table for one seat. */
export function tableAddress(id, seat) {
  return `/t/${encodeURIComponent(id)}?seat=${encodeURIComponent(seat)}`;
}
