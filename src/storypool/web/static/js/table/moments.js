/**
 * Moments: what everybody feels for about a second, and the cards of what has fallen, until they
 * are put away.
 */

import { computed, html, signal, useEffect, useRef, useSignalEffect } from "../../vendor/preact.js";
import { landed } from "../dice/dice.js";
import { isAsked, isOver } from "../state/game.js";
import { cardsOf, panelOf } from "../state/moment-panels.js";
import { keep, kept } from "../state/browser-storage.js";
import { drawnLater } from "../ui/drawn-later.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { calm, ms, onAnyInput } from "../ui/motion.js";
import { Glyph } from "../ui/parts.js";
import { buzz } from "../ui/sound.js";
import { eventOf, periodIn } from "../state/record-events.js";
import { firstSeq, here, isGm, records, table, the } from "../state/store.js";
import { undone } from "../state/undone-records.js";
import { say } from "../state/words.js";

/** A moment waits for its dice to land, but no longer than this: they may be out of sight. */
const LATEST = 2600;
const FRESH = 60_000;
const YOUR_MOVE = 20;
/** How long each weight lasts, of the usual time; and the milliseconds of one without motion. */
const LASTS = { 1: 0.75, 2: 1, 3: 1.4 };
const STILL = 1400;

const OPPOSITE = { good: "bad", bad: "good" };
const SIGNS = { good: "light", bad: "dark" };

/**
 * A moment that is to come; `ready` says that its dice have landed.
 *
 * @typedef {{
 *   seq: number,
 *   panel: Wire.Panel<"moment">,
 *   tone: string,
 *   times: number,
 *   ready: boolean,
 *   record: Wire.RecordShown,
 * }} Coming
 */

/** Moments that are still to come, the first first. */
const comingMoments = signal(/** @type {Coming[]} */ ([]));
/** The one that is felt now, or null; and what screen readers hear. */
const shownMoment = signal(/** @type {Coming | null} */ (null));
const announced = signal("");
/**
 * The number of the last record whose moments have been looked for: the card of a later one is not
 * shown yet.
 */
const shownUpTo = signal(0);
/**
 * What this reader has put away at the tables of this browser, by table and seat: { since, away },
 * by number of the record.
 */
const putAway = signal(kept("cards", {}));

const Moment = drawnLater(
  (again) => import(`../moments/moment.js${again}`).then((made) => made.Moment),
  () => null,
);
const HeldUp = drawnLater(
  (again) => import(`../characters/papers.js${again}`).then((made) => made.HeldUp),
  () => null,
);
/** Whether this reader has papers, or a scene with a title started since this page was opened. */
const isHeldUp = computed(() =>
  Object.keys(table.value?.papers ?? {}).length > 0 ||
  records.value.some(({ seq, event }) =>
    seq > firstSeq.value && event?.type === "period.began" && event.kind === "scene" && event.title
  )
);

/** Feels the moments of new records one after the other, and shows the one that is felt. */
export function Moments() {
  const heard = useRef(firstSeq.value);
  useEffect(() => {
    const last = records.value.at(-1)?.seq ?? 0;
    // Who has come to another table has heard nothing of it yet.
    if (last < heard.current) heard.current = firstSeq.value;
    const since = Math.max(heard.current, firstSeq.value);
    heard.current = Math.max(last, since);
    const news = records.value.filter(({ seq, at, moments }) =>
      seq > since && moments?.length && Math.abs(Date.now() - at) < FRESH
    );
    for (const record of news) for (const moment of record.moments) expect(record, moment);
    shownUpTo.value = heard.current;
  }, [records.value]);
  useSignalEffect(() => {
    const seq = landed.value;
    const waiting = comingMoments.peek();
    if (waiting.some((one) => one.seq === seq && !one.ready)) {
      comingMoments.value = waiting.map((one) => one.seq === seq ? { ...one, ready: true } : one);
    }
  });
  useSignalEffect(() => {
    const [next, ...rest] = comingMoments.value;
    if (shownMoment.value || !next?.ready) return;
    comingMoments.value = rest;
    begin(next);
  });
  const wasAsked = useRef(true);
  useSignalEffect(() => {
    if (isAsked.value && !wasAsked.current) buzz(YOUR_MOVE);
    wasAsked.current = isAsked.value;
  });
  useEffect(() => () => {
    comingMoments.value = [];
    shownMoment.value = null;
  }, []);
  const now = shownMoment.value;
  return html`
    <p class="visually-hidden" role="status" data-moments="announced">${announced.value}</p>
    ${isHeldUp.value && html`<${HeldUp} />`}
    ${(now || comingMoments.value.length > 0) &&
      html`<${Moment} now=${now} sentence=${announced.value} />`}
  `;
}

