/**
 * What a player has just thrown away, which everybody sees for a moment, and the buttons that take
 * something back.
 */

import { effect, html, signal } from "../../vendor/preact.js";
import { makeAtOnce } from "../forms/making.js";
import { consenting } from "../state/game.js";
import { Button, Glyph, IconButton } from "../ui/parts.js";
import { isLogInSight } from "../log/shown-line.js";
import { openSheet } from "../ui/sheet.js";
import { notice, spoken } from "../state/announcements.js";
import { byKey, firstSeq, make, me, records, seatName, table } from "../state/store.js";
import { say } from "../state/words.js";

/** For so many milliseconds it can be seen. */
const SHOWN = 6000;
/** The moves that leave unspent what was rolled. */
const WAIVES = new Set(["spend.waive"]);

/**
 * The latest: { seq, text, own }, the record of its move, what everybody reads, and whether this
 * reader made it; or null.
 */
export const takenBack = signal(
  /** @type {{ seq: number, text: string, own: boolean } | null} */ (null),
);
/**
 * The last record that was looked at, and those of the last moves that were stored at once: a move,
 * and maybe the end that it brings.
 */
let last = 0;
/** @type {{ seq: number, at: number } | null} */
let move = null;
let end = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Look through the new records: another move or a rewind ends what the one before has thrown away.
 */
effect(() => {
  const log = records.value;
  if (!log.length) [last, move, end] = [0, null, 0];
  const news = log.filter(({ seq }) => seq > Math.max(last, firstSeq.value));
  last = log.at(-1)?.seq ?? 0;
  let found = log.length ? takenBack.peek() : null;
  for (const { seq, at, seat, event, text } of news) {
    // A move and what comes of it may arrive one by one.
    if (event?.type === "move.made") {
      if (at !== move?.at) [move, found] = [{ seq, at }, null];
      end = seq;
    }
    if (event?.type === "table.rewound") found = null;
    // What ended by itself had nothing left to throw away.
    const endsByItself = event?.type === "check.closed" && move?.seq === end;
    const own = seat === me.peek()?.id;
    // That an action is done is read in its result; who has ended it may take that back.
    const waives = event?.type === "move.made" && WAIVES.has(event.move);
    if (move && ((endsByItself && own && !isLogInSight()) || waives)) {
      found = { seq: move.seq, text: endsByItself ? text : waived(seat, own), own };
    }
  }
  if (found !== takenBack.peek()) show(found);
});

const waived = (seat, own) =>
  own ? say("thrown.yours.waived") : say("thrown.waived", { who: seatName(seat) });

function show(found) {
  clearTimeout(timer);
  takenBack.value = found;
  if (!found) return;
  spoken.value = found.text;
  timer = setTimeout(() => {
    takenBack.value = null;
  }, SHOWN);
}

/**
 * Undo and redo, where either is possible, each named by what it takes back or brings back; `small`
 * ones are behind a button.
 */
export function UndoButton({ small = false }) {
  if (!takingBack().length) return null;
  if (!small) return html`<${Takes} kind="plain" />`;
  const title = say("thrown.title");
  const open = () => openSheet(title, (close) => html`<${Takes} close=${close} />`);
  return html`<${IconButton} glyph="undo" label=${title} onTap=${open} />`;
}

const takingBack = () =>
  ["table.undo", "table.redo"].map((key) => byKey.value[key]).filter((offer) =>
    offer && !offer.closed
  );

function Takes({ kind = "", close = () => {} }) {
  const take = async (offer) => (await makeAtOnce(offer)) && close();
  return html`
    <div class="takes stack gap-2">
      ${takingBack().map((offer) =>
        html`
          <${Button} key=${offer.key} kind=${kind} onTap=${() => take(offer)}>
            <${Glyph} name="undo" />
            <span>
              ${offer.title}
              ${offer.approval &&
                html`
                  <span class="block quiet small">${say("offer.agrees", consenting(offer))}</span>
                `}
            </span>
            <//>
        `
      )}
      ${!takingBack().length &&
        html`<p class="quiet">${byKey.value["table.undo"]?.closed?.text}</p>`}
    </div>
  `;
}

/** The notice. What a player takes back, the game master is asked first. */
export function TakeBack() {
  const one = takenBack.value;
  if (!one || !table.value) return null;
  const offer = byKey.value["table.undo"];
  // Only the last move is taken back, with the end that it brought: a later one would go with it.
  // A player asks to take back what is theirs.
  const to = one.seq - 1;
  const mayTakeBack = offer && !offer.closed && (one.own || !offer.approval) &&
    table.value.undo_to === to;
  async function undo() {
    const made = await make("table.undo", { to }, { title: offer.title });
    // What was thrown away meanwhile is another matter.
    if (takenBack.peek() === one) show(null);
    if (made && offer.approval) notice(say("ask.asked"), "", "asked");
  }
  return html`
    <div class="toast row gap-3 card" data-thrown="true">
      <${Glyph} name="check" />
      <p class="grow">${one.text}</p>
      ${mayTakeBack &&
        html`
          <${Button} onTap=${undo}>
            <${Glyph} name="undo" />
            ${say(offer.approval ? "thrown.ask" : "thrown.undo")}
          <//>
        `}
    </div>
  `;
}
