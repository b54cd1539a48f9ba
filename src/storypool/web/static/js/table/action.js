/**
 * The action in the middle: what a player attempts, the growing pool, whose window it is, and the
 * result.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { currentWait, isOver, panelsOf, primaryOffer, suggestion } from "../state/game.js";
import { decisive } from "../state/moment-panels.js";
import { counted, diceOf, dieOf, lookOf, signsOf } from "../state/looks.js";
import { Fallen, falls, placedIn } from "../dice/dice.js";
import { Clamped } from "../ui/clamped.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Figures, termWord } from "../ui/figure.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { buys } from "./menus.js";
import { Facts } from "../characters/facts.js";
import {
  hasResult,
  Headline,
  inSight,
  LastResult,
  LooseWords,
  rolledBefore,
  Spends,
  Whole,
} from "../dice/result.js";
import { Offer } from "./offers.js";
import { Opening, opening } from "./opening.js";
import { OddsBar } from "../odds/odds.js";
import { device } from "../ui/motion.js";
import { Button, Glyph, Sign, SmallPool } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { spoken } from "../state/announcements.js";
import {
  byKey,
  check,
  isGm,
  lanes,
  me,
  seatName,
  stageRecords,
  table,
  the,
  waits,
} from "../state/store.js";
import { eventOf } from "../state/record-events.js";
import { oneOf, say } from "../state/words.js";
import { Pool } from "./pool.js";
import { Recap } from "../screens/rarely-shown.js";

/** The dice that may be added; a visit without an open action starts without them. */
const Tray = drawnLater(
  (again) => import(`./tray.js${again}`).then((made) => made.Tray),
  () => null,
);

/** Both open actions by name, where there are two. */
const Lanes = drawnLater(
  (again) => import(`../screens/lanes.js${again}`).then((made) => made.Lanes),
  () => null,
);

/** The offer below the first result that a device sees. */
const FirstRoll = drawnLater(
  (again) => import(`../dice/first-roll.js${again}`).then((made) => made.FirstRoll),
  () => null,
);

/**
 * The middle of the table. A new action, its falling dice, and what was going on before are
 * scrolled into view.
 */
export function Stage() {
  const action = inSight.value;
  const place = useSpeaking(
    `${action?.id} ${action?.phase}`,
    RANKS.stage,
    ".fallen, .action-title, .recap h3, .last-result .result, .calm-words",
  );
  const isOpening = opening.value?.acted === false;
  return html`
    <section
      class="stage stack gap-4 full measure"
      ref=${place}
      aria-label=${say("stage.label")}
      data-phase=${check.value?.phase ?? "idle"}
      data-lanes=${lanes.value.length}
    >
      ${lanes.value.length > 1 && html`<${Lanes} />`}
      ${isOpening && !check.value && html`<${Opening} />`}
      ${action ? html`<${Action} key=${action.id} action=${action} />` : html`<${Calm} />`}
      ${!check.value && html`
        <${Facts} />
        ${opening.value?.acted && html`<${Opening} />`}
      `}
      <${Waits} />
    </section>
  `;
}

/**
 * The middle while there is no action: dice rolled outside of actions, and what is true in the
 * scene.
 */
function Calm() {
  const session = table.value?.running.includes("session");
  const loose = looseRolls();
  const isIdle = !loose.length && !hasResult.value && !isOver();
  // While the table waits, whose move it is stands in the dock alone.
  const words = !session ? "before" : waits.value.length ? "waits" : "session";
  return html`
    <h2 class="visually-hidden">${say("stage.label")}</h2>
    <div class="calm stack centre gap-4 text-centre">
      ${isOver()
        ? html`<${Recap} />`
        : loose.length
        ? html`<${Loose} rolls=${loose} />`
        : html`<${LastResult} />`}
      ${isIdle && html`
        <span class="calm-moon" aria-hidden="true"><${Glyph} name="storypool" size="64" /></span>
        <p class="calm-words quiet" data-words=${words}>${oneOf("calm", words)}</p>
        ${session && the(table).periods.session > 1 && html`
          <${Button} kind="plain" onTap=${openLast}>${say("recap.last")}<//>
        `}
      `}
    </div>
  `;
}

