/** Where we are: the address of the page, and going somewhere else without loading it again. */

import { signal } from "../vendor/preact.js";

/** The address: { path, query, secret }; what stands behind the # never leaves this browser but by POST. */
export const place = signal(read());

function read() {
  return { path: location.pathname, query: new URLSearchParams(location.search), hash: new URLSearchParams(location.hash.slice(1)) };
}

/** Go to an address of the page; `quietly` leaves no step back. */
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

/** The address of a table as one seat. */
export function tableAddress(id, seat) {
  return `/t/${encodeURIComponent(id)}?seat=${encodeURIComponent(seat)}`;
}
