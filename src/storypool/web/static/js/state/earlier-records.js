/**
 * The log before the records that are here: fetched when the reader scrolls there, or searched by
 * the server.
 */

import { computed, signal } from "../../vendor/preact.js";
import { tried } from "./announcements.js";
import { here, records, the } from "./store.js";
import { at, call } from "./wire.js";

/**
 * The number of the first record that is here: those before it are fetched when the reader wants to
 * see them.
 */
export const first = computed(() => records.value[0]?.seq ?? 1);

/** So many earlier records are fetched at once. */
const PAGE = 500;
let fetching = null;

/** Fetch the records before those that are here. Returns whether there are more of them now. */
export function fetchEarlier() {
  fetching ??= earlier().finally(() => {
    fetching = null;
  });
  return fetching;
}

async function earlier() {
  const { id, seat } = the(here);
  const upto = first.value;
  const after = Math.max(0, upto - 1 - PAGE);
  if (upto <= 1) return false;
  const query = new URLSearchParams({
    seat,
    after: String(after),
    limit: String(upto - 1 - after),
  });
  const found = await tried(() => call("GET", `${at(id, "log")}?${query}`));
  // Meanwhile the page may have turned to another table, or to another epoch of this one.
  if (!found || here.value?.id !== id || the(here).seat !== seat || first.value !== upto) {
    return false;
  }
  records.value = [...found.records, ...records.value];
  return true;
}

/**
 * Looking goes on by itself until so many lines are found, but not for more than so many requests.
 */
const ENOUGH = 40;
const REQUESTS = 5;
/** @type {{ records: Wire.RecordShown[], before: number, busy: boolean }} */
const NOTHING = { records: [], before: 1, busy: false };

/**
 * The records that were found, and the first that was looked at, 1 at the end: { records, before,
 * busy }.
 */
export const older = signal(NOTHING);
let latest = 0;

/** Forget what was found. */
export function forgetOlder() {
  latest += 1;
  if (older.peek() !== NOTHING) older.value = NOTHING;
}

/**
 * Look for lines with these words, by this person, of these types; `further` goes on where the last
 * look has ended.
 */
export async function lookEarlier({ words, who, kinds }, further = false) {
  const mine = ++latest;
  const { id, seat } = the(here);
  let { records: found, before } = further ? older.peek() : { ...NOTHING, before: first.peek() };
  older.value = { records: found, before, busy: before > 1 };
  let lines = 0;
  for (let n = 0; n < REQUESTS && before > 1 && lines < ENOUGH; n += 1) {
    const query = new URLSearchParams({
      seat,
      before: String(before),
      words,
      who,
      kinds: kinds.join(","),
    });
    const page = await call("GET", `${at(id, "log", "search")}?${query}`).catch(() => null);
    if (mine !== latest) return;
    if (!page) break;
    found = [...page.records, ...found];
    before = page.before;
    lines += page.records.filter(isLine).length;
    older.value = { records: found, before, busy: true };
  }
  older.value = { records: found, before, busy: false };
}

const isLine = ({ event, text }) =>
  Boolean(text) && !["table.rewound", "period.began"].includes(event.type);
