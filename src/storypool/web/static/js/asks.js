/** The form of a move, made from its questions: each answer may bring the next question, and shows a preview. */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Figures } from "./figure.js";
import { Field } from "./fields.js";
import { check, byKey, make, preview, refused, spoken, table, unsent } from "./store.js";
import { dieOf, diceOf, inOrder, notation } from "./game.js";
import { WorthList, worthOn, WouldOdds } from "./odds.js";
import { Bag, Because, Fold, SmallPool, useOnce } from "./parts.js";
import { rowOf, sheetOf } from "./rows.js";
import { openSheet } from "./sheet.js";
import { newToken } from "./wire.js";
import { say } from "./words.js";

/** Open the form of a move; `given` are known answers, `override` sets a refusal aside, and
 * `byHand` is for real dice. */
export function openMove(offer, { given = {}, override = false, aside = "", byHand = false } = {}) {
  openSheet(offer.title, (close) => html`<${Form} first=${offer} given=${given} override=${override} aside=${aside} byHand=${byHand} close=${close} />`);
}

function Form({ first, given, override, aside, byHand, close }) {
  const [args, answer] = useState(given);
  const [seen, see] = useState({ offer: first, refused: null, pool: null });
  const [trouble, meet] = useState(null);
  // One token per command: it changes only when an answer does.
  const token = useRef({ of: "", value: "" });
  const offer = seen.offer?.key ? seen.offer : first;
  const sent = fitting(args, offer, given);
  const meant = JSON.stringify(sent);
  useEffect(() => looked(first.key, sent, override, (found) => see((old) => ({ ...old, ...found, of: meant }))), [JSON.stringify(args), check.value?.id]);

  const set = (name) => (value) => {
    meet(null);
    answer((old) => ({ ...old, [name]: value }));
  };
  const [waiting, submit] = useOnce(async () => {
    // When faces of real dice are expected or partly given, the server must not roll instead.
    const untold = offer.asks.find((ask) => ask.kind === "faces" && (args[ask.name] === undefined ? byHand : !whole(args[ask.name])));
    if (untold) return meet({ field: untold.name, text: say("faces.untold"), remedy: say("faces.untoldRemedy"), rule: "" });
    if (token.current.of !== meant) token.current = { of: meant, value: newToken() };
    const made = await make(first.key, sent, { override, token: token.current.value, title: first.title });
    if (made) return close();
    if (unsent.value) return close();
    meet(refused.value?.refusal ?? null);
    refused.value = null;
  });
  // A refusal is scrolled into view, wherever it is in a long form.
  const form = useRef(null);
  useEffect(() => {
    if (trouble) form.current.querySelector(".field-error, [role=alert]")?.scrollIntoView({ block: "center" });
  }, [trouble]);
  const shown = offer.asks.filter((ask) => !hopeless(ask) && !(ask.name in given && ask.kind === "choice"));
  const early = shown.filter((ask) => !late(ask));
  const folded = shown.filter(late);
  // A refusal of earlier answers does not apply to these.
  const warning = trouble ?? (seen.refused && seen.of === meant && (seen.refused.code !== "argument" || args[seen.refused.field] !== undefined) ? seen.refused : null);
  const named = shown.some((ask) => ask.name === warning?.field);
  const pool = seen.check?.pool ?? seen.pool;
  const about = (ask) => {
    if (ask.kind === "sheet") return table.value.characters[args.who]?.sheet;
    if (ask.kind === "faces") return thrown(ask, pool);
    return rowOf(ask) ? sheetOf(rowOf(ask), offer, args) : undefined;
  };
  const field = (ask) => html`<${Field} key=${ask.name} ask=${ask} value=${args[ask.name] ?? ask.default ?? undefined} set=${set(ask.name)}
    trouble=${warning} about=${about(ask)} worth=${worthOn(offer, ask)} />`;
  return html`<form class="stack form" ref=${form} onSubmit=${submit} noValidate>
    ${aside && html`<${Because} refusal=${{ text: say("override.sets", { text: aside }), remedy: "", rule: "" }} />`}
    ${offer.approval && html`<p class="quiet">${say("ask.approval")}</p>`}
    ${offer.caution && html`<p class="quiet">${say("ask.caution", { text: offer.caution })}</p>`}
    <${WorthList} offer=${offer} args=${args} pick=${(more) => answer((old) => ({ ...old, ...more }))} />
    ${early.map(field)}
    ${folded.length > 0 && html`<${Fold} title=${say("ask.moreOptions")} open=${folded.some((ask) => warning?.field === ask.name)}>
      <div class="stack">${folded.map(field)}</div></${Fold}>`}
    ${pool && Object.keys(pool).length > 0 && !seen.refused && !fell(seen.check) && html`<${Would} pool=${pool} odds=${seen.odds} />`}
    ${warning && !named && html`<div role="alert"><${Because} refusal=${warning} /></div>`}
    <div class="form-foot">
      <div class="form-figure" aria-live="polite"><${Figures} action=${seen.check} /></div>
      <button type="button" class="button" onClick=${close}>${say("cancel")}</button>
      <button type="submit" class="button" data-kind="primary" aria-busy=${waiting ? "true" : undefined}>
        <span>${override && aside ? say("override.do") : offer.title}</span>
        ${Object.keys(offer.price ?? {}).length > 0 && html`<${Bag} bag=${offer.price} />`}
      </button>
    </div>
  </form>`;
}

