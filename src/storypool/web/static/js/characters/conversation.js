/**
 * Making a character as a conversation: a step on a page, each with what it means in play. It is
 * loaded with the question whom a seat plays, with its words and styles.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { Counter, EntryText, Numbers } from "../forms/number-fields.js";
import { fraction, percent } from "../odds/fractions.js";
import { addWhole } from "../forms/added-character.js";
import { FromFile } from "../forms/from-file.js";
import { keep, kept } from "../state/browser-storage.js";
import { addressOf } from "../state/faces.js";
import { game, here, table, the } from "../state/store.js";
import { at, call, inLanguage, troubleIn } from "../state/wire.js";
import { learnMore, say } from "../state/words.js";
import { addStyles } from "../ui/motion.js";
import { excess, NameField } from "../ui/name-field.js";
import { Alert, Button, Fold, useOnce } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";

/**
 * @typedef {{
 *   step: number,
 *   chosen: Record<string, string[]>,
 *   numbers: Record<string, number | string>,
 *   texts: Record<string, string>,
 *   name: string,
 *   id: string,
 *   token: string,
 *   left: Wire.TextMove[],
 * }} Making
 */

/** Milliseconds without a change until the odds are asked for. */
const PAUSE = 150;

/** @type {Making} */
const EMPTY = {
  step: 1,
  chosen: {},
  numbers: {},
  texts: {},
  name: "",
  id: "",
  token: "",
  left: [],
};

/** The last step: a name and a face. */
const NAME = "name";

const placeOf = () => `making.${the(here).id}.${the(here).seat}`;

/** Whether the words have come; they and the styles are asked for once. */
function useWords() {
  const [known, setKnown] = useState(say("making.title") !== "making.title");
  useEffect(() => {
    addStyles("conversation.css");
    if (known) return;
    const path = inLanguage("/api/words?of=making", the(table).options.language);
    call("GET", path).then((more) => {
      learnMore(more);
      setKnown(true);
    }, () => {});
  }, []);
  return known;
}

/**
 * The button that begins the conversation, or goes on with it; `close` closes what it is in, and
 * `textOf` reads a chosen file.
 */
