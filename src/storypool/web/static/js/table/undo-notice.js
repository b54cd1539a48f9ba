/** What a player has just thrown away, and the button that takes it back: everybody sees it for a moment. */

import { effect, html, signal } from "../../vendor/preact.js";
import { Button, Glyph } from "../ui/parts.js";
import { byKey, make, me, met, notice, records, seatName, spoken, table } from "../state/store.js";
import { oneOf, say } from "../state/words.js";

/** For so many milliseconds it can be seen. */
const SHOWN = 6000;
/** The moves that leave unspent what was rolled. */
const WAIVES = new Set(["spend.waive"]);

/** The latest: { seq, text }, the record of its move and what everybody reads; or null. */
export const thrown = signal(null);
/** The last record that was looked at, and that of the last move. */
let last = 0;
let move = 0;
let timer = 0;

/** Look through the new records: another move or a rewind ends what the one before has thrown away. */
effect(() => {
  const log = records.value;
  if (!log.length) last = move = 0;
  const news = log.filter(({ seq }) => seq > Math.max(last, met.value));
  last = log.at(-1)?.seq ?? 0;
  let found = log.length ? thrown.peek() : null;
  for (const { seq, seat, event } of news) {
    // A move and what comes of it may arrive one by one.
    if (event?.type === "move.made") move = seq;
    if (event?.type === "move.made" || event?.type === "table.rewound") found = null;
    const how = event?.type === "check.closed" ? event.how : WAIVES.has(event?.move) ? "waived" : "";
    if (how && move) found = { seq: move, text: sentence(seat, how) };
  }
  if (found !== thrown.peek()) show(found);
});

const sentence = (seat, how) => (seat === me.peek()?.id ? oneOf("thrown.yours", how) : oneOf("thrown", how, { who: seatName(seat) }));

function show(found) {
  clearTimeout(timer);
  thrown.value = found;
  if (!found) return;
  spoken.value = found.text;
  timer = setTimeout(() => {
    thrown.value = null;
  }, SHOWN);
}

/** The notice. What a player takes back, the game master is asked first. */
export function TakeBack() {
  const one = thrown.value;
  if (!one || !table.value) return null;
  const offer = byKey.value["table.undo"];
  // Only the last move is taken back: a later one would go with it.
  const may = offer && !offer.closed && table.value.undo_to === one.seq - 1;
  async function undo() {
    const made = await make("table.undo", { to: one.seq - 1 }, { title: offer.title });
    show(null);
    if (made && offer.approval) notice(say("ask.asked"));
  }
  return html`<div class="toast row gap-3" data-thrown="true"><${Glyph} name="check" /><p class="grow">${one.text}</p>
    ${may && html`<${Button} onTap=${undo}><${Glyph} name="undo" />${say(offer.approval ? "thrown.ask" : "thrown.undo")}<//>`}</div>`;
}