/**
 * How a moment looks and sounds to this reader: what happens to a character of the other side is
 * the opposite for theirs, as is the end of a fight whose goal the other side has reached, and a
 * point that turns over: what one side gains by it the other has lost.
 */
function toneOf({ binds }, { event }) {
  if (binds.began) return binds.tone;
  if (binds.turned) return isGm.value ? OPPOSITE[binds.tone] : binds.tone;
  const trait = event.trait ??
    records.value.map((one) => eventOf(one, "trait.set")?.trait).findLast((one) =>
      one &&
      (one.id === event.id ? one.about : one.goal && one.at === event.id && one.rating >= one.goal)
    );
  const side = the(table).characters[trait?.about]?.side ?? trait?.about.match(/^@(.*)/)?.[1];
  // The fall of a player's character is no gain of the game master's.
  const other = side && (side === "gm") !== isGm.value && !(isGm.value && binds.tone === "bad");
  return other ? OPPOSITE[binds.tone] : binds.tone;
}

function expect(record, moment) {
  const panel = panelOf(moment.name);
  if (!panel || (panel.binds.periods && isNamedNext(record))) return;
  const rolls = moment.dice.length > 0;
  comingMoments.value = [...comingMoments.value, {
    seq: record.seq,
    panel,
    tone: toneOf(panel, record),
    times: Math.max(1, moment.dice.length),
    // Dice that fell here lie by now, since what they bring was held back.
    ready: !rolls || landed.value >= record.seq,
    record,
  }];
  if (rolls) {
    setTimeout(() => {
      comingMoments.value = comingMoments.value.map((one) =>
        one.seq === record.seq ? { ...one, ready: true } : one
      );
    }, LATEST);
  }
}

/** Whether the next scene follows at once, with a title that is shown instead. */
const isNamedNext = ({ at }) =>
  records.value.some((one) => one.at === at && eventOf(one, "period.began")?.title);

function begin(one) {
  shownMoment.value = one;
  announced.value = sentence(one.panel, one.times);
  const end = () => {
    clearTimeout(timer);
    forget();
    if (shownMoment.value === one) shownMoment.value = null;
  };
  const timer = setTimeout(end, calm() ? STILL : ms("--moment") * LASTS[one.panel.binds.weight]);
  const forget = onAnyInput(end);
}

const sentence = (panel, times) =>
  times > 1 ? say("moment.times", { what: panel.title, n: times }) : panel.title;

/** Whose cards these are: this reader's at this table. */
const reader = computed(() => `${here.value?.id}/${here.value?.seat}`);

/**
 * Whether a card is out of date: what it says was to last for a while that is over, or of something
 * that ended a scene or a session has started or ended since, or another of its kind has started.
 */
const passed = (record, { binds }) =>
  isFollowed(record, { binds }) || !textNow(record) ||
  (isGone(record) && record.event.trait.until) ||
  (record.event.id && records.value.some((one) =>
    one.seq > record.seq &&
    (!["", "round"].includes(periodIn(one.event)) ||
      (binds.ended ?? binds.won).includes(eventOf(one, "trait.set")?.trait.kind))
  ));

/**
 * Whether what a card says has come again since, such as a defeat that was resisted before, or its
 * character has another card of the kind: the newer card says how it is now.
 */