/** What happened in the last session, for a new one and for who comes late to it. */
const openLast = () => openSheet(say("recap.last"), () => html`<${Recap} previous=${true} />`);

/**
 * Dice outside of any action, as at the start of a session: those since the session or the round
 * began, until an action follows.
 */
function looseRolls() {
  const log = stageRecords.value;
  const found = [];
  let isInRound = false;
  for (let i = log.length - 1; i >= 0; i -= 1) {
    const event = log[i].event;
    if (
      ["check.opened", "check.closed", "period.ended", "table.rewound"].includes(event?.type ?? "")
    ) {
      break;
    }
    if (event?.type === "period.began" && event.kind === "session") break;
    // Those that began the round stay, with a few that were rolled before them.
    if (event?.type === "period.began" && event.kind === "round") isInRound = true;
    if (event?.type === "move.made" && isInRound && !found.length) break;
    if (event?.type === "dice.rolled" && !event.check) found.unshift(log[i]);
  }
  // Of moves that are narrated below their dice the last one is in sight.
  if (isNarrated()) return found.filter(({ at }) => at === found.at(-1)?.at);
  return found.slice(isInRound ? -3 : -8);
}

const isNarrated = () => panelsOf("actions").some(({ binds }) => binds.narrated);

function Loose({ rolls }) {
  const place = useSpeaking(rolls.at(-1).seq, RANKS.result, ":scope > :last-child");
  return html`
    <ul class="loose cluster centre gap-4" ref=${place}>
      ${rolls.map((record) =>
        html`
          <li class="stack centre gap-1" key=${record.seq}>
            <${Fallen}
              rolled=${record.event.rolled}
              seq=${record.seq}
              falling=${falls(record)}
              last=${decisive(record)}
              small=${record !== rolls.at(-1)}
            />
            ${numbers(record.event.rolled) &&
              html`<strong class="count loose-number">${numbers(record.event.rolled)}</strong>`}
            ${isNarrated()
              ? html`<${LooseWords} seq=${record.seq} whose=${whose(record.event)} />`
              : html`<span class="loose-whose quiet text-centre">${whose(record.event)}</span>`}
          </li>
        `
      )}
    </ul>
  `;
}

/**
 * Whose dice outside of an action are: what those of a game master are for, and those for a
 * character by name; else a player's own.
 */
function whose({ seat, why }) {
  const named = Object.values(the(table).characters).some(({ name }) => why?.includes(name));
  return ((named || the(table).seats[seat]?.side === "gm") && why) || seatName(seat);
}

/**
 * The numbers of dice that count from 0, which have them printed beside their symbols: outside of
 * an action they may be all that counts.
 */
const numbers = (rolled) =>
  rolled.filter(({ die }) => dieOf(die).first === 0).map(({ face }) => face).join(", ");

/** Whether a game master has a question of this action to answer. */
const isDeciding = ({ id }) =>
  isGm.value && currentWait.value?.yours && currentWait.value.check === id;

function Action({ action }) {
  const actor = the(table).characters[action.actor];
  const against = the(table).characters[action.against];
  const reveal = byKey.value["check.reveal"];
  const before = rolledBefore(action);
  return html`
    <header class="action-head stack gap-1 full">
      <p class="label">
        ${action.seen_by ? say("action.secret", { who: actor?.name ?? "" }) : actor?.name}
      </p>
      <h2 class="action-title">
        <${Clamped} text=${action.title} />
      </h2>
      <p class="quiet action-terms">${terms(action, against)}</p>
      <p class="suggested" role="status">
        ${suggestion.value && currentWait.value?.id !== "suggested" &&
          say(isGm.value ? "suggested.gm" : "suggested.waits", {
            what: suggestion.value,
            who: seatName(action.by),
          })}
      </p>
    </header>
    ${action.phase === "rolled"
      ? html`
        <${Rolled} action=${action} />
        <${Figures} action=${action} />
      `
      : html`
        <${Figures} action=${action} />
        <${Building} action=${action} />
      `}
    ${action.phase === "build" && html`<${Facts} usable=${!isDeciding(action)} />`}
    ${!check.value && html`<${Whole} id=${action.id} />`}
    ${reveal && !reveal.closed && primaryOffer.value?.key !== reveal.key &&
      html`<${Offer} offer=${reveal} />`}
    ${Object.values(the(table).checks).filter((one) =>
      one.id !== action.id && !one.seen_by && !action.seen_by
    ).map((one) => html`<${Facing} key=${one.id} action=${one} />`)}
    ${before && html`<${Facing} key=${before.id} action=${before} />`}
  `;
}

