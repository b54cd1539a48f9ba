// Verifies the dice of a table's exported file: `node verify-dice.mjs FILE`, or `verify(text)` in a
// page. docs/fair-dice.md says how.
const HEX = /^[0-9a-f]{64}$/;
const RANGE = /^[0-9]{1,5}-[0-9]{1,5}$/;
const CARDS = /^cards( [0-9]{1,3}(-[0-9]{1,3})?){1,300}$/;
const bytes = (hex) => Uint8Array.from(hex.match(/../g), (two) => parseInt(two, 16));
const hex = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const hash = async (opened) => hex(await crypto.subtle.digest("SHA-256", bytes(opened)));
const seatOf = (sealed) => sealed.split("=")[0];
const hashOf = (sealed) => sealed.split("=")[1];

/** The bytes of one place of a row, without an end. */
async function* stream({ seed, row, place, numbers }) {
  const key = await crypto.subtle.importKey(
    "raw",
    bytes(seed),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  for (let n = 0;; n += 1) {
    const text = `storypool dice 1\n${row}\n${place}\n${numbers.join(",")}\n${n}`;
    yield* new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
  }
}

/** A number from 0 to sides - 1, each equally likely. */
async function below(sides, source) {
  if (sides === 1) return 0;
  const width = Math.ceil(Math.log2(sides) / 8);
  const each = Math.floor(256 ** width / sides);
  for (;;) {
    let drawn = 0;
    for (let i = 0; i < width; i += 1) drawn = drawn * 256 + (await source.next()).value;
    if (drawn < each * sides) return Math.floor(drawn / each);
  }
}

/** The numbers of the cards in a text such as "cards 1-4 7"; none if they do not rise. */
function cardsIn(named) {
  const found = named.split(" ").slice(1).flatMap((part) => {
    const [low, high = low] = part.split("-").map(Number);
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
  });
  return found.every((n, i) => !i || n > found[i - 1]) ? found : [];
}

/** What is wrong with a record that opens what `now` has bound, or "". */
async function fault(event, now, known) {
  if (!now || event.row !== now.row || event.place !== now.place + 1) return "order";
  if (!HEX.test(event.seed) || (await hash(event.seed)) !== now.next) return "seed";
  if (event.numbers.length !== now.sealed.length) return "number";
  for (const [i, number] of event.numbers.entries()) {
    if (number && (!HEX.test(number) || (await hash(number)) !== hashOf(now.sealed[i]))) {
      return "number";
    }
  }
  if (!event.rolls.length) {
    // A place may be passed over only to let a new page in, or where nobody took part.
    return now.sealed.length && event.sealed.every((one) => known.seats.has(seatOf(one)))
      ? "thrown"
      : "";
  }
  if (
    !event.rolls.every((roll, i) =>
      known.rolls.has(roll) && roll > (i ? event.rolls[i - 1] : now.seq)
    )
  ) return "order";
  const source = stream(event);
  const left = new Map();
  for (const { die, face } of event.rolls.flatMap((roll) => known.rolls.get(roll))) {
    const range = event.dice[die] ?? "";
    if (CARDS.test(range)) {
      const cards = left.get(die) ?? cardsIn(range);
      if (!cards.length || face !== cards[await below(cards.length, source)]) return "faces";
      left.set(die, cards.filter((n) => n !== face));
      continue;
    }
    if (!RANGE.test(range) || (known.dice[die] ??= range) !== range) return "dice";
    const [first, last] = range.split("-").map(Number);
    if (first > last || face !== first + (await below(last - first + 1, source))) return "faces";
  }
  return "";
}

/** What is found of each roll of an exported file: [{ seq, verdict, why }]. */
export async function verify(text) {
  const known = { rolls: new Map(), seats: new Set(), dice: {} };
  const [found, rows, hashes] = [new Map(), new Set(), new Set()];
  let [now, newRow, carried] = [null, false, ""];
  for (const line of text.trim().split("\n").slice(1)) {
    const record = JSON.parse(line);
    const { seq, seen_by: hidden } = record;
    // The first format of exports had an event's fields in `data`, without those at their default.
    const event = record.event?.data
      ? { type: record.event.name, ...record.event.data }
      : record.event;
    if (event?.type === "dice.rolled" && !hidden) {
      const byHand = event.rolled.some((die) => die.source === "hand");
      found.set(seq, { seq, verdict: byHand ? "hand" : "unbound", why: "" });
      if (!byHand) known.rolls.set(seq, event.rolled);
    }
    if (event?.type !== "dice.bound") continue;
    const bound = { place: 0, seed: "", numbers: [], rolls: [], dice: {}, ...event, seq };
    const begins = !bound.place && !bound.seed;
    const twice = begins && (rows.has(bound.row) || bound.rolls.length || bound.numbers.length)
      ? "row"
      : "";
    const again = !HEX.test(bound.next) || hashes.has(bound.next) ? "again" : "";
    const unsealed = bound.sealed.every((one) => HEX.test(hashOf(one))) ? "" : "number";
    const why = (begins ? twice : await fault(bound, now, known)) || again || unsealed;
    if (why && !bound.rolls.length) found.set(seq, { seq, verdict: "false", why });
    const reason = why || carried;
    const missing = bound.numbers.includes("") ? "missing" : "";
    const verdict = reason
      ? "false"
      : newRow
      ? "anew"
      : missing || (bound.numbers.length ? "fair" : "alone");
    for (const roll of bound.rolls) {
      const at = known.rolls.delete(roll) ? roll : seq;
      found.set(at, { seq: at, verdict, why: reason });
    }
    carried = bound.rolls.length ? "" : reason;
    newRow = begins ? rows.size > 0 : newRow && !bound.rolls.length;
    if (begins) known.seats.clear();
    rows.add(bound.row);
    hashes.add(bound.next);
    for (const one of bound.sealed) known.seats.add(seatOf(one));
    now = bound;
  }
  return [...found.values()].sort((one, other) => one.seq - other.seq);
}

if (globalThis.process?.argv[2]) {
  const found = await verify((await import("node:fs")).readFileSync(process.argv[2], "utf8"));
  for (const { seq, verdict, why } of found) console.log(`${seq}: ${verdict} ${why}`.trim());
  process.exitCode = found.some(({ verdict }) => verdict === "false") ? 1 : 0;
}