const isFollowed = ({ seq, event: { trait } }, { binds }) =>
  trait &&
  records.value.some((one) => {
    const next = eventOf(one, "trait.set")?.trait;
    return one.seq > seq && one.moments?.length && !undone.value.has(one.seq) &&
      (next?.id === trait.id ||
        (binds.traits && next?.about === trait.about && the(table).characters[trait.about] &&
          one.moments.some(({ name }) => panelOf(name)?.binds.traits)));
  });

/**
 * The cards that lie on the table: what has fallen or ended in this session, since this reader
 * first came to it. The recap of a session takes their place.
 */
const cards = computed(() => {
  const mine = putAway.value[reader.value];
  if (!mine) return [];
  const log = records.value;
  const began = log.findLast(({ event }) => periodIn(event) === "session")?.seq ?? 0;
  const still = new Set(comingMoments.value.map(({ seq }) => seq));
  return log.filter(({ seq, moments }) =>
    moments?.length && seq > Math.max(began, mine.since) && seq <= shownUpTo.value &&
    !mine.away.includes(seq) && !still.has(seq) && !undone.value.has(seq)
  )
    .flatMap((record) =>
      cardsOf(record).filter((panel) => !passed(record, panel)).map((panel) => ({
        seq: record.seq,
        panel,
        tone: toneOf(panel, record),
        record,
      }))
    );
});

/**
 * The cards of what has fallen or ended, with what the log says of it. Once another action has
 * started each is a line, until this reader puts them away.
 */
export function FallenCards() {
  const known = putAway.value[reader.value];
  useEffect(() => {
    // A reader who comes for the first time finds no cards of what was before.
    if (!known && firstSeq.value) put({ since: firstSeq.value, away: [] });
  }, [known, firstSeq.value]);
  const newest = cards.value.at(-1);
  // What an earlier action brought is no news beside the result of a later one, and nothing is
  // beside a recap.
  const opened = records.value.findLast(({ event }) => event?.type === "check.opened")?.seq ?? 0;
  const news = newest && newest.seq > opened && !isOver();
  const place = useSpeaking(
    news && `${newest.seq} ${newest.panel.name}`,
    RANKS.card,
    ".fallen-card:last-child",
  );
  if (!newest) return null;
  const away = html`
    <button
      type="button"
      class="button small whole"
      onClick=${() =>
        put({ ...known, away: [...known.away, ...cards.value.map(({ seq }) => seq)] })}
    >
      ${say("moment.away", { n: cards.value.length })}
    </button>
  `;
  const several = cards.value.length > 1;
  return html`
    <div class="fallen-cards stack gap-2" data-news=${String(news)} ref=${place}>
      <ul class="stack gap-2" aria-label=${say("moment.cards")}>
        ${cards.value.map(({ seq, panel, tone, record }) =>
          html`
            <li
              class="fallen-card cluster gap-3"
              key=${seq + panel.name}
              data-tone=${tone}
              data-gone=${String(isGone(record))}
              data-past=${String(seq < opened)}
            >
              <${Glyph} name=${SIGNS[tone]} size="24" />
              <div class="grow">
                <p class="label">${panel.title}</p>
                <p class="name">${textNow(record)}</p>
                ${isGone(record) && html`<p class="fine">${say("moment.gone")}</p>`}
              </div>
              ${!several && away}
            </li>
          `
        )}
      </ul>
      ${several && away}
    </div>
  `;
}

/** What the log says of it, or else the trait itself, or what has become of it since. */
function textNow({ event, text }) {
  const { trait } = event;
  const now = trait && the(table).traits[trait.id]?.text;
  return now && now !== trait.text ? now : text || trait?.text;
}

/** Whether what came to be true is true no longer. */
const isGone = ({ event }) => event.type === "trait.set" && !the(table).traits[event.trait.id];

function put(mine) {
  putAway.value = { ...putAway.value, [reader.value]: mine };
  keep("cards", putAway.value);
}