/** The action that stands against the one in sight: its pool, or its dice and its result. */
function Facing({ action }) {
  const actor = the(table).characters[action.actor]?.name ?? "";
  return html`
    <aside class="facing card stack gap-2" data-phase=${action.phase} aria-label=${actor}>
      <p>
        <strong class="name">${actor}</strong>
        ${" "}
        <span class="quiet"><${Clamped} text=${action.title} /></span>
      </p>
      ${action.phase === "rolled"
        ? html`
          <${Fallen}
            rolled=${action.rolled}
            dice=${diceOf(action)}
            seq=${0}
            falling=${false}
            small=${true}
          />
          <p class="result-small">${result(action)}</p>
        `
        : html`<${SmallPool} pool=${action.pool} />`}
    </aside>
  `;
}

/**
 * The terms of an action in words: names from the sheet or the table, plain words, and the
 * opponent.
 */
function terms(action, against) {
  const actor = the(table).characters[action.actor];
  const sidesOf = ({ binds }) => [
    { one: actor, keys: binds.own },
    { one: against, keys: binds.theirs },
  ];
  const sides = against ? panelsOf("sides").flatMap(sidesOf) : [];
  const wordsOf = ({ keys }) => keys.map((key) => termWord(action.terms[key])).filter(Boolean);
  const described = sides.filter((side) => side.one && wordsOf(side).length);
  const sided = new Set(described.flatMap(({ keys }) => keys));
  const listed = panelsOf("terms").flatMap(({ binds }) => binds.terms ?? []);
  const shown = listed.length ? listed : Object.keys(action.terms).filter((key) => key !== "kind");
  const named = shown.filter((key) => !sided.has(key)).map((key) => termWord(action.terms[key]));
  // Who acts stands above: the name comes again only to tell two sides apart.
  named.unshift(
    ...described.flatMap((side) =>
      side.one === actor && described.length < 2
        ? wordsOf(side)
        : say("action.side", { who: side.one.name, what: wordsOf(side).join(", ") })
    ),
  );
  // Both sides by name say who it is against.
  if (against && described.length < 2) {
    const helps = panelsOf("sides").flatMap(({ binds }) => binds.helps ?? []);
    const isFor = Object.entries(action.terms).some((term) => helps.includes(term.join(" ")));
    named.push(say(isFor ? "action.for" : "action.against", { who: against.name }));
  }
  return named.filter((word, i) => word && word !== action.title && named.indexOf(word) === i).join(
    " · ",
  );
}

function Building({ action }) {
  return html`
    <${Pool} action=${action}>
      <${Tray} />
      <//>
      <${OddsBar} />
  `;
}

/**
 * What else the table waits for: about the action that the dock speaks of what comes before that,
 * and about others the first of the same seats.
 */
function Waits() {
  const subject = ({ check, whom, text }) => check ? `${check} ${whom}` : text;
  const subjects = waits.value.map(subject);
  const docked = waits.value.indexOf(currentWait.value);
  const more = waits.value.filter((one, n) =>
    !one.yours && (n < docked || one.check !== currentWait.value?.check) &&
    subject(one) !== subject(currentWait.value) && subjects.indexOf(subject(one)) === n
  );
  if (!more.length) return null;
  return html`
    <ul class="waits stack gap-1 small text-centre" aria-label=${say("waits.label")}>
      ${more.map((one) =>
        html`
          <li key=${one.text} class="quiet">
            <${Clamped} text=${one.text} long=${120} />
          </li>
        `
      )}
    </ul>
  `;
}

/** Whether the dice, sound and touch of this device were chosen or offered. */
const isDecided = () => ["offered", "dice", "sound", "buzz"].some((name) => device.peek()[name]);

