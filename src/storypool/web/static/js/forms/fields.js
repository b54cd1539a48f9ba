/** One question each: a choice, a number, a text, yes or no, a pool, faces, a sheet. */

import { html, useEffect, useId, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { hasWords, searchWords, typedNumber } from "../state/folding.js";
import { faceOf, lookOf, notation } from "../state/looks.js";
import { PickWorth } from "../odds/odds.js";
import { Row, rowOf } from "./option-rows.js";
import { useOpened } from "../ui/in-view.js";
import { Asked, Die, Face, Fold, Glyph, Outline, Shut, Tag, useClosed } from "../ui/parts.js";
import { game, table } from "../state/store.js";
import { call } from "../state/wire.js";
import { FEW, lastFirst } from "./recent-choices.js";
import { say } from "../state/words.js";

const MANY_DICE = 60;
/** So many locked answers would hide those that can be given; of ways to pay ("with") any does. */
const MANY_SHUT = 3;
/** So many letters of a note fit beside other answers. */
const LONG_NOTE = 24;

/**
 * A question and its answer so far; `set(value)` answers it, `undefined` clears the answer. `about`
 * are the dice whose faces are entered, or the sheet whose numbers are shown or changed. `worth` is
 * the worth of each answer, or null. `wanting`: the form cannot be sent without an answer.
 */
export function Field({ ask, value, set, wanting, refusal, about, worth }) {
  if (single(ask)) {
    return html`
      <p class="quiet">
        <${Asked} ask=${ask} /> <strong class="name">${ask.choices[0].label}</strong>
      </p>
    `;
  }
  const Kind = rowOf(ask) ? Row : {
    choice: ask.choices.length > FEW ? Search : Picks,
    number: Dial,
    text: Text,
    flag: Flag,
    pool: Dice,
    faces: Faces,
    sheet: Numbers,
  }[ask.kind];
  const id = useId();
  const wrong = refusal?.field === ask.name ? refusal : null;
  return html`
    <div
      class="field stack gap-1"
      data-ask=${ask.name}
      data-wanting=${wanting ? "true" : undefined}
    >
      <${Kind}
        ask=${ask}
        value=${value}
        set=${set}
        id=${id}
        about=${about}
        worth=${worth}
        wrong=${wrong}
      />
      ${wrong &&
        html`
          <p class="field-error small" id="${id}-wrong">
            ${[wrong.text, wrong.remedy].filter(Boolean).join(" ")}
          </p>
        `}
    </div>
  `;
}

/** A choice with only one answer. */
function single(ask) {
  return ask.kind === "choice" && ask.needed && !ask.free && ask.choices.length === 1 &&
    ask.default === ask.choices[0].value;
}

function Label({ ask, id }) {
  return html`<label for=${id}><${Asked} ask=${ask} /></label>`;
}

const described = (id, wrong) => ({
  "aria-invalid": wrong ? "true" : undefined,
  "aria-describedby": wrong ? `${id}-wrong` : undefined,
});

function Text({ ask, value, set, id, wrong }) {
  const long = ask.name === "text";
  const props = {
    id,
    value: value ?? "",
    autocomplete: "off",
    onInput: (e) => set(e.target.value || undefined),
    "aria-required": ask.needed ? "true" : undefined,
    ...described(id, wrong),
  };
  return html`
    <${Label} ask=${ask} id=${id} />
    ${long
      ? html`<textarea class="textarea" rows="2" ...${props}></textarea>`
      : html`<input class="input" type="text" ...${props} />`}
  `;
}

function Flag({ ask, value, set, id }) {
  return html`
    <label class="choice row gap-3 target">
      <input
        type="checkbox"
        id=${id}
        checked=${value === true}
        onChange=${(e) => set(e.target.checked)}
      />
      <span>
        ${ask.label}
        ${ask.suggests && html`${" "}<${Tag} />`}
      </span>
    </label>
  `;
}

/**
 * A number between minus and plus buttons, which can also be typed; while it has the focus, updates
 * do not change it. Without a value it shows none, and the first step is to the least. What is no
 * number stays, and is given to `refuse`.
 */
function Counter({ value, low, high, set, label, id, refuse }) {
  const [typed, setTyped] = useState(null);
  const within = (n) => Math.min(high, Math.max(low, n));
  const wrong = Boolean(typed?.trim()) && Number.isNaN(typedNumber(typed));
  const [shown, setShown] = useState(false);
  function step(by) {
    setTyped(null);
    set(Number.isInteger(value) ? within(value + by) : low);
  }
  function take() {
    if (typed === null) return;
    setShown(wrong);
    if (wrong) return refuse?.(typed);
    if (typed.trim()) set(within(typedNumber(typed)));
    setTyped(null);
  }
  return html`
    <span class="dial" role="group" aria-label=${label}>
      <button
        type="button"
        aria-label=${say("ask.less", { label })}
        aria-disabled=${value <= low ? "true" : undefined}
        onClick=${() => step(-1)}
      >
        <${Glyph} name="minus" />
      </button>
      <input
        id=${id}
        type="text"
        inputmode="numeric"
        aria-label=${label}
        aria-invalid=${wrong && shown ? "true" : undefined}
        placeholder="–"
        value=${typed ?? value ?? ""}
        onInput=${(e) => setTyped(e.target.value)}
        onChange=${take}
        onBlur=${take}
        onFocus=${(e) => e.target.select()}
      />
      <button
        type="button"
        aria-label=${say("ask.more", { label })}
        aria-disabled=${value >= high ? "true" : undefined}
        onClick=${() => step(1)}
      >
        <${Glyph} name="plus" />
      </button>
    </span>
    ${wrong && shown &&
      html`<p class="field-error small" role="alert">${say("ask.noNumber", { low, high })}</p>`}
  `;
}

function Dial({ ask, value, set, id }) {
  return html`
    <div class="cluster">
      <span class="label grow">
        ${ask.label}
        ${ask.suggests && html`${" "}<${Tag} />`}
      </span>
      <${Counter}
        value=${value}
        low=${ask.low}
        high=${ask.high}
        set=${set}
        refuse=${set}
        label=${ask.label}
        id=${id}
      />
    </div>
  `;
}

/**
 * The choice that takes an answer back: what a player leaves open of the GM's is the GM's to
 * decide, who may do so later.
 */
const unanswered = (ask) => say(ask.suggests ? "ask.left" : ask.decides ? "ask.later" : "ask.none");

/** A few choices as buttons, one of them pressed. Where many are locked, those are one tap away. */
function Picks({ ask, value, set, id, worth }) {
  const shut = ask.choices.filter((choice) => choice.closed && choice.value !== value);
  const folds = shut.length >= (ask.name === "with" ? 1 : MANY_SHUT) &&
    shut.length < ask.choices.length;
  const listed = folds ? ask.choices.filter((choice) => !shut.includes(choice)) : ask.choices;
  const none = !ask.needed && (ask.default ?? null) === null && ask.choices.length > 0;
  const [why, radio] = useClosed(ask.choices, set);
  const pick = (choice) =>
    html`
      <${Pick}
        key=${choice.value}
        name=${id}
        choice=${choice}
        chosen=${value === choice.value}
        worth=${worth?.[choice.value]}
        radio=${radio}
      />
    `;
  return html`
    <fieldset class="picks" id=${id}>
      <legend class="label"><${Asked} ask=${ask} /></legend>
      <div class="cluster" data-long=${String(listed.some(({ note }) => note.length > LONG_NOTE))}>
        ${listed.map(pick)}
        ${none && value &&
          html`
            <${Pick}
              name=${id}
              choice=${{ value: undefined, label: unanswered(ask), note: "" }}
              chosen=${false}
              radio=${radio}
            />
          `}
      </div>
      ${folds && html`
        <${Fold} title=${say("offers.shut", { n: shut.length })} level=${4}>
          <div class="cluster">${shut.map(pick)}</div>
          <//>
      `}
      ${why}
      ${ask.free && html`
        <input
          class="input"
          type="text"
          aria-label=${say("ask.own", { label: ask.label })}
          placeholder=${say("ask.ownHint")}
          value=${ask.choices.some((c) => c.value === value) ? "" : (value ?? "")}
          onInput=${(e) => set(e.target.value || undefined)}
        />
      `}
    </fieldset>
  `;
}

function Pick({ name, choice, chosen, worth, radio }) {
  return html`
    <label class="pick">
      <input type="radio" name=${name} checked=${chosen} ...${radio(choice)} />
      <span class="pick-face full">
        <span>
          ${choice.label}
          ${choice.closed && html`${" "}<${Shut} why=${choice.closed} />`}
        </span>
        ${choice.note && html`<span class="fine quiet">${choice.note}</span>`}
        <${PickWorth} row=${worth} />
      </span>
    </label>
  `;
}

/** Many choices: the chosen one, or a list with a filter. */
function Search({ ask, value, set, id }) {
  const chosen = ask.choices.find((choice) => choice.value === value);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const input = useRef(null);
  const button = useRef(null);
  const list = useOpened(open);
  const chose = useRef(false);
  // In the same step as the answer is shown: later it could take the focus from what was pressed
  // meanwhile.
  useLayoutEffect(() => {
    if (open) input.current?.focus({ preventScroll: true });
    else if (chose.current) button.current?.focus();
    chose.current = false;
  }, [open]);
  const words = searchWords(typed);
  const fits = (choice) => hasWords(`${choice.label} ${choice.note}`, words);
  const found = lastFirst(ask).filter(fits);
  function choose(answer) {
    set(answer);
    setOpen(false);
    setTyped("");
    chose.current = true;
  }
  const shown = chosen?.label ?? (value && ask.free ? value : "");
  const first = found.find((choice) => !choice.closed);
  return html`
    <span class="label" id="${id}-label"><${Asked} ask=${ask} /></span>
    <button
      type="button"
      class="select chosen"
      ref=${button}
      aria-expanded=${String(open)}
      aria-labelledby="${id}-label ${id}-value"
      onClick=${() => setOpen(!open)}
    >
      <span id="${id}-value" class=${shown ? "" : "quiet"}>${shown || say("ask.choose")}</span>
    </button>
    ${open && html`
      <div class="search-list stack gap-2" ref=${list}>
        <input
          class="input"
          type="search"
          ref=${input}
          aria-label=${say("ask.search", { label: ask.label })}
          placeholder=${say("ask.find")}
          autocomplete="off"
          value=${typed}
          onInput=${(e) => setTyped(e.target.value)}
          onKeyDown=${(e) =>
            e.key === "Enter" &&
            (e.preventDefault(),
              first ? choose(first.value) : ask.free && typed.trim() && choose(typed.trim()))}
        />
        <div class="search-found rows">
          ${found.map((choice) =>
            html`
              <button
                type="button"
                class="search-one row wrap lines-0 baseline gap-3 target ruled snug between"
                key=${choice.value}
                aria-pressed=${String(choice.value === value)}
                aria-disabled=${choice.closed ? "true" : undefined}
                onClick=${() => choice.closed || choose(choice.value)}
              >
                <span>${choice.label}</span>
                ${(choice.closed || choice.note) &&
                  html`<span class="fine quiet">${choice.closed || choice.note}</span>`}
              </button>
            `
          )}
          ${!ask.needed && value && html`
            <button
              type="button"
              class="search-one row baseline gap-3 quiet target ruled snug between"
              onClick=${() => choose(undefined)}
            >
              ${unanswered(ask)}
            </button>
          `}
          ${ask.free && typed.trim() && html`
            <button
              type="button"
              class="search-one row baseline gap-3 target ruled snug between"
              onClick=${() => choose(typed.trim())}
            >
              ${say("ask.take", { text: typed.trim() })}
            </button>
          `}
          ${!found.length && !ask.free &&
            html`<p class="quiet fine snug">${say("ask.nothing")}</p>`}
        </div>
      </div>
    `}
  `;
}

/** A pool: a dial for each die, or notation, with the pool as it was read. */
function Dice({ ask, value, set, id, wrong }) {
  const [reading, setReading] = useState({ pool: {}, text: "", error: "" });
  const [typed, setTyped] = useState(value ?? "");
  useEffect(() => {
    const text = typed.trim();
    if (!text) return setReading({ pool: {}, text: "", error: "" });
    let current = true;
    const scheme = table.value?.options?.scheme;
    const timer = setTimeout(async () => {
      const answer = await call("POST", "/api/notation", {
        system: game.value.key,
        text,
        ...(scheme ? { scheme } : {}),
      }).catch((error) => ({
        error: [error.message, error.refusal?.remedy].filter(Boolean).join(" "),
      }));
      if (current) {
        setReading((old) =>
          answer.error ? { ...old, error: answer.error } : { ...answer, error: "" }
        );
      }
    }, 180);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [typed]);
  function write(text) {
    setTyped(text);
    set(text.trim() || undefined);
  }
  function turn(name, n) {
    const pool = { ...reading.pool, [name]: n };
    setReading({ ...reading, pool });
    write(notation(pool));
  }
  return html`
    <${Label} ask=${ask} id=${id} />
    <ul class="dice-dials stack gap-1">
      ${game.value.dice.map((die) =>
        html`
          <li class="row gap-3" key=${die.name}>
            <${Die} name=${die.name} size="small" />
            <span class="grow">${lookOf(die.name).word}</span>
            <${Counter}
              value=${reading.pool[die.name] ?? 0}
              low=${0}
              high=${MANY_DICE}
              label=${lookOf(die.name).word}
              set=${(n) => turn(die.name, n)}
            />
          </li>
        `
      )}
    </ul>
    <input
      class="input notation"
      id=${id}
      type="text"
      maxlength="200"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      placeholder=${say("ask.notation", { example: notation({ [game.value.dice[0]?.name]: 2 }) })}
      value=${typed}
      onInput=${(e) => write(e.target.value)}
      ...${described(id, wrong)}
    />
    <p class="fine" aria-live="polite">
      ${reading.error
        ? html`<span class="field-error small">${reading.error}</span>`
        : reading.text &&
          html`<span class="quiet">${say("ask.read", { pool: reading.text })}</span>`}
    </p>
  `;
}

/** The faces of real dice: a row of faces to tap for each die. */
function Faces({ ask, value, set, id, about, wrong }) {
  const dice = about.filter((die) => die.faces.length > 1);
  const faces = Array.isArray(value) ? value : [];
  // With another number of dice the faces entered so far mean nothing.
  useEffect(() => {
    if (dice.length && faces.length && faces.length !== dice.length) set(undefined);
  }, [dice.length]);
  if (!dice.length) {
    return html`
      <${Label} ask=${ask} id=${id} />
      <input
        class="input"
        id=${id}
        type="text"
        maxlength="240"
        placeholder=${say("faces.list")}
        onInput=${(e) => set(e.target.value.trim() || undefined)}
        ...${described(id, wrong)}
      />
    `;
  }
  const entered = faces.filter((face) => face !== undefined && face !== null).length;
  const put = (i, face) => set(dice.map((_, at) => at === i ? face : (faces[at] ?? null)));
  return html`
    <span class="label"><${Asked} ask=${{ ...ask, needed: true }} /></span>
    <p class="quiet fine" aria-live="polite">
      ${say("faces.entered", { entered, all: dice.length })}
    </p>
    <ol class="face-rows stack gap-2">
      ${dice.map((die, i) =>
        html`
          <li key=${i}>
            <${FaceRow} die=${die} at=${i} chosen=${faces[i]} put=${put} id=${id} />
          </li>
        `
      )}
    </ol>
  `;
}

/** The faces of one die to tap; those that show the same are one. */
function FaceRow({ die, at, chosen, put, id }) {
  const look = lookOf(die.name);
  const shown = die.faces.map((_, k) => faceOf(die, die.first + k));
  const isFirst = (up, k) => shown.findIndex(({ words }) => words === up.words) === k;
  return html`
    <fieldset class="face-row ruled wrap">
      <legend class="fine">${say("faces.die", { n: at + 1, die: look.word })}</legend>
      ${shown.map((up, k) => {
        const face = die.first + k;
        return isFirst(up, k) && html`
          <label class="face-pick">
            <input
              type="radio"
              name="${id}-${at}"
              value=${face}
              checked=${chosen === face}
              onChange=${() => put(at, face)}
              aria-label=${up.words}
            />
            <span class="die" data-colour=${look.colour} data-outline=${look.outline}>
              <${Outline} look=${look} />
              <${Face} look=${look} ...${up} />
            </span>
          </label>
        `;
      })}
    </fieldset>
  `;
}

/**
 * The numbers of a sheet by group. Those of a group that was opened are sent, because they were
 * shown.
 */
function Numbers({ ask, value, set, about }) {
  const entries = game.value.sheet ?? [];
  const groups = [...new Set(entries.map((entry) => entry.group))];
  const given = typeof value === "object" && value ? value : {};
  const own = (group) => entries.filter((entry) => entry.group === group);
  if (!entries.length) return null;
  return html`
    <span class="label"><${Asked} ask=${{ ...ask, needed: true }} /></span>
    ${groups.map((group) =>
      html`
        <${Fold}
          title=${game.value.groups[group]}
          key=${group}
          open=${own(group).some((entry) => entry.key in given)}
        >
          <${NumberGroup} entries=${own(group)} given=${given} set=${set} about=${about} />
          <//>
      `
    )}
  `;
}

/** One group of a sheet. What it shows beyond the sheet as it is, is answered with it. */
function NumberGroup({ entries, given, set, about }) {
  const shown = (entry) => given[entry.key] ?? about?.[entry.key] ?? entry.default;
  const missing = entries.filter((entry) =>
    !(entry.key in given) && about?.[entry.key] === undefined
  );
  useEffect(() => {
    if (missing.length) {
      set({ ...given, ...Object.fromEntries(missing.map((entry) => [entry.key, entry.default])) });
    }
  }, [missing.length]);
  return html`
    <ul class="dice-dials stack gap-1">
      ${entries.map((entry) =>
        html`
          <li class="row gap-3" key=${entry.key}>
            <span class="grow">${entry.label}</span>
            <${Counter}
              value=${shown(entry)}
              low=${entry.low}
              high=${entry.high}
              label=${entry.label}
              set=${(n) => set({ ...given, [entry.key]: n })}
            />
          </li>
        `
      )}
    </ul>
  `;
}
