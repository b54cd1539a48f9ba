/** The address of the page, and navigation without reloading. */

import { signal } from "../vendor/preact.js";

/** The address: { path, query, secret }; the part after the # leaves this browser only by POST. */
export const place = signal(read());

function read() {
  return { path: location.pathname, query: new URLSearchParams(location.search), hash: new URLSearchParams(location.hash.slice(1)) };
}

/** Go to an address of the page; `quietly` replaces the entry in the browser's history. */
export function go(address, { quietly = false } = {}) {
  history[quietly ? "replaceState" : "pushState"](null, "", address);
  place.value = read();
  scrollTo(0, 0);
}

addEventListener("popstate", () => {
  place.value = read();
});
addEventListener("hashchange", () => {
  place.value = read();
});

/** The address of a table for one seat. */
export function tableAddress(id, seat) {
  return `/t/${encodeURIComponent(id)}?seat=${encodeURIComponent(seat)}`;
}
