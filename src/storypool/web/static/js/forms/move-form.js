/**
 * The form of a move, made from its questions: each answer may bring the next question, and shows a
 * preview.
 */

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { useFoot } from "../ui/fixed-bars.js";
import {
  draftAnswers,
  draftOf,
  dropDraft,
  keepDraft,
  keepForLater,
  keptDrafts as kept,
} from "./drafts.js";
import { confirmEnd, endsSession } from "../sessions/session-end.js";
import { Figures } from "../ui/figure.js";
import { Field } from "./fields.js";
import { notice } from "../state/announcements.js";
import {
  busy,
  byKey,
  check,
  make,
  naming,
  preview,
  refused,
  table,
  unsent,
} from "../state/store.js";
import { opensBeside } from "../state/game.js";
import { diceOf, dieOf, inOrder, notation } from "../state/looks.js";
import { useWorthOf, WorthList, worthOn, WouldOdds } from "../odds/odds.js";
import { Asked, Bag, Because, Fold, SmallPool, useOnce } from "../ui/parts.js";
import { rowOf, sheetOf } from "./option-rows.js";
import { openSheet } from "../ui/sheet.js";
import { keepUsed } from "./recent-choices.js";
import { newToken } from "../state/wire.js";
import { capital, oneOf, say } from "../state/words.js";

const SOON = 140;
const MOST_ROUNDS = 4;

/** The title of what was kept for this move until another action was done, or "". */
export const keptFor = (offer, given) =>
  kept.value[draftOf(offer.key, naming(offer.key, given), false)] ?? "";

/**
 * Open the form of a move; `given` are known answers, `answers` those that it begins with,
 * `override` sets a refusal aside, `byHand` is for real dice, and `chosen` is the question among
 * the given that the reader has just answered. It stays about the action that is in sight now.
 */
export function openMove(
  offer,
  { given = {}, answers = {}, override = false, aside = "", byHand = false, chosen = "" } = {},
) {
  const known = naming(offer.key, given);
  const look = (args, signal) => preview(offer.key, args, override, signal);
  const send = (args, token) => make(offer.key, args, { override, token, title: offer.title });
  openForm(offer, {
    given: known,
    answers,
    override,
    aside,
    byHand,
    chosen,
    look,
    send,
    draft: draftOf(offer.key, known, override),
  });
}

/**
 * Open a form; `look(answers, signal)` previews them, `send(answers, token)` returns what was made
 * of them, or null. What was typed is kept as `draft`.
 */
export function openForm(offer, { given = {}, ...how }) {
  openSheet(
    offer.title,
    (close) => html`<${Form} first=${offer} given=${given} ...${how} close=${close} />`,
  );
}

