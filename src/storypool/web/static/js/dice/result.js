/**
 * The result of a roll after its action: small on the stage until the next begins, and whole in a
 * sheet.
 */

import { computed, html } from "../../vendor/preact.js";
import { isolated } from "../ui/bidi.js";
import { panelsOf } from "../state/game.js";
import { drawnLater } from "../ui/drawn-later.js";
import { diceOf, dieOf, faceOf } from "../state/looks.js";
import { placedIn } from "./dice.js";
import { Button, Die, Glyph, IconButton } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
// What is loaded later shares it: a whole roll, the links, and the recap.
import "../ui/sharing.js";
import { older } from "../state/earlier-records.js";
import {
  check,
  fallingAction,
  records,
  seatName,
  stageRecords,
  table,
  the,
} from "../state/store.js";
import { actionIn, eventOf } from "../state/record-events.js";
import { undone } from "../state/undone-records.js";
import { say } from "../state/words.js";

const MOST_SMALL = 12;

const isDone = (event) => event?.type === "check.closed" && event.how === "done";
const isStartOf = (event, ...kinds) => event?.type === "period.began" && kinds.includes(event.kind);

/** The last action of this scene that was done and not taken back, as a roll; or null. */
const last = computed(() => {
  const found = records.value.findLast(({ seq, event }) =>
    (isStartOf(event, "session", "scene") || isDone(event)) && !undone.value.has(seq)
  );
  const closed = eventOf(found, "check.closed");
  return closed && isDone(closed) ? rollOf(closed.id) : null;
});

/** The action that ended by itself, as it was, until something else begins; or null. */
const endedByItself = computed(() => {
  const fight = (event) => isStartOf(event, "round") && event.number === 1;
  const next = (event) =>
    event?.type === "check.opened" || event?.type === "period.ended" ||
    isStartOf(event, "session", "scene") || fight(event) ||
    (event?.type === "dice.rolled" && !event.check);
  const found = records.value.findLast(({ seq, event }) =>
    (next(event) || event?.type === "check.closed") && !undone.value.has(seq)
  );
  const closed = eventOf(found, "check.closed");
  return found && closed && isDone(closed) && endsByItself(found) ? actionOf(closed.id) : null;
});

/** The action that the stage shows: the one whose dice fall, the open one, or the last to end. */
export const inSight = computed(() =>
  (fallingAction.value ? actionOf(fallingAction.value) : null) ?? check.value ?? endedByItself.value
);

/**
 * Whether an action ended with another move than that of its end, as its record of the end shows:
 * what is stored at once has one time.
 */
export function endsByItself({ at }) {
  const first = records.value.find((one) => one.at === at && one.event?.type === "move.made");
  const made = eventOf(first, "move.made");
  return Boolean(made) && made?.move !== "check.close";
}

/** The action, over by now, that faced this one and was rolled before it; or null. */
export function rolledBefore(action) {
  const faces = panelsOf("sides").map(({ binds }) => binds.facing ?? "").filter(Boolean);
  const found = records.value.findLast(({ event, seq }) =>
    faces.some((key) => actionIn(event)?.terms[key] === action.id) && !undone.value.has(seq)
  );
  const before = actionIn(found?.event ?? null);
  return before && !the(table).checks[before.id] ? actionOf(before.id) : null;
}

/** An action as its last record has it, if it was rolled; or null. */
function actionOf(id) {
  const changed = stageRecords.value.findLast(({ event, seq }) =>
    actionIn(event)?.id === id && !undone.value.has(seq)
  );
  const action = actionIn(changed?.event ?? null);
  return action?.rolled.length ? action : null;
}

/**
 * A roll: who tried what, its dice as they lie, and what they came to; null if nothing was rolled.
 */
function rollOf(id) {
  const check = actionOf(id);
  if (!check) return null;
  const who = the(table).characters[check.actor]?.name ?? "";
  const seqs = records.value.filter(({ event, seq }) =>
    event?.type === "dice.rolled" && event.check === id && !undone.value.has(seq)
  ).map(({ seq }) => seq);
  return {
    id,
    seqs,
    who,
    hidden: Boolean(check.seen_by),
    title: check.title,
    rolled: check.rolled,
    dice: diceOf(check),
    placed: placedIn(check),
    words: check.outcome?.words ?? "",
    passed: check.outcome?.passed,
    net: check.outcome?.net ?? {},
  };
}

