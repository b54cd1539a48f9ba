/**
 * The form of a move, made from its questions: each answer may bring the next question, and shows a
 * preview.
 */

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { hasNoOpenChoice, isHiding, lacksFaces, shownAnswer } from "./answers.js";
import { missingOf, offerOf, refusalOf, usePreview } from "./answers-preview.js";
import { takeAhead, useQuestions } from "./coming-questions.js";
import { draftAnswers, draftOf, dropDraft, keepDraft, keepForLater } from "./drafts.js";
import { Field } from "./fields.js";
import { Questions } from "./question-fields.js";
import { keepUsed } from "./recent-choices.js";
import { Effect, useWorthOf, WorthList, WouldOdds } from "../odds/odds.js";
import { consenting, opensBeside } from "../state/game.js";
import { notation } from "../state/looks.js";
import { keepRealDice } from "../state/real-dice.js";
import {
  byKey,
  check,
  make,
  naming,
  preview,
  refused,
  table,
  the,
  unsent,
} from "../state/store.js";
import { newToken } from "../state/wire.js";
import { capital, oneOf, say } from "../state/words.js";
import { Figures } from "../ui/figure.js";
import { useFoot } from "../ui/fixed-bars.js";
import { Alert, Asked, Bag, Because, Button, SmallPool, useOnce } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";

/**
 * Open the form of a move; `given` are known answers, `answers` those that it begins with,
 * `override` sets a refusal aside, `byHand` is for real dice, and `chosen` is the question among
 * the given that the reader has just answered. It stays about the action that is in sight now.
 *
 * @param {import("../state/feed-changes.js").Button | Wire.OfferShown} offer
 */
