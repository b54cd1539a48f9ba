/**
 * Verifies rolls: whether each die fell as the server and the pages were bound to before. Needs
 * nothing but records.
 */

import { fromHex, hmac, sha256, toHex } from "./sha256.js";

const HEX = /^[0-9a-f]{64}$/;
const RANGE = /^[0-9]{1,5}-[0-9]{1,5}$/;
const text = new TextEncoder();

/** The hash that binds a page or the server to a seed or to a number, both in hexadecimal. */
export const seal = (opened) => toHex(sha256(fromHex(opened)));

/**
 * What a page has to remember of what it saw when it opened a number: another roll must not be made
 * of it.
 */
export const sight = ({ row, place, next, sealed }) =>
  toHex(sha256(text.encode(JSON.stringify([row, place, next, sealed]))));

const seatOf = (bound) => bound.slice(0, bound.lastIndexOf("="));
const hashOf = (bound) => bound.slice(bound.lastIndexOf("=") + 1);

/**
 * The hash of the newest of a page's numbers that it can seal for a seat, or undefined. None that
 * was opened, and none that was bound before: it would be remembered for one roll, and stand in
 * another.
 */
export function spare(numbers, of, seat, log) {
  const used = (hash) =>
    log.some(({ event }) =>
      event?.type === "dice.bound" && event.sealed.includes(`${seat}=${hash}`)
    );
  return [...numbers].findLast(([hash, one]) => one.of === of && !one.saw && !used(hash))?.[0];
}

/** The numbers from 0 to n - 1 that a place of a row gives, one after the other. */
export function faces(seed, row, place, numbers) {
  const key = fromHex(seed);
  let block = new Uint8Array();
  let used = 0;
  let n = 0;
  const byte = () => {
    if (used === block.length) {
      [block, used, n] = [
        hmac(key, text.encode(`storypool dice 1\n${row}\n${place}\n${numbers.join(",")}\n${n}`)),
        0,
        n + 1,
      ];
    }
    return block[used++];
  };
  return (sides) => {
    if (sides === 1) return 0;
    let width = 1;
    while (256 ** width < sides) width += 1;
    const each = Math.floor(256 ** width / sides);
    for (;;) {
      let drawn = 0;
      for (let i = 0; i < width; i += 1) drawn = drawn * 256 + byte();
      if (drawn < each * sides) return Math.floor(drawn / each);
    }
  };
}

/**
 * What a page remembers of a number of its own.
 *
 * @typedef {{ number: string, saw?: string, taken?: boolean }} OwnNumber
 */

/** @type {(hash: string) => OwnNumber | undefined} */
const ownsNone = () => undefined;

/**
 * Returns a function that takes the records of a log one by one. `found` has what was found of each
 * roll by the number of its record: { verdict, fault, seats, mine, bound }. `game` are the faces of
 * the game's dice ("1-12") by name; `own(hash)` is what this page remembers of a number of its own:
 * { number, saw, taken }, or undefined.
 *
 * The verdicts: `mine`, verified with a number of this page; `fair`, with none of it; `false`;
 * `hand`, typed in; and not verifiable `missing` (a sealed number was not opened), `alone` (no
 * numbers), `anew` (the first roll of a row after another), `unbound`, and `before`: what it was
 * bound to, or a row before its own, is in an earlier part of the log. `whole` says whether the
 * records begin with the first of the log.
 */
export function verifier(game, own = ownsNone, whole = true) {
  const ranges = { ...game };
  const found = new Map();
  const rolls = new Map();
  const rows = new Set();
  const hashes = new Set();
  let seats = new Set();
  let now = null;
  let since = 0;
  let opening = "";
  let carried = "";

  function take({ seq, event }) {
    if (event?.type === "dice.rolled" && !event.seen_by) {
      const byHand = event.rolled.some(([, , source]) => source === "hand");
      found.set(seq, { verdict: byHand ? "hand" : "unbound", fault: "", seats: [] });
      if (!byHand) rolls.set(seq, event.rolled);
    } else if (event?.type === "dice.bound") {
      bound(seq, event);
    }
  }

  function bound(seq, event) {
    const begins = !event.place && !event.seed;
    const unread = !whole && !now && !begins;
    const fault = (begins ? beginning(event) : unread ? further(event) : wrong(event)) || carried;
    carried = event.rolls.length ? "" : fault;
    for (const roll of event.rolls) {
      if (!rolls.has(roll)) continue;
      const verdict = fault ? "false" : unread ? "before" : "";
      found.set(roll, { ...(verdict ? { verdict, fault, seats: [] } : judged(event)), bound: seq });
    }
    if (event.rolls.length) opening = "";
    for (const roll of event.rolls) rolls.delete(roll);
    if (begins) {
      opening = rows.size > 0 ? "anew" : whole ? "" : "before";
      seats = new Set();
      rows.add(event.row);
    }
    hashes.add(event.next);
    for (const one of event.sealed) seats.add(seatOf(one));
    [now, since] = [event, seq];
  }

  function beginning(event) {
    return rows.has(event.row) || event.rolls.length || event.numbers.length
      ? "row"
      : further(event);
  }

  function further(event) {
    if (!HEX.test(event.next) || hashes.has(event.next)) return "again";
    return event.sealed.every((one) => HEX.test(hashOf(one))) ? "" : "number";
  }

  function wrong(event) {
    if (!now || event.row !== now.row || event.place !== now.place + 1) return "order";
    if (!HEX.test(event.seed) || seal(event.seed) !== now.next) return "seed";
    if (event.numbers.length !== now.sealed.length) return "number";
    if (
      event.numbers.some((number, i) =>
        number && (!HEX.test(number) || seal(number) !== hashOf(now.sealed[i]))
      )
    ) return "number";
    const changed = remembered(event);
    if (changed) return changed;
    if (!event.rolls.length) {
      return !now.sealed.length || event.sealed.some((one) => !seats.has(seatOf(one)))
        ? further(event)
        : "thrown";
    }
    const ordered = event.rolls.every((roll, i) =>
      rolls.has(roll) && roll > (i ? event.rolls[i - 1] : since)
    );
    return ordered ? shown(event) || further(event) : "order";
  }

  /**
   * What only this page can know: its number was taken and is not there, or what it was opened for
   * was another roll.
   */
  function remembered(event) {
    for (const [i, one] of now.sealed.entries()) {
      const kept = own(hashOf(one));
      if (kept?.saw && kept.saw !== sight(now)) return "changed";
      if (kept?.taken && !event.numbers[i]) return "left";
    }
    return "";
  }

  function shown(event) {
    const draw = faces(event.seed, event.row, event.place, event.numbers);
    for (const [name, face] of event.rolls.flatMap((roll) => rolls.get(roll))) {
      const range = event.dice[name] ?? "";
      const [first, last] = range.split("-").map(Number);
      if (!RANGE.test(range) || (ranges[name] ??= range) !== range) return "dice";
      if (first > last || face !== first + draw(last - first + 1)) return "faces";
    }
    return "";
  }

  function judged(event) {
    const missing = [...new Set(now.sealed.filter((_, i) => !event.numbers[i]).map(seatOf))];
    const mine = now.sealed.some((one, i) =>
      event.numbers[i] && own(hashOf(one))?.number === event.numbers[i]
    );
    const verdict = opening ||
      (missing.length ? "missing" : !event.numbers.length ? "alone" : mine ? "mine" : "fair");
    return { verdict, fault: "", seats: missing, mine };
  }

  return { take, found };
}