export function Begin({ close, whose, textOf }) {
  const [started, setStarted] = useState(/** @type {Making | null} */ (kept(placeOf(), null)));
  if (!useWords()) return null;
  const forget = () => {
    keep(placeOf(), null);
    setStarted(null);
  };
  const open = () => {
    close();
    openSheet(
      say("making.title"),
      (done) => html`<${Conversation} whose=${whose} done=${done} />`,
    );
  };
  const title = started
    ? say("making.resume", { name: started.name.trim() || say("making.nameless") })
    : say("making.begin");
  return html`
    <div class="ready stack gap-2">
      <${Button} onTap=${open} data-making="begin">
        ${html`
          <span class="two-lines">
            <span class="name">${title}</span>
            <span class="fine quiet">${say("making.about")}</span>
          </span>
        `}
      <//>
      ${started && html`<${Button} kind="plain" onTap=${forget}>${say("making.forget")}<//>`}
      <${FromFile} close=${close} whose=${whose} textOf=${textOf} />
    </div>
  `;
}

/**
 * The step in sight as the server has it, its trouble, and how to ask again; the last answer stays
 * until the next one has come.
 *
 * @param {Making} making
 */
function useStep({ step, chosen, numbers, texts }) {
  const [shown, setShown] = useState(/** @type {Wire.StepsState | null} */ (null));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const [asked, askAgain] = useState(0);
  const answers = JSON.stringify({ step, chosen, numbers });
  useEffect(() => {
    let current = true;
    const isNew = shown?.step !== step;
    const timer = setTimeout(async () => {
      try {
        const found = await askStep({ ...JSON.parse(answers), texts });
        if (current) [setShown(found), setError(null)];
      } catch (trouble) {
        if (current) setError(troubleIn(trouble).refusal);
      }
    }, isNew ? 0 : PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [answers, asked]);
  return { shown, error, again: () => askAgain(asked + 1) };
}

/** @returns {Promise<Wire.StepsState>} */
function askStep({ step, chosen, numbers, texts }) {
  const { id, seat } = the(here);
  return call("POST", at(id, "steps"), { seat, step, chosen, numbers, texts });
}

/** The conversation; `whose` are answers of the move that makes the character. */
function Conversation({ whose, done }) {
  const place = placeOf();
  const [making, setMaking] = useState(/** @type {Making} */ ({ ...EMPTY, ...kept(place, {}) }));
  const [refusal, setRefusal] = useState(/** @type {Wire.Reason | null} */ (null));
  const { shown, error, again } = useStep(making);
  const change = (/** @type {Partial<Making>} */ more) => {
    setRefusal(null);
    const now = { ...making, ...more };
    setMaking(now);
    keep(place, now);
    return now;
  };
  const end = () => {
    keep(place, null);
    done();
  };
  const isLast = shown && shown.step === shown.of;
  // A game that has fewer steps by now shows its last one.
  const isCurrent = shown && shown.step === Math.min(making.step, shown.of);
  const [waiting, submit] = useOnce(async () => {
    if (!shown || !isCurrent) return;
    if (!isLast) return change({ step: shown.step + 1 });
    const missing = !making.name.trim() || excess(making.name);
    if (missing) return setRefusal({ text: say("making.noName"), remedy: "", rule: "" });
    try {
      const reason = await finish(making, whose, change);
      if (reason) setRefusal(reason);
      else end();
    } catch (trouble) {
      setRefusal(troubleIn(trouble).refusal);
    }
  });
  if (!shown) {
    return error
      ? html`
        <div class="stack gap-2">
          <${Alert} refusal=${error} />
          <div>
            <${Button} onTap=${again}>${say("line.now")}<//></div></div>
      `
      : html`<p class="quiet" role="status">${say("ask.coming")}</p>`;
  }
  const name = making.name.trim() || say("making.nameless");
  return html`
    <form class="form stack gap-5 conversation" onSubmit=${submit} noValidate>
      ${making.id
        ? html`<p role="status">${say("making.left", { name })}</p>`
        : html`<${Asking} making=${making} shown=${shown} change=${change} />`}
      <${Alert} refusal=${refusal ?? error} />
      <div class="form-foot wrap gap-2">
        ${making.id
          ? html`
            <button type="button" class="button" onClick=${end}>${say("making.leave")}</button>
          `
          : shown.step > 1
          ? html`
            <button
              type="button"
              class="button"
              onClick=${() => change({ step: shown.step - 1 })}
            >
              ${say("making.back")}
            </button>
          `
          : html`
            <button type="button" class="button" onClick=${done}>${say("making.later")}</button>
          `}
        <button
          type="submit"
          class="button"
          data-kind="primary"
          aria-busy=${waiting || !isCurrent ? "true" : undefined}
        >
          ${making.id
            ? say("making.again")
            : isLast
            ? say("making.make", { name })
            : say("making.next")}
        </button>
      </div>
    </form>
  `;
}

/** Make the character of the draft, with its texts; why it was refused, or null. */
async function finish(making, whose, change) {
  const found = making.id ? null : await askStep(making);
  const args = { name: making.name.trim(), sheet: found?.sheet, ...whose };
  return addWhole(making, args, found?.written ?? [], change);
}

/** A step: what it asks, what it means in play, and what can be answered. */
function Asking({ making, shown, change }) {
  const heading = useRef(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      heading.current?.focus({ preventScroll: true });
      heading.current?.closest(".sheet-body, dialog")?.scrollTo(0, 0);
    }
    first.current = false;
  }, [shown.step]);
  const sheet = { ...shown.sheet, ...making.numbers };
  // Only what differs from the choices is kept, so that another choice still counts.
  const setNumbers = (all) => {
    const usual = Object.fromEntries(the(game).sheet.map((one) => [one.key, one.default]));
    const own = Object.entries(all).filter(([key, value]) =>
      key in making.numbers || value !== (shown.sheet[key] ?? usual[key])
    );
    change({ numbers: Object.fromEntries(own) });
  };
  return html`
    <div class="stack gap-2">
      <div class="row gap-3 quiet small">
        <span>${say("making.step", { step: shown.step, of: shown.of })}</span>
        <progress class="grow" max=${shown.of} value=${shown.step} aria-hidden="true"></progress>
      </div>
      <h3 class="result" tabindex="-1" ref=${heading}>${shown.title}</h3>
      <p class="strong" id="making-question">
        ${shown.question}${shown.pick > 1 && html`${" "}${
          say("making.several", {
            n: shown.pick,
          })
        }`}
      </p>
      ${shown.means && html`<p class="quiet">${shown.means}</p>`}
    </div>
    ${shown.key === NAME &&
      html`
        <${NameField}
          label=${say("making.name")}
          value=${making.name}
          set=${(name) => change({ name })}
        />
      `}
    ${shown.choices.length > 0 &&
      html`<${Choices} making=${making} shown=${shown} change=${change} />`}
    ${shown.fields.map((one) =>
      html`
        <label class="stack gap-1" key=${one.key}>
          <span class="label">${one.label}</span>
          <textarea
            class="textarea"
            rows="2"
            maxlength="400"
            value=${making.texts[one.key] ?? one.text}
            onInput=${({ target }) =>
              change({ texts: { ...making.texts, [one.key]: target.value } })}
          ></textarea>
        </label>
      `
    )}
    ${shown.entries.length > 0 && html`
      <${Entries}
        shown=${shown}
        sheet=${sheet}
        set=${(more) => change({ numbers: { ...making.numbers, ...more } })}
      />
    `}
    <${Fold} title=${say("making.numbers")} level=${4}>
      ${html`
        <div class="stack gap-2">
          <${Numbers}
            ask=${{ label: say("making.numbers"), needed: true }}
            value=${sheet}
            set=${setNumbers}
          />
        </div>
      `}
    <//>
  `;
}

/** The choices of a step, each with its odds: one of them, or several. */
function Choices({ making, shown, change }) {
  const chosen = making.chosen[shown.key] ?? [];
  const isOne = shown.pick === 1, isFaces = shown.key === NAME;
  const take = (key) => {
    const others = chosen.filter((one) => one !== key);
    const now = isOne ? [key] : chosen.includes(key) ? others : [...others, key].slice(-shown.pick);
    change({ chosen: { ...making.chosen, [shown.key]: now } });
  };
  return html`
    <div
      class=${isFaces ? "faces cluster gap-1" : "stack gap-2"}
      role=${isOne ? "radiogroup" : "group"}
      aria-labelledby=${isFaces ? undefined : "making-question"}
      aria-label=${isFaces ? say("making.face") : undefined}
    >
      ${shown.choices.map((one) =>
        html`
          <label class="choice ${isFaces ? "face" : "row gap-3 target"}" key=${one.key}>
            <input
              type=${isOne ? "radio" : "checkbox"}
              name=${isOne ? `making-${shown.key}` : undefined}
              aria-label=${isFaces ? one.name : undefined}
              checked=${chosen.includes(one.key)}
              onChange=${() => take(one.key)}
            />
            ${isFaces
              ? html`<img src=${addressOf(one.key)} alt="" width="44" height="44" />`
              : html`<${Choice} one=${one} chances=${shown.chances} />`}
          </label>
        `
      )}
    </div>
  `;
}

const Choice = ({ one, chances }) =>
  html`
    <span class="two-lines">
      <span class="name">${one.name}</span>
      ${one.about && html`<span class="fine quiet">${one.about}</span>`}
      ${chances.filter(({ of }) => of === one.key).map((chance) =>
        html`<span class="fine strong" key=${chance.title}>${inWords(chance)}</span>`
      )}
    </span>
  `;

function inWords({ title, chance, without }) {
  const n = percent(fraction(chance));
  return without
    ? say("making.chanceInstead", { title, n, without: percent(fraction(without)) })
    : say("making.chance", { title, n });
}

/** Numbers and words of the sheet to place, each number with its odds. */
function Entries({ shown, sheet, set }) {
  const entries = the(game).sheet.filter(({ key }) => shown.entries.includes(key));
  return html`
    <ul class="dice-dials stack gap-1">
      ${entries.map((entry) =>
        html`
          <li class="row gap-3" key=${entry.key}>
            ${entry.text
              ? html`
                <${EntryText} entry=${entry} value=${sheet[entry.key]}
                  set=${(text) => set({ [entry.key]: text })} />
              `
              : html`
                <span class="grow two-lines">
                  <span>${entry.label}</span>
                  ${shown.chances.filter(({ of }) => of === entry.key).map((chance) =>
                    html`<span class="fine quiet" key=${chance.title}>${inWords(chance)}</span>`
                  )}
                </span>
                <${Counter}
                  value=${sheet[entry.key]}
                  low=${entry.low}
                  high=${entry.high}
                  first=${entry.default}
                  label=${entry.label}
                  set=${(n) => set({ [entry.key]: n })}
                />
              `}
          </li>
        `
      )}
    </ul>
  `;
}
