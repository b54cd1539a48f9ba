/** Questions for numbers: a dial, a pool of dice, a sheet. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { typedNumber } from "../state/folding.js";
import { isPlayed } from "../state/game.js";
import { lookOf, notation } from "../state/looks.js";
import { Asked, Die, Fold, Glyph, Tag } from "../ui/parts.js";
import { game, table, the } from "../state/store.js";
import { call } from "../state/wire.js";
import { say } from "../state/words.js";
import { described, Label } from "./field-parts.js";

const MANY_DICE = 60;

/**
 * A number between minus and plus buttons, which can also be typed; while it has the focus, updates
 * do not change it. Without a value it shows none, and the first step is to `first`. What is no
 * number stays, and is given to `refuse`.
 */
export function Counter({ value, low, high, first = low, set, label, id, refuse }) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const within = (n) => Math.min(high, Math.max(low, n));
  const wrong = Boolean(typed?.trim()) && Number.isNaN(typedNumber(typed));
  const [shown, setShown] = useState(false);
  function step(by) {
    setTyped(null);
    set(Number.isInteger(value) ? within(value + by) : first);
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
        inputmode=${low < 0 ? "text" : "numeric" /* some keypads have no minus */}
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

/** A number between minus and plus buttons. */
export function Dial({ ask, value, set, id }) {
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

/** A pool: a dial for each die, or notation, with the pool as it was read. */
export function Dice({ ask, value, set, id, wrong }) {
  const [reading, setReading] = useState({ pool: {}, text: "", error: "" });
  const [typed, setTyped] = useState(value ?? "");
  useEffect(() => {
    const text = typed.trim();
    if (!text) return setReading({ pool: {}, text: "", error: "" });
    let current = true;
    const scheme = table.value?.options?.scheme;
    const timer = setTimeout(async () => {
      const answer = await call("POST", "/api/notation", {
        system: the(game).key,
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
  const { helping, hindering } = the(game).notation;
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
      ${[...helping, ...hindering].map((name) =>
        html`
          <li class="row gap-3" key=${name}>
            <${Die} name=${name} size="small" />
            <span class="grow">${lookOf(name).word}</span>
            <${Counter}
              value=${reading.pool[name] ?? 0}
              low=${0}
              high=${MANY_DICE}
              label=${lookOf(name).word}
              set=${(n) => turn(name, n)}
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
      placeholder=${say("ask.notation", { example: notation({ [the(game).dice[0]?.name]: 2 }) })}
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

/**
 * The numbers of a sheet by group. Those of a group that was opened are sent, because they were
 * shown.
 */
export function Numbers({ ask, value, set, about }) {
  const entries = the(game).sheet ?? [];
  const groups = [...new Set(entries.map((entry) => entry.group))].filter(isPlayed);
  const given = typeof value === "object" && value ? value : {};
  const own = (group) => entries.filter((entry) => entry.group === group);
  if (!entries.length) return null;
  return html`
    <span class="label"><${Asked} ask=${{ ...ask, needed: true }} /></span>
    ${groups.map((group) =>
      html`
        <${Fold}
          title=${the(game).groups[group]}
          key=${group}
          open=${own(group).some((entry) => entry.key in given)}
        >
          ${html`<${NumberGroup} entries=${own(group)} given=${given} set=${set} about=${about} />`}
        <//>
      `
    )}
  `;
}

/**
 * An entry of a sheet that is words, to edit.
 *
 * @param {{ entry: Wire.Entry, value: any, set: (text: string) => void }} props
 */
export const EntryText = ({ entry, value, set }) =>
  html`
    <label class="sheet-text row gap-3">
      <span>${entry.label}</span>
      <textarea
        class="textarea grow"
        rows=${Math.min(entry.lines, 4)}
        maxlength=${entry.text}
        value=${value ?? ""}
        onInput=${({ target }) => set(target.value)}
      ></textarea>
    </label>
  `;

/** One group of a sheet. What it shows beyond the sheet as it is, is answered with it. */
function NumberGroup({ entries, given, set, about }) {
  const shown = (entry) => given[entry.key] ?? about?.[entry.key] ?? entry.default;
  const missing = entries.filter((entry) =>
    !entry.text && !(entry.key in given) && about?.[entry.key] === undefined
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
            ${entry.text
              ? html`
                <${EntryText} entry=${entry} value=${given[entry.key] ?? about?.[entry.key]}
                  set=${(text) => set({ ...given, [entry.key]: text })} />
              `
              : html`
                <span class="grow">${entry.label}</span>
                <${Counter}
                  value=${shown(entry)}
                  low=${entry.low}
                  high=${entry.high}
                  label=${entry.label}
                  set=${(n) => set({ ...given, [entry.key]: n })}
                />
              `}
          </li>
        `
      )}
    </ul>
  `;
}