/** The rolled dice and their result, which is shown when the dice have fallen. */
function Rolled({ action }) {
  const record = rollOf(action);
  const falling = record ? falls(record) : false;
  const [shown, setShown] = useState(!falling);
  const news = useRef(falling);
  const isFirst = useRef(falling && !isDecided());
  // What a hit did is added to a result, a die may be rolled again, and at the end of the action it
  // is shown once more. On a phone it leaves room below it for the rows that its reader can buy.
  const place = useSpeaking(
    shown && `${action.id} ${record?.seq} ${result(action)} ${Boolean(check.value)} ${buys.value}`,
    RANKS.result,
    ".result",
    buys.value ? "start" : "nearest",
  );
  useEffect(() => {
    if (!shown || !news.current) return;
    spoken.value = result(action);
    // The button that rolled is gone, and with it the focus of a keyboard: for the player who
    // rolled, and for nobody else.
    if (record?.seat === me.value?.id && document.activeElement === document.body) {
      /** @type {HTMLElement | null} */
      const shownResult = place.current.querySelector(".result");
      shownResult?.focus({ preventScroll: true });
    }
  }, [shown, result(action)]);
  return html`
    <${Fallen}
      rolled=${action.rolled}
      dice=${diceOf(action)}
      placed=${placedIn(action)}
      again=${eventOf(record ?? undefined, "dice.rolled")?.rolled}
      seq=${record?.seq ?? 0}
      falling=${falling}
      last=${decisive(record)}
      settled=${(lie = true) => setShown(lie)}
    />
    <div
      class="outcome stack centre full text-centre"
      ref=${place}
      data-shown=${String(shown)}
      data-passed=${String(action.outcome?.passed ?? "")}
    >
      ${shown && html`<${Outcome} action=${action} />`}
      ${isFirst.current && html`<${FirstRoll} shown=${shown} />`}
    </div>
  `;
}

/** The record of an action's last roll: of its own dice, where others were rolled since. */
function rollOf({ id, rolled }) {
  const found = stageRecords.value.filter(({ event }) =>
    event?.type === "dice.rolled" && event.check === id
  );
  const own = (one) => rolled.some(({ die, face }) => die === one.die && face === one.face);
  const isOwn = (record) => eventOf(record, "dice.rolled")?.rolled.every(own);
  return found.findLast(isOwn) ?? found.at(-1) ?? null;
}

function result(action) {
  return action.outcome?.words ?? "";
}

/** What a roll came to on an axis: its sign and a number, or so many of what has a word alone. */
function Came({ name, n }) {
  const { glyph, word, plural } = lookOf(name);
  if (!glyph && word !== plural) return html`<span>${counted(n, name)}</span>`;
  return html`
    <${Sign} name=${name} />
    <span class="count">${String(n).replace("-", "−")}</span>
  `;
}

function Outcome({ action }) {
  const signs = signsOf(action.outcome?.net ?? {});
  // What an action that is over did not spend is gone.
  const left = check.value ? Object.entries(action.left ?? {}).filter(([, n]) => n > 0) : [];
  return html`
    <ul class="signs cluster centre" aria-hidden="true">
      ${signs.map(([name, n]) =>
        html`
          <li key=${name} class="sign inline gap-2" data-tone=${lookOf(name).colour}>
            <${Came} name=${name} n=${n} />
          </li>
        `
      )}
    </ul>
    <p class="result" tabindex="-1">
      <${Headline} words=${result(action)} />
    </p>
    <${Spends} id=${action.id} />
    ${left.length > 0 && html`
      <div class="left cluster centre">
        <span class="label">${panelsOf("menu")[0]?.words.left ?? say("left.title")}</span>
        <ul class="left-tokens cluster gap-1">
          ${left.flatMap(([name, n]) =>
            Array.from({ length: n }, (_, i) =>
              html`
                <li key=${name + i} class="left-token centred" title=${lookOf(name).word}>
                  <${Sign}
                    name=${name}
                    label=${i ? undefined : say("left.of", { n, word: counted(n, name) })}
                  />
                </li>
              `)
          )}
        </ul>
      </div>
    `}
  `;
}