function Form(
  { first, given, answers, override, aside, byHand, chosen, look, send, draft, close },
) {
  const [args, setArgs] = useState(() => ({
    ...answers,
    ...(draft && draftAnswers(draft, first.asks)),
    ...given,
  }));
  const [seen, setSeen] = useState({
    offer: first,
    refused: null,
    pool: null,
    check: null,
    odds: null,
    of: null,
    sent: null,
  });
  const [error, setError] = useState(null);
  // The action it was opened in.
  const [at] = useState(check.value);
  // One token per command: it changes only when an answer does.
  const token = useRef({ of: "", value: "" });
  const offer = seen.offer?.key ? seen.offer : first;
  // When faces of real dice are expected or partly given, the server must not roll instead.
  const real = offer.asks.find((ask) =>
    ask.kind === "faces" && (byHand || args[ask.name] !== undefined)
  );
  const unfilled = real && !(args[real.name] && isComplete(args[real.name])) ? real : undefined;
  const fit = (asks) => answersTo(args, asks, first, given);
  const looked = async (signal) => {
    const found = await settledPreview(look, fit, offer, signal);
    if (!signal?.aborted) setSeen((old) => ({ ...old, ...found, of: args }));
    return found;
  };
  // What its own move makes of the action is no news to the form; what others make of it changes
  // what it shows.
  const now = given.check ? table.value.checks[given.check] : check.value;
  useEffect(() => busy.value === first.key ? undefined : afterPause(looked), [
    JSON.stringify(args),
    JSON.stringify(now ?? null),
  ]);
  useWorthOf(first);

  const set = (name) => (value) => {
    setError(null);
    setArgs((old) => ({ ...old, ...(name === "who" && clearedNumbers(offer)), [name]: value }));
  };
  // Before the next event: that may be what closes the form.
  useLayoutEffect(() => draft && keepDraft(draft, args), [args]);
  const [waiting, submit] = useOnce(async () => {
    if (unfilled) {
      return setError({
        field: unfilled.name,
        text: say("faces.untold"),
        remedy: say("faces.untoldRemedy"),
        rule: "",
      });
    }
    // What was just answered may have closed other questions: their answers are not sent.
    const { sent, refused: no } = seen.of === args ? seen : await looked();
    // What is missing is asked for before anything is sent.
    if (no?.code === "argument" && no.field && sent[no.field] === undefined) return setError(no);
    const meant = JSON.stringify(sent);
    if (token.current.of !== meant) token.current = { of: meant, value: newToken() };
    const made = await send(sent, token.current.value);
    if (made) dropDraft(draft);
    if (made) keepUsed(offer.asks, sent);
    if (made || unsent.value.some((one) => one.token === token.current.value)) return close();
    setError(refused.value?.refusal ?? null);
    refused.value = null;
  });
  // What it was for is over, and nothing is lost: what was typed is kept, and what was chosen is
  // refused in words.
  const passed = isPassed(first, at, args, given);
  useEffect(() => void (passed && !waiting && close()), [passed]);
  // A refusal is scrolled into view, wherever it is in a long form.
  const form = useRef(null);
  useFoot(form);
  useEffect(() => {
    if (error) {
      form.current.querySelector(".field-error, [role=alert]")?.scrollIntoView({ block: "center" });
    }
  }, [error]);
  const shown = offer.asks.filter((ask) =>
    !hasNoOpenChoice(ask) && !(ask.name in given && ask.kind === "choice")
  );
  // What the reader has just answered, and who acts where a button knew that, as on the turn of one
  // of several.
  const read = offer.asks.filter(({ name, kind }) =>
    name in given && kind === "choice" && (name === chosen || name === "as")
  );
  const early = shown.filter((ask) => !isFolded(ask));
  // Rows of dice are long: what is asked besides comes before them.
  const folded = shown.filter(isFolded).sort((one, other) =>
    Number(one.kind === "pool") - Number(other.kind === "pool")
  );
  // Where the form needs nothing else, the numbers of a sheet are what it was opened for.
  const unfolds = (ask) =>
    warning?.field === ask.name || args[ask.name] !== undefined ||
    (ask.kind === "sheet" && !early.some(({ needed }) => needed));
  // A refusal of earlier answers does not apply to these.
  const warning = error ??
    (seen.refused && seen.of === args &&
        (seen.refused.code !== "argument" || args[seen.refused.field] !== undefined)
      ? seen.refused
      : null);
  // Another action has started meanwhile: this one is for afterwards.
  const next = draft && !first.closed && warning?.code === "when" && check.value !== null &&
    !override;
  const keep = () => (keepForLater(draft, args.title || offer.title), close());
  const named = shown.some((ask) => ask.name === warning?.field);
  // Without an answer the move is refused, as the question is needed or other answers make it so.
  const missed = seen.refused?.code === "argument" && seen.of?.[seen.refused.field] === undefined
    ? seen.refused.field
    : "";
  const wanting = (ask) =>
    ask === unfilled ||
    ((ask.needed || ask.name === missed) && (shownAnswer(args, ask) ?? "") === "");
  const pool = seen.check?.pool ?? seen.pool;
  // Where several actions are open, the form says which it is about.
  const action = table.value.checks[given.check];
  const about = (ask) => {
    if (ask.kind === "sheet") {
      return table.value.characters[
        args.who ?? offer.asks.find((one) => one.name === "who")?.default
      ]?.sheet;
    }
    if (ask.kind === "faces") return diceToEnter(ask, pool);
    return rowOf(ask) ? sheetOf(rowOf(ask), offer, args) : undefined;
  };
  // A question that was once missed may not stay open, and none offers that.
  const open = useRef(new Set());
  if (missed) open.current.add(missed);
  const field = (ask) =>
    html`
      <${Field}
        key=${ask.name}
        ask=${{ ...ask, plain: !seen.of || open.current.has(ask.name) }}
        value=${shownAnswer(args, ask)}
        set=${set(ask.name)}
        wanting=${wanting(ask)}
        trouble=${warning}
        about=${about(ask)}
        worth=${worthOn(offer, ask)}
      />
    `;
  return html`
    <form
      class="form stack gap-5"
      ref=${form}
      onSubmit=${submit}
      noValidate
      aria-busy=${seen.of === args ? undefined : "true"}
    >
      ${aside &&
        html`
          <${Because}
            refusal=${{ text: say("override.sets", { text: aside }), remedy: "", rule: "" }}
          />
        `}
      ${action &&
        html`
          <p class="form-about quiet">
            <span class="strong">${table.value.characters[action.actor]?.name}</span>
            ${" "}
            ${action.title}
          </p>
        `}
      ${opensBeside(first) &&
        html`
          <p class="quiet">
            ${capital(oneOf("lanes.beside", check.value.seen_by ? "hidden" : "open"))}
          </p>
        `}
      ${offer.approval && html`<p class="quiet">${say("ask.approval", consenting(offer))}</p>`}
      ${offer.caution && html`<p class="quiet">${offer.caution}</p>`}
      ${offer.ends && html`<p>${offer.ends}</p>`}
      <${WorthList}
        offer=${offer}
        args=${args}
        pick=${(more) => setArgs((old) => ({ ...old, ...more }))}
      />
      ${read.map((ask) =>
        html`
          <p class="quiet" key=${ask.name}>
            <${Asked} ask=${ask} />
            ${" "}
            <strong class="name">
              ${ask.choices.find(({ value }) => value === given[ask.name])?.label}
            </strong>
          </p>
        `
      )}
      ${early.map(field)}
      ${folded.length > 0 && html`
        <${Fold} title=${say("ask.moreOptions")} open=${folded.some(unfolds)}>
          <div class="stack">${folded.map(field)}</div>
          <//>
      `}
      ${pool && Object.keys(pool).length > 0 && !isRolledOut(seen.check) &&
        html`
          <${Would}
            pool=${pool}
            odds=${seen.odds}
            suggested=${seen.check?.suggested}
            old=${seen.of !== args}
          />
        `}
      ${warning && !named && html`
        <div role="alert">
          <${Because} refusal=${next ? { ...warning, remedy: say("ask.keepWhy") } : warning} />
        </div>
      `}
      <div class="form-foot wrap gap-2">
        <div class="form-figure" aria-live="polite">
          ${error ? say("ask.unchanged") : html`
            <${Figures} action=${seen.check} known=${table.value.checks[seen.check?.id]} />
          `}
        </div>
        <button type="button" class="button" onClick=${close}>${say("cancel")}</button>
        ${next
          ? html`
            <button type="button" class="button" data-kind="wide" onClick=${keep}>
              ${say("ask.keep")}
            </button>
          `
          : html`
            <button
              type="submit"
              class="button"
              data-kind="primary"
              data-wanting=${shown.some(wanting) ? "true" : undefined}
              aria-busy=${waiting ? "true" : undefined}
            >
              <span>
                ${override && aside ? say("override.do") : real ? say("faces.take") : offer.title}
              </span>
              ${Object.keys(offer.price ?? {}).length > 0 && html`<${Bag} bag=${offer.price} />`}
            </button>
          `}
      </div>
    </form>
  `;
}

