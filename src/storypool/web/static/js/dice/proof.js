/**
 * Verifies rolls: whether each die fell as the server and the pages were bound to before. Needs
 * nothing but records.
 */

import { fromHex, hmac, sha256, toHex } from "./sha256.js";

const HEX = /^[0-9a-f]{64}$/;
const RANGE = /^[0-9]{1,5}-[0-9]{1,5}$/;
const CARDS = /^cards( [0-9]{1,3}(-[0-9]{1,3})?){1,300}$/;
const text = new TextEncoder();

/** The numbers of the cards in a text such as "cards 1-4 7"; none if they do not rise. */
function cardsIn(named) {
  const found = named.split(" ").slice(1).flatMap((part) => {
    const [low, high = low] = part.split("-").map(Number);
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
  });
  return found.every((n, i) => !i || n > found[i - 1]) ? found : [];
}

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
 * What was found of a roll: its verdict, its fault, whose numbers are missing, whether one of this
 * page is in it, and the record that bound it.
 *
 * The verdicts: `mine`, verified with a number of this page; `fair`, with none of it; `false`;
 * `hand`, typed in; and not verifiable `missing` (a sealed number was not opened), `alone` (no
 * numbers), `anew` (the first roll of a row after another), `unbound`, and `before`: what it was
 * bound to, or a row before its own, is in an earlier part of the log.
 *
 * @typedef {{
 *   verdict: string,
 *   fault: string,
 *   seats: string[],
 *   mine?: boolean,
 *   bound?: number,
 * }} Finding
 */

/** Verifies the rolls of a log, whose records it takes one by one. */
export class Verifier {
  /** @type {Map<number, Finding>} What was found of each roll, by the number of its record. */
  found = new Map();
  /** @type {Map<number, Wire.DiceRolled["rolled"]>} The rolls that nothing has bound yet. */
  #rolls = new Map();
  #rows = new Set();
  #hashes = new Set();
  #seats = new Set();
  /** @type {Wire.DiceBound | null} What binds the next roll. */
  #now = null;
  /** The record of that binding. */
  #since = 0;
  #opening = "";
  #carried = "";
  #ranges;
  #own;
  #whole;

  /**
   * `ranges` are the faces of the game's dice ("1-12") by name; `own(hash)` is what this page
   * remembers of a number of its own; `whole` says whether the records begin with the log's first.
   *
   * @param {Record<string, string>} ranges
   * @param {(hash: string) => OwnNumber | undefined} own
   * @param {boolean} whole
   */
  constructor(ranges, own = ownsNone, whole = true) {
    this.#ranges = { ...ranges };
    this.#own = own;
    this.#whole = whole;
  }

  /**
   * Take the next record.
   *
   * @param {Wire.RecordShown} record
   */
  take({ seq, event }) {
    if (event?.type === "dice.rolled" && !event.seen_by) {
      const byHand = event.rolled.some(({ source }) => source === "hand");
      this.found.set(seq, { verdict: byHand ? "hand" : "unbound", fault: "", seats: [] });
      if (!byHand) this.#rolls.set(seq, event.rolled);
    } else if (event?.type === "dice.bound") {
      this.#bind(seq, event);
    }
  }

  #bind(seq, event) {
    const begins = !event.place && !event.seed;
    const unread = !this.#whole && !this.#now && !begins;
    const fault = this.#faultOf(event, begins, unread) || this.#carried;
    this.#carried = event.rolls.length ? "" : fault;
    for (const roll of event.rolls) {
      if (!this.#rolls.delete(roll)) continue;
      const verdict = fault ? "false" : unread ? "before" : "";
      const finding = verdict ? { verdict, fault, seats: [] } : this.#judged(event);
      this.found.set(roll, { ...finding, bound: seq });
    }
    if (event.rolls.length) this.#opening = "";
    if (begins) {
      this.#opening = this.#rows.size > 0 ? "anew" : this.#whole ? "" : "before";
      this.#seats = new Set();
      this.#rows.add(event.row);
    }
    this.#hashes.add(event.next);
    for (const one of event.sealed) this.#seats.add(seatOf(one));
    [this.#now, this.#since] = [event, seq];
  }

  #faultOf(event, begins, unread) {
    if (begins) return this.#beginning(event);
    return unread ? this.#further(event) : this.#following(event);
  }

  /** What is wrong with the first record of a row, or "". */
  #beginning(event) {
    return this.#rows.has(event.row) || event.rolls.length || event.numbers.length
      ? "row"
      : this.#further(event);
  }

  /** What is wrong with what a record binds, or "". */
  #further(event) {
    if (!HEX.test(event.next) || this.#hashes.has(event.next)) return "again";
    return event.sealed.every((one) => HEX.test(hashOf(one))) ? "" : "number";
  }

  /** What is wrong with a record after the one that bound it, or "". */
  #following(event) {
    const now = this.#now;
    if (!now || event.row !== now.row || event.place !== now.place + 1) return "order";
    if (!HEX.test(event.seed) || seal(event.seed) !== now.next) return "seed";
    if (event.numbers.length !== now.sealed.length) return "number";
    const isOther = (number, i) =>
      number && (!HEX.test(number) || seal(number) !== hashOf(now.sealed[i]));
    if (event.numbers.some(isOther)) return "number";
    const changed = this.#remembered(event, now);
    if (changed) return changed;
    if (!event.rolls.length) {
      const mayRollNothing = !now.sealed.length ||
        event.sealed.some((one) => !this.#seats.has(seatOf(one)));
      return mayRollNothing ? this.#further(event) : "thrown";
    }
    const ordered = event.rolls.every((roll, i) =>
      this.#rolls.has(roll) && roll > (i ? event.rolls[i - 1] : this.#since)
    );
    return ordered ? this.#shown(event) || this.#further(event) : "order";
  }

  /**
   * What only this page can know: its number was taken and is not there, or what it was opened for
   * was another roll.
   */
  #remembered(event, now) {
    for (const [i, one] of now.sealed.entries()) {
      const kept = this.#own(hashOf(one));
      if (kept?.saw && kept.saw !== sight(now)) return "changed";
      if (kept?.taken && !event.numbers[i]) return "left";
    }
    return "";
  }

  /** What is wrong with the faces, or "". */
  #shown(event) {
    const draw = faces(event.seed, event.row, event.place, event.numbers);
    const left = new Map();
    for (const { die: name, face } of event.rolls.flatMap((roll) => this.#rolls.get(roll))) {
      const range = event.dice[name] ?? "";
      if (CARDS.test(range)) {
        // A card that was drawn is not there for the next draw.
        const cards = left.get(name) ?? cardsIn(range);
        if (!cards.length || face !== cards[draw(cards.length)]) return "faces";
        left.set(name, cards.filter((n) => n !== face));
        continue;
      }
      const [first, last] = range.split("-").map(Number);
      if (!RANGE.test(range) || (this.#ranges[name] ??= range) !== range) return "dice";
      if (first > last || face !== first + draw(last - first + 1)) return "faces";
    }
    return "";
  }

  #judged(event) {
    const { sealed } = /** @type {Wire.DiceBound} */ (this.#now);
    const missing = [...new Set(sealed.filter((_, i) => !event.numbers[i]).map(seatOf))];
    const mine = sealed.some((one, i) =>
      event.numbers[i] && this.#own(hashOf(one))?.number === event.numbers[i]
    );
    const verdict = this.#opening ||
      (missing.length ? "missing" : !event.numbers.length ? "alone" : mine ? "mine" : "fair");
    return { verdict, fault: "", seats: missing, mine };
  }
}
