/** One question each: a choice, a number, a text, yes or no, a pool, faces, a sheet. */

import { html, useId, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { isHiding } from "./answers.js";
import { hasWords, searchWords } from "../state/folding.js";

import { PickWorth } from "../odds/odds.js";
import { Row, rowOf } from "./option-rows.js";
import { useOpened } from "../ui/in-view.js";
import { Asked, Fold, Glyph, Shut, Tag, useClosed } from "../ui/parts.js";

import { FEW, lastFirst } from "./recent-choices.js";
import { say } from "../state/words.js";
import { described, Label } from "./field-parts.js";
import { Dial, Dice, Numbers } from "./number-fields.js";
import { drawnLater } from "../ui/drawn-later.js";

const Faces = drawnLater(
  (again) => import(`./face-rows.js${again}`).then((made) => made.Faces),
);

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
    several: Several,
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
      ${isHiding(ask) && html`<${Glyph} name="secret" size="24" />`}
      <span>
        ${ask.label}
        ${ask.suggests && html`${" "}<${Tag} />`}
      </span>
    </label>
  `;
}

/** Several of some choices; once there are enough, the others wait. */
function Several({ ask, value, set }) {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (one) => {
    const left = chosen.filter((other) => other !== one);
    const now = left.length < chosen.length ? left : [...chosen, one];
    set(now.length ? now : undefined);
  };
  const { low, high } = ask;
  return html`
    <fieldset class="stack gap-1">
      <legend class="label">
        <${Asked} ask=${ask} />${" "}
        <span class="fine quiet">
          ${say(low === high ? "ask.exactly" : "ask.several", { n: low, high })}
        </span>
      </legend>
      ${ask.choices.map((choice) =>
        html`
          <label class="choice row gap-3 target" key=${choice.value}>
            <input
              type="checkbox"
              checked=${chosen.includes(choice.value)}
              disabled=${!chosen.includes(choice.value) &&
                (Boolean(choice.closed) || chosen.length >= high)}
              onChange=${() => toggle(choice.value)}
            />
            <span>
              ${choice.label}
              ${(choice.closed || choice.note) && html`
                ${" "}<span class="fine quiet">${choice.closed || choice.note}</span>
              `}
            </span>
          </label>
        `
      )}
    </fieldset>
  `;
}

/**
 * The choice that takes an answer back: what a player leaves open of the GM's is the GM's to
 * decide, who may do so later.
 */
const unanswered = (ask) => say(ask.suggests ? "ask.left" : ask.decides ? "ask.later" : "ask.none");

/** A few choices as buttons, one of them pressed. Where many are locked, those are one tap away. */
function Picks({ ask, value, set, id, worth }) {
  const closedChoices = ask.choices.filter((choice) => choice.closed && choice.value !== value);
  const folds = closedChoices.length >= (ask.name === "with" ? 1 : MANY_SHUT) &&
    closedChoices.length < ask.choices.length;
  const listed = folds
    ? ask.choices.filter((choice) => !closedChoices.includes(choice))
    : ask.choices;
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
        ${none &&
          html`
            <${Pick}
              name=${id}
              choice=${{ value: undefined, label: unanswered(ask), note: "" }}
              chosen=${!value}
              radio=${radio}
            />
          `}
      </div>
      ${folds && html`
        <${Fold} title=${say("offers.shut", { n: closedChoices.length })} level=${4}>
          ${html`<div class="cluster">${closedChoices.map(pick)}</div>`}
        <//>
      `}
      ${why}
      <${OwnWords} ask=${ask} value=${value} set=${set} />
    </fieldset>
  `;
}

/** An answer in one's own words, where the question takes one. */
const OwnWords = ({ ask, value, set }) =>
  ask.free && html`
    <input
      class="input"
      type="text"
      aria-label=${say("ask.own", { label: ask.label })}
      placeholder=${say("ask.ownHint")}
      value=${ask.choices.some((one) => one.value === value) ? "" : (value ?? "")}
      onInput=${(e) => set(e.target.value || undefined)}
    />
  `;

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
  const button = useRef(null);
  const chose = useRef(false);
  // In the same step as the answer is shown: later it could take the focus from what was pressed
  // meanwhile.
  useLayoutEffect(() => {
    if (!open && chose.current) button.current.focus();
    chose.current = false;
  }, [open]);
  function choose(answer) {
    set(answer);
    setOpen(false);
    setTyped("");
    chose.current = true;
  }
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
      <span id="${id}-value" class=${chosen ? "" : "quiet"}>
        ${chosen?.label ?? say("ask.choose")}
      </span>
    </button>
    ${open && html`
      <${SearchList}
        ask=${ask}
        value=${value}
        choose=${choose}
        typed=${typed}
        setTyped=${setTyped}
      />
    `}
    <${OwnWords} ask=${ask} value=${value} set=${set} />
  `;
}

/** The choices of a long list, with a field that filters them, which has the focus. */
function SearchList({ ask, value, choose, typed, setTyped }) {
  const input = useRef(null);
  const list = useOpened(true, false);
  useLayoutEffect(() => input.current.focus({ preventScroll: true }), []);
  const words = searchWords(typed);
  const found = lastFirst(ask).filter((choice) =>
    hasWords(`${choice.label} ${choice.note}`, words)
  );
  const first = found.find((choice) => !choice.closed);
  const chooseFirst = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (first) choose(first.value);
  };
  return html`
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
        onKeyDown=${chooseFirst}
      />
      <div class="search-found rows">
        ${found.map((choice) =>
          html`
            <${Found}
              key=${choice.value}
              choice=${choice}
              isChosen=${choice.value === value}
              choose=${choose}
            />
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
        ${!found.length && html`<p class="quiet fine snug">${say("ask.nothing")}</p>`}
      </div>
    </div>
  `;
}

/** A choice of a long list. */
function Found({ choice, isChosen, choose }) {
  return html`
    <button
      type="button"
      class="search-one row wrap lines-0 baseline gap-3 target ruled snug between"
      aria-pressed=${String(isChosen)}
      aria-disabled=${choice.closed ? "true" : undefined}
      onClick=${() => choice.closed || choose(choice.value)}
    >
      <span>${choice.label}</span>
      ${(choice.closed || choice.note) &&
        html`<span class="fine quiet">${choice.closed || choice.note}</span>`}
    </button>
  `;
}