/**
 * Whether the moment of a form has passed: its action is over, or was rolled before anything was
 * answered.
 */
function isPassed(first, at, args, given) {
  const now = byKey.value[first.key];
  if (!at || !table.value || first.closed || (now && now.closed?.code !== "when")) return false;
  const still = table.value.checks[at.id];
  return !still || (still.phase !== at.phase && Object.keys(args).every((name) => name in given));
}

/** The numbers of a sheet, unanswered: those of one character are not another's. */
const clearedNumbers = (offer) =>
  Object.fromEntries(
    offer.asks.filter((ask) => ask.kind === "sheet").map((ask) => [ask.name, undefined]),
  );

/** The pool as the move would make it, with its odds. */
function Would({ pool, odds, suggested, old }) {
  return html`
    <div class="would cluster" data-old=${String(old)} aria-busy=${String(old)}>
      <span class="label full">${say("ask.would")}</span>
      <${SmallPool} pool=${pool} />
      <${WouldOdds} odds=${odds} suggested=${suggested} />
    </div>
  `;
}

/** Whether an action has been rolled and gets no further dice: then there is no pool to preview. */
function isRolledOut(action) {
  return action?.phase === "rolled" && notation(action.pool) === notation(check.value?.pool);
}

/** Do something a moment after the last change, unless another follows. */
function afterPause(work) {
  const stop = new AbortController();
  const timer = setTimeout(() => work(stop.signal), SOON);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

/**
 * Preview the answers, and again without those to questions that are not asked any more: { sent,
 * offer, refused ... }.
 */
async function settledPreview(look, fit, offer, signal) {
  let sent = fit(offer);
  for (let round = 1;; round += 1) {
    const found = await tryPreview(look, sent, signal);
    // A move that its price closes asks nothing. The answers that made the price stay on the form.
    if (found.offer?.closed && !found.offer.asks.length) {
      return { ...found, offer: { ...offer, price: found.offer.price }, sent };
    }
    const next = found.offer?.key ? fit(found.offer) : sent;
    if (round === MOST_ROUNDS || JSON.stringify(next) === JSON.stringify(sent)) {
      return { ...found, sent };
    }
    sent = next;
  }
}

async function tryPreview(look, sent, signal) {
  try {
    return await look(sent, signal);
  } catch (trouble) {
    const refused = trouble.refusal && !trouble.unanswered ? trouble.refusal : null;
    return { refused, pool: null, check: null, odds: null };
  }
}

/**
 * The answers to questions that are still asked; what was given for the move without a question
 * stays.
 */
function answersTo(args, offer, first, given) {
  const asked = new Set(offer.asks.map((ask) => ask.name));
  const silent = new Set(
    Object.keys(given).filter((name) => !first.asks.some((ask) => ask.name === name)),
  );
  const kept = ([name, value]) =>
    (asked.has(name) || silent.has(name)) && value !== undefined && isComplete(value);
  return {
    ...initialAnswers(offer, args),
    ...Object.fromEntries(Object.entries(args).filter(kept)),
  };
}

/** What the form of a move begins with, but for the questions that are answered. */
const initialAnswers = (offer, args) =>
  Object.fromEntries(
    offer.asks.filter((ask) => !(ask.name in args) && (ask.preset ?? null) !== null).map((
      ask,
    ) => [ask.name, ask.preset]),
  );

/** Whether a question has its answer before anybody gives one. */
export const hasInitialAnswer = (ask) => (ask.preset ?? ask.default ?? null) !== null;

/**
 * What may stay open without a word: real dice, and what is only chosen. A text is asked for, and
 * so are dice for another side.
 */
const OPTIONAL = new Set(["faces", "choice", "number"]);

/**
 * Whether the form of a move would have nothing left that has to be asked: every question begins
 * with its answer, or may stay open, and it ends nothing that others are in.
 */
export const asksNothing = (offer, given) =>
  !offer.ends &&
  offer.asks.every((ask) =>
    ask.name in given || hasInitialAnswer(ask) || (!ask.needed && OPTIONAL.has(ask.kind))
  );

/** Make a move with the answers that its form would begin with. */
export const makeWithDefaults = (offer, given) =>
  make(offer.key, { ...initialAnswers(offer, given), ...given }, { title: offer.title });

/** What a question shows: its answer, what is taken without one, or what the form begins with. */
function shownAnswer(args, ask) {
  return args[ask.name] ?? (ask.name in args ? null : ask.preset) ?? ask.default ?? undefined;
}

/** Faces count only when every die has one. */
function isComplete(value) {
  return !Array.isArray(value) || value.every((face) => face !== null && face !== undefined);
}

/** Whether a question has no possible answer now, and needs none. */
function hasNoOpenChoice(ask) {
  return ask.kind === "choice" && !ask.choices.length && !ask.needed && !ask.free;
}

/** The dice whose faces are entered: those that the question names, or those of the action. */
function diceToEnter(ask, pool) {
  if (ask.choices.length) return ask.choices.map((choice) => countedDie(choice.value));
  return pool && notation(pool) !== notation(check.value?.pool)
    ? inOrder(pool).map(dieOf)
    : diceOf(check.value);
}

/** A die as it counts in the open action, if all dice of that name read the same there. */
function countedDie(name) {
  const [one, ...more] = diceOf(check.value).filter((die) => die.name === name);
  return one && more.every((die) => JSON.stringify(die.faces) === JSON.stringify(one.faces))
    ? one
    : dieOf(name);
}

/**
 * The questions that most people leave alone, folded away: those for dice and numbers by hand among
 * them.
 */
function isFolded(ask) {
  return !ask.needed &&
    (["pool", "flag", "sheet"].includes(ask.kind) ||
      (ask.kind === "number" && (ask.default ?? null) === null));
}

/**
 * Make a move at once when it asks nothing and ends nothing that others are in, else open its form.
 */
export function makeOrOpen(offer, how = {}) {
  const open = offer.asks.some((ask) =>
    !(ask.name in (how.given ?? {})) && !(ask.kind === "faces" && !ask.needed)
  );
  if (open || offer.ends) return openMove(offer, how);
  if (endsSession(offer) && !how.override) return confirmEnd(offer, how.given);
  return makeAtOnce(offer, how.given, how.override);
}

/** Who has to agree to a move in place of the game master, for a sentence about that. */
export const consenting = (offer) => offer.agrees ? { gm: offer.agrees } : {};

/**
 * Make a move without its form; a notice says where the GM is asked first, as what waits for an
 * answer may be out of sight.
 */
export async function makeAtOnce(offer, given = {}, override = false) {
  const made = await make(offer.key, given, { override, title: offer.title });
  if (made?.records.some((record) => record.event?.type === "proposal.made")) {
    notice(say("ask.asked", consenting(offer)), "", "asked");
  }
  return made;
}

/**
 * Answer one question of a move: the move is made at once if nothing else is to be chosen, else its
 * form opens. With `presets`, questions that begin with an answer keep it; a move that asks for
 * words next, and begins with none, is one to tell in its form. `ask` is given the offer and the
 * question where one choice is left: it is asked there, and no form opens.
 */
export async function makeOrAsk(offer, given, title, presets = false, ask = null) {
  const seen = await preview(offer.key, given, false).catch(() => null);
  const left = (seen?.offer.asks ?? offer.asks).filter((ask) => !(ask.name in given));
  // A player who rolled here is not asked for the faces of real dice.
  const byHand = check.value?.rolled.some(([, , source]) => source === "hand");
  const more = left.filter((ask) =>
    ask.kind !== "text" && (ask.kind !== "faces" || ask.needed || byHand)
  );
  // Words that begin with an answer are offered where nobody has taken the others as they are.
  const worded = !presets && left.some((ask) => ask.kind === "text" && hasInitialAnswer(ask));
  // What the program must not roll in their place, the form asks.
  const real = byHand && more.some((ask) => ask.kind === "faces");
  const clear = !worded && !real &&
    !(presets && left[0]?.kind === "text" && !hasInitialAnswer(left[0])) &&
    more.every((ask) =>
      (ask.choices.length === 1 && ask.kind === "choice") ||
      (!ask.needed && (presets || !ask.choices.length)) ||
      (presets && (ask.default ?? null) !== null)
    );
  if (seen && clear && !seen.refused && !offer.ends) {
    return makeAtOnce(
      { ...seen.offer, title },
      presets ? { ...initialAnswers(seen.offer, given), ...given } : given,
    );
  }
  const open = more.filter((one) => one.kind !== "choice" || one.choices.length > 1);
  const alone = open.length === 1 && open[0].needed && open[0].kind === "choice" && !open[0].free;
  if (ask && seen && alone && !offer.ends && (seen.refused?.code ?? "argument") === "argument") {
    return ask({ ...seen.offer, title }, open[0]);
  }
  return openMove({ ...(seen?.offer ?? offer), title }, {
    given,
    byHand: real,
    chosen: presets ? Object.keys(given).at(-1) : "",
  });
}