export function openMove(
  offer,
  { given = {}, answers = {}, override = false, aside = "", byHand = false, chosen = "" } = {},
) {
  const known = naming(offer.key, given);
  openForm(offer, {
    given: known,
    answers,
    override,
    aside,
    byHand,
    chosen,
    ahead: override ? null : takeAhead(offer.key, known),
    look: (args, signal) => preview(offer.key, args, override, signal),
    send: (args, token) => make(offer.key, args, { override, token, title: offer.title }),
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
    (close) => html`<${OpenedForm} first=${offer} given=${given} ...${how} close=${close} />`,
  );
}

/** A form, or what is known of it while its questions are coming. */
function OpenedForm({ first, ahead, ...how }) {
  const [found, error, retry] = useQuestions(Boolean(first.asks), how.given, how.look, ahead);
  if (first.asks) return html`<${Form} first=${first} ...${how} />`;
  return found
    ? html`<${Form} first=${{ ...first, asks: found.offer.asks }} found=${found} ...${how} />`
    : html`<${ComingForm} first=${first} error=${error} retry=${retry} ...${how} />`;
}

function ComingForm({ first, given, aside, error, retry, close }) {
  useClosing({ first, given, args: given, sending: false, close });
  const place = useErrorInView(error);
  // Where the focus goes when its questions take the place of a button.
  useEffect(() => {
    const title = place.current.closest("dialog")?.querySelector("h2");
    return () => void setTimeout(() => document.activeElement === document.body && title?.focus());
  }, []);
  return html`
    <div class="form stack gap-5" ref=${place} aria-busy=${error ? undefined : "true"}>
      <${About} first=${first} offer=${first} given=${given} aside=${aside} />
      ${error
        ? html`
          <div role="alert">
            <${Because} refusal=${error}>
              <div>
                <${Button} onTap=${retry}>${say("line.now")}<//></div>
            <//>
          </div>
        `
        : html`<p class="quiet" role="status">${say("ask.coming")}</p>`}
      <div class="form-foot wrap gap-2">
        <div class="form-figure"><${Effect} offer=${first} /></div>
        <button type="button" class="button" onClick=${close}>${say("cancel")}</button>
        <${SendButton} verb=${first.title} price=${first.price} isComing=${true} />
      </div>
    </div>
  `;
}

function Form(
  { first, found, given, answers, override, aside, byHand, chosen, look, send, draft, close },
) {
  const { args, pick, change, error, setError, previewed, previewNow } = useAnswers(
    { first, found, given, answers, look, draft },
  );
  const offer = offerOf(previewed, first);
  const isCurrent = previewed.of === args;
  const faces = facesByHand(offer, args, byHand);
  const areMissing = faces !== undefined && lacksFaces(faces, args, previewed);
  const [sending, submit] = useSending({
    answersToSend: async () => isCurrent ? previewed : await previewNow(),
    refusal: areMissing ? facesMissing(faces) : null,
    asks: offer.asks,
    setError,
    send,
    draft,
    close,
  });
  useClosing({ first, given, args, sending, close });
  const form = useErrorInView(error);
  const asks = offer.asks.filter((ask) =>
    !hasNoOpenChoice(ask) && !(ask.name in given && ask.kind === "choice")
  );
  const hiding = asks.find(isHiding);
  // The faces that are still to come are no mistake.
  const isPart = areMissing && previewed.refused?.field === faces.name;
  const refusal = error ?? (isPart ? null : refusalOf(previewed, args));
  const missing = missingOf(previewed);
  const isWanting = (ask) =>
    (areMissing && ask === faces) ||
    ((ask.needed || ask.name === missing) && (shownAnswer(args, ask) ?? "") === "");
  // Another action has started meanwhile: this one is for afterwards.
  const isForLater = draft && !first.closed && refusal?.code === "when" && check.value !== null &&
    !override;
  const verb = override && aside ? say("override.do") : faces ? say("faces.take") : offer.title;
  return html`
    <form
      class="form stack gap-5"
      ref=${form}
      onSubmit=${submit}
      noValidate
      aria-busy=${isCurrent ? undefined : "true"}
    >
      <${About} first=${first} offer=${offer} given=${given} aside=${aside} />
      <${WorthList} offer=${offer} args=${args} pick=${pick} />
      <${Known} offer=${offer} given=${given} chosen=${chosen} />
      <${Questions}
        asks=${asks.filter((ask) => ask !== hiding)}
        offer=${offer}
        args=${args}
        preview=${previewed}
        refusal=${refusal}
        isWanting=${isWanting}
        change=${change}
      />
      <${PoolPreview} preview=${previewed} isOld=${!isCurrent} />
      ${!asks.some((ask) => ask.name === refusal?.field) &&
        html`<${Refused} refusal=${refusal} isForLater=${isForLater} />`}
      <${Foot}
        error=${error}
        action=${previewed.check}
        close=${close}
        hiding=${hiding && html`
          <${Field}
            ask=${hiding}
            value=${shownAnswer(args, hiding)}
            set=${(value) => change({ [hiding.name]: value })}
            refusal=${refusal}
          />
        `}
      >
        ${isForLater
          ? html`<${KeepButton} draft=${draft} title=${args.title || offer.title} close=${close} />`
          : html`
            <${SendButton}
              verb=${verb}
              price=${offer.price ?? {}}
              isWanting=${asks.some(isWanting)}
              sending=${sending}
            />
          `}
      <//>
    </form>
  `;
}

/**
 * The answers in a form as they are now, what the server says of them, and what went wrong when
 * they were sent: `pick` adds answers, `change` also takes back what went wrong.
 */
function useAnswers({ first, found, given, answers, look, draft }) {
  const [args, setArgs] = useState(() => ({
    ...answers,
    ...(draft && draftAnswers(draft, first.asks)),
    ...given,
  }));
  const [error, setError] = useState(/** @type {Partial<Wire.RefusalShown> | null} */ (null));
  const [previewed, previewNow] = usePreview(first, given, args, look, found);
  useWorthOf(first);
  // Before the next event: that may be what closes the form.
  useLayoutEffect(() => draft && keepDraft(draft, args), [args]);
  const pick = (more) => setArgs((old) => ({ ...old, ...more }));
  const change = (more) => {
    setError(null);
    pick(more);
  };
  return { args, pick, change, error, setError, previewed, previewNow };
}

/**
 * The question for the faces of real dice, where they are expected or partly given: the server must
 * not roll instead.
 */
const facesByHand = (offer, args, byHand) =>
  offer.asks.find((ask) => ask.kind === "faces" && (byHand || args[ask.name] !== undefined));

/** A refusal that belongs to no question; one for later says that the answers can be kept. */
function Refused({ refusal, isForLater }) {
  return html`
    <${Alert}
      refusal=${isForLater ? { ...refusal, remedy: say("ask.keepWhy") } : refusal}
    />
  `;
}

/**
 * The foot of a form: what the answers change, the switch that hides what is made, the way out, and
 * the button beside it.
 */
function Foot({ error, action, close, hiding, children }) {
  return html`
    <div class="form-foot wrap gap-2">
      <div class="form-figure" aria-live="polite">
        ${error ? say("ask.unchanged") : html`<${ChangedFigures} action=${action} />`}
      </div>
      ${hiding}
      <button type="button" class="button" onClick=${close}>${say("cancel")}</button>
      ${children}
    </div>
  `;
}

/**
 * Sending the answers of a form: [whether it is under way, the handler that does it]. A `refusal`
 * that is known before is shown, and nothing is sent.
 */
function useSending({ answersToSend, refusal, asks, setError, send, draft, close }) {
  // One token per command: it changes only when an answer does.
  const token = useRef({ of: "", value: "" });
  return useOnce(async () => {
    if (refusal) return setError(refusal);
    // What was just answered may have closed other questions: their answers are not sent.
    const found = await answersToSend();
    const { sent, refused: before } = found;
    // Faces that were just entered may have brought further dice.
    const further = found.offer?.asks.find(({ kind, name }) => kind === "faces" && sent[name]);
    if (further && lacksFaces(further, sent, found)) return setError(facesMissing(further));
    // What is missing is asked for before anything is sent.
    if (before?.code === "argument" && before.field && sent[before.field] === undefined) {
      return setError(before);
    }
    const command = JSON.stringify(sent);
    if (token.current.of !== command) token.current = { of: command, value: newToken() };
    const made = await send(sent, token.current.value);
    if (made) {
      dropDraft(draft);
      keepUsed(asks, sent);
      const faces = asks.find(({ kind }) => kind === "faces");
      if (faces) keepRealDice(sent[faces.name] !== undefined);
    }
    if (made || unsent.value.some((one) => one.token === token.current.value)) return close();
    setError(refused.value?.refusal ?? null);
    refused.value = null;
  });
}

/** The refusal of dice that were rolled by hand and have not all been entered. */
const facesMissing = (ask) => ({
  field: ask.name,
  text: say("faces.untold"),
  remedy: say("faces.untoldRemedy"),
  rule: "",
});

/**
 * Close a form whose moment has passed: its action is over, or was rolled before anything was
 * answered. Nothing is lost: what was typed is kept, and what was chosen is refused in words.
 */
function useClosing({ first, given, args, sending, close }) {
  // The action in which it was opened.
  const [opened] = useState(check.value);
  const hasPassed = () => {
    const now = byKey.value[first.key];
    if (!opened || !table.value || first.closed) return false;
    if (now && now.closed?.code !== "when") return false;
    const still = the(table).checks[opened.id];
    const isUnanswered = Object.keys(args).every((name) => name in given);
    return !still || (still.phase !== opened.phase && isUnanswered);
  };
  const passed = hasPassed();
  useEffect(() => void (passed && !sending && close()), [passed]);
}

/** A ref for a form; a refusal is scrolled into view, wherever it is in a long one. */
function useErrorInView(error) {
  const form = useRef(null);
  useFoot(form);
  useEffect(() => {
    if (error) {
      form.current.querySelector(".field-error, [role=alert]")?.scrollIntoView({ block: "center" });
    }
  }, [error]);
  return form;
}

/** What a form is about, and what to know before it is sent. */
function About({ first, offer, given, aside }) {
  // Where several actions are open, the form says which it is about.
  const action = the(table).checks[given.check];
  const sets = { text: say("override.sets", { text: aside }), remedy: "", rule: "" };
  return html`
    ${aside && html`<${Because} refusal=${sets} />`}
    ${action && html`
      <p class="form-about quiet">
        <span class="strong">${the(table).characters[action.actor]?.name}</span>${" "}
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
  `;
}

/**
 * What the reader has just answered, and who acts where a button knew that, as on the turn of one
 * of several.
 */
function Known({ offer, given, chosen }) {
  const asks = offer.asks.filter(({ name, kind }) =>
    name in given && kind === "choice" && (name === chosen || name === "as")
  );
  return asks.map((ask) =>
    html`
      <p class="quiet" key=${ask.name}>
        <${Asked} ask=${ask} />${" "}
        <strong class="name">
          ${ask.choices.find(({ value }) => value === given[ask.name])?.label}
        </strong>
      </p>
    `
  );
}

/**
 * The pool as the move would make it, with its odds; nothing where the action has been rolled and
 * gets no further dice.
 */
function PoolPreview({ preview, isOld }) {
  const action = preview.check;
  const pool = action?.pool ?? preview.pool;
  const isRolled = action?.phase === "rolled" &&
    notation(action.pool) === notation(check.value?.pool);
  if (!pool || !Object.keys(pool).length || isRolled) return null;
  return html`
    <div class="would cluster" data-old=${String(isOld)} aria-busy=${String(isOld)}>
      <span class="label full">${say("ask.would")}</span>
      <${SmallPool} pool=${pool} />
      <${WouldOdds} odds=${preview.odds} suggested=${action?.suggested} />
    </div>
  `;
}

/** The figures of an action that the answers would change. */
function ChangedFigures({ action }) {
  return html`<${Figures} action=${action} known=${the(table).checks[action?.id]} />`;
}

/** Sends the answers; it shows what they cost, and whether one, or its question, is missing. */
function SendButton({ verb, price, isWanting, isComing, sending }) {
  return html`
    <button
      type="submit"
      class="button"
      data-kind="primary"
      data-wanting=${isWanting ? "true" : undefined}
      aria-disabled=${isComing ? "true" : undefined}
      aria-busy=${sending ? "true" : undefined}
    >
      <span>${verb}</span>
      ${Object.keys(price).length > 0 && html`<${Bag} bag=${price} />`}
    </button>
  `;
}

/** Keeps what was typed until the action in sight is done. */
function KeepButton({ draft, title, close }) {
  const keep = () => (keepForLater(draft, title), close());
  return html`
    <button type="button" class="button" data-kind="wide" onClick=${keep}>
      ${say("ask.keep")}
    </button>
  `;
}
