/**
 * This page's part in the dice, loaded when a table is shown: it seals a number, opens it once the
 * next roll is bound, and verifies what fell.
 */

import { computed, effect, signal } from "../../vendor/preact.js";
import { keep, kept } from "../state/browser-storage.js";
import { first } from "../state/earlier-records.js";
import { seal, sight, spare, Verifier } from "./proof.js";
import { found } from "./verification-mark.js";
import { notice } from "../state/announcements.js";
import { firstSeq, game, here, line, me, records, table, the } from "../state/store.js";
import { toHex } from "./sha256.js";
import { at, call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";

const KEPT = 400;
/** Where the page is idle it looks at what has come; a phone that draws is not made to wait. */
const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 50));

/**
 * The numbers of this browser by their hash, the oldest first: { of, number, saw }; one that was
 * not opened yet saw nothing. They are kept, so that a page that comes back can open what it
 * sealed.
 */
const numbers = new Map();
/**
 * The hashes of numbers that the server has taken on this connection: it cannot have forgotten them
 * since.
 */
export const taken = new Set();

/** Learn what other windows of this browser have kept. */
function recall() {
  for (const [hash, one] of kept("numbers", [])) {
    numbers.set(hash, { ...one, ...numbers.get(hash) });
  }
}

function remember(hash, what) {
  recall();
  numbers.set(hash, { ...numbers.get(hash), ...what });
  while (numbers.size > KEPT) numbers.delete(numbers.keys().next().value);
  keep("numbers", [...numbers]);
}

const ownNumber = (hash) =>
  numbers.has(hash) ? { ...numbers.get(hash), taken: taken.has(hash) } : undefined;

/** The hashes of numbers that this page has made: nobody can have been bound to them before. */
const made = new Set();

const isBound = ({ event }) => event?.type === "dice.bound";
/** The newest record of its kind before those that are here, where it is wanted: { of, event }. */
const sought = signal({ of: "", event: null });
/** What the next roll is bound to: the newest of the records that say so. */
export const bound = computed(() =>
  records.value.findLast(isBound)?.event ?? (first.value > 1 ? sought.value.event : null)
);
effect(() => {
  const { id, seat } = here.value ?? { id: "", seat: "" };
  const of = `${id}/${seat}`;
  if (
    !id || !table.value || first.value === 1 || records.value.some(isBound) ||
    sought.peek().of === of
  ) return;
  sought.value = { of, event: null };
  const query = new URLSearchParams({ seat, kinds: "dice.bound", before: String(first.value) });
  const keepIt = ({ records: found }) => {
    if (sought.value.of === of) {
      sought.value = { of, event: found.findLast(isBound)?.event ?? null };
    }
  };
  call("GET", `${at(id, "log", "search")}?${query}`).then(keepIt, () => {});
});

let looking = null;
effect(() => {
  const log = records.value;
  if (!game.value || !here.value) return;
  const same = looking && looking.table === here.value.id && looking.seen <= log.length &&
    looking.first === log[0];
  if (!same) {
    looking = {
      table: here.value.id,
      first: log[0],
      seen: 0,
      verifier: new Verifier(ranges(game.value), ownNumber, first.value === 1),
    };
  }
  const now = looking;
  idle(() => {
    if (now !== looking || now.seen === log.length) return;
    while (now.seen < log.length) now.verifier.take(log[now.seen++]);
    const wrong = [...now.verifier.found].some(([seq, { verdict }]) =>
      verdict === "false" && seq > firstSeq.value && found.value.get(seq)?.verdict !== "false"
    );
    found.value = new Map(now.verifier.found);
    if (wrong) notice(say("fair.alarm"), "refusal");
  });
});

function ranges({ dice }) {
  return Object.fromEntries(
    dice.map(({ name, first, faces }) => [name, `${first}-${first + faces.length - 1}`]),
  );
}

/**
 * The table, the row and the place for which this page has sent its numbers, on this connection.
 */
let sent = "";
effect(() => {
  if (line.value !== "live") {
    sent = "";
    taken.clear();
  } else if (table.value && me.value && me.value.side !== "spectator") send(bound.value);
});

/** Open our numbers for the next roll, and seal one for the roll after. */
async function send(now) {
  const { id, seat } = the(here);
  const of = `${id}/${seat}`;
  const binding = [of, now?.row, now?.place].join(" ");
  if (sent === binding) return;
  sent = binding;
  recall();
  const ours = (now?.sealed ?? []).filter((one) => one.startsWith(`${seat}=`)).map((one) =>
    one.slice(seat.length + 1)
  );
  const known = ours.filter((hash) => numbers.has(hash));
  // It is kept for which roll a number was opened before anyone else knows the number.
  for (const hash of known) if (!numbers.get(hash).saw) remember(hash, { saw: sight(now) });
  const opening = known.filter((hash) => numbers.get(hash).saw === sight(now)).map((hash) =>
    numbers.get(hash).number
  );
  // The part of the log that is not here may have bound an older number already.
  const certain = first.value === 1
    ? numbers
    : new Map([...numbers].filter(([hash]) => made.has(hash)));
  const sealed = spare(certain, of, seat, records.value) ?? fresh(of);
  try {
    const { opened } = await call("POST", at(id, "numbers"), { seat, numbers: opening, sealed });
    if (sent === binding) { for (const hash of opened) taken.add(hash); }
  } catch (error) {
    // Without an answer this page has no proof of the next roll, and nobody is kept from playing.
    // It tries again when something happens at the table.
    if (sent === binding) sent = "";
    troubleIn(error);
  }
}

function fresh(of) {
  const number = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const sealed = seal(number);
  made.add(sealed);
  remember(sealed, { of, number });
  return sealed;
}