/** The roll of a record: of its action, or of dice outside of any. */
function rollIn({ seq, event, text }) {
  return (event.check && rollOf(event.check)) ||
    {
      id: "",
      seqs: [seq],
      who: seatName(event.seat),
      title: event.why,
      rolled: event.rolled,
      dice: [],
      words: text,
      net: {},
    };
}

/** A first sentence shorter than this ends at the dot of a name, and not there. */
const LEAST_HEADLINE = 12;

/** The first sentence of a text, and the rest of it. */
export function headline(words) {
  const found = [
    ...new Intl.Segmenter(document.documentElement.lang || undefined, { granularity: "sentence" })
      .segment(words),
  ].map(({ segment }) => segment);
  const n = found.findIndex((_, i) => found.slice(0, i + 1).join("").length >= LEAST_HEADLINE) + 1;
  const rest = n ? found.slice(n).join("") : "";
  return [words.slice(0, words.length - rest.length), rest];
}

/**
 * What a roll came to in words: its first sentence as a headline, and what follows from it below,
 * in smaller letters.
 */
export function Headline({ words }) {
  const [first, rest] = headline(words);
  return html`
    ${isolated(first)}
    ${rest && html`<span class="result-more block">${isolated(rest)}</span>`}
  `;
}

/** What followed from a roll, below its result. */
export const Spends = drawnLater(
  (again) => import(`./spends.js${again}`).then((made) => made.Spends),
  () => null,
);

/** Words for dice outside of an action, in a game that narrates its moves below their dice. */
export const LooseWords = drawnLater(
  (again) => import(`./spends.js${again}`).then((made) => made.LooseWords),
  () => null,
);

/** A roll whole, in a sheet. */
const WholeRoll = drawnLater(
  (again) => import(`./whole-roll.js${again}`).then((made) => made.WholeRoll),
);

/** The last result, small, on the stage; a tap shows it whole. Null if there is none. */
export function LastResult() {
  const roll = last.value;
  if (!roll) return null;
  const shown = roll.rolled.slice(0, MOST_SMALL);
  return html`
    <button
      type="button"
      class="last-result card stack centre gap-2 full text-centre"
      data-passed=${String(roll.passed ?? "")}
      onClick=${() => openRoll(roll)}
    >
      <span class="label inline">
        ${roll.hidden && html`<${Glyph} name="secret" size="16" />`}
        ${say(roll.hidden ? "result.hidden" : "result.last")}
      </span>
      <span class="last-title quiet"><span class="name">${roll.who}</span> ${roll.title}</span>
      <span class="last-dice cluster centre gap-1" aria-hidden="true">
        ${shown.map(({ die: name, face }, i) =>
          html`<${Die} key=${i} name=${name} size="small" ...${upside(roll, name, face, i)} />`
        )}
        ${roll.rolled.length > MOST_SMALL &&
          html`<span class="count small">+${roll.rolled.length - MOST_SMALL}</span>`}
      </span>
      <span class="result lead"><${Headline} words=${roll.words} /></span>
      <${Spends} id=${roll.id} />
      <span class="fine quiet last-more inline">
        ${say("result.whole")}
        <${Glyph} name="chevron" size="16" />
      </span>
    </button>
  `;
}

/** What a small die shows: its symbols, or its number. */
export function upside(roll, name, face, i) {
  const { number, symbols } = faceOf(
    roll.dice[i]?.name === name ? roll.dice[i] : dieOf(name),
    face,
  );
  return number ? { number } : { symbols };
}

/** A button for the roll of an action that is over and in sight: it can be shared. */
export function Whole({ id }) {
  return html`
    <${Button} kind="plain" onTap=${() => openRoll(rollOf(id))}>${say("result.share")}<//>
  `;
}

/** Whether there is a last result to show. */
export const hasResult = computed(() => Boolean(last.value));

/** A button that shows the roll of a record whole. */
export function RollButton({ seq }) {
  const record = records.value.find((one) => one.seq === seq) ??
    older.value.records.find((one) => one.seq === seq);
  return html`
    <${IconButton}
      glyph="chevron"
      label=${say("result.show")}
      onTap=${() => record && openRoll(rollIn(record))}
    />
  `;
}

function openRoll(roll) {
  openSheet(roll.title || say("result.roll"), () => html`<${WholeRoll} roll=${roll} />`);
}