/** The pool as the move would make it, with its odds. */
function Would({ pool, odds }) {
  return html`<div class="would"><span class="label">${say("ask.would")}</span>
    <${SmallPool} pool=${pool} /><${WouldOdds} odds=${odds} /></div>`;
}

/** Whether an action has been rolled and gets no further dice: then there is no pool to preview. */
function fell(action) {
  return action?.phase === "rolled" && notation(action.pool) === notation(check.value?.pool);
}

/** Ask the server for a preview of these answers, a moment after the last change. */
function looked(move, args, override, see) {
  const stop = new AbortController();
  const timer = setTimeout(async () => {
    try {
      see(await preview(move, args, override, stop.signal));
    } catch (trouble) {
      if (trouble.refusal) see({ refused: trouble.unanswered ? null : trouble.refusal, pool: null, check: null, odds: null });
    }
  }, 140);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

/** The answers to questions that are still asked. */
function fitting(args, offer, given) {
  const asked = new Set([...offer.asks.map((ask) => ask.name), ...Object.keys(given)]);
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => asked.has(name) && value !== undefined && whole(value)));
}

/** Faces count only when every die has one. */
function whole(value) {
  return !Array.isArray(value) || value.every((face) => face !== null && face !== undefined);
}

/** Whether a question has no possible answer now, and needs none. */
function hopeless(ask) {
  return ask.kind === "choice" && !ask.choices.length && !ask.needed && !ask.free;
}

/** The dice whose faces are entered: those that the question names, or those of the action. */
function thrown(ask, pool) {
  if (ask.choices.length) return ask.choices.map((choice) => counting(choice.value));
  return pool && notation(pool) !== notation(check.value?.pool) ? inOrder(pool).map(dieOf) : diceOf(check.value);
}

/** A die as it counts in the open action, if all dice of that name read the same there. */
function counting(name) {
  const [one, ...more] = diceOf(check.value).filter((die) => die.name === name);
  return one && more.every((die) => JSON.stringify(die.faces) === JSON.stringify(one.faces)) ? one : dieOf(name);
}

/** The questions that most people leave at their defaults, folded away. */
function late(ask) {
  return !ask.needed && ["pool", "flag", "sheet"].includes(ask.kind);
}

/** Make a move at once when it asks nothing, else open its form. */
export async function start(offer, how = {}) {
  const open = offer.asks.some((ask) => !(ask.name in (how.given ?? {})) && !(ask.kind === "faces" && !ask.needed));
  if (open) return openMove(offer, how);
  const made = await make(offer.key, how.given ?? {}, { override: how.override, title: offer.title });
  if (made && byKey.value[offer.key]?.approval) spoken.value = say("ask.asked");
  return made;
}
