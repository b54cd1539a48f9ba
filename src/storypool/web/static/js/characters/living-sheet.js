/** The numbers of a character with their rolls; a tap on one begins what it is for. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { Counter, EntryText } from "../forms/number-fields.js";
import { isPlayed, isRank, panelsOf } from "../state/game.js";
import { byKey, game, here, make, preview, refused, table, the } from "../state/store.js";
import { at, call } from "../state/wire.js";
import { say } from "../state/words.js";
import { useFoot } from "../ui/fixed-bars.js";
import { drawnLater } from "../ui/drawn-later.js";
import { excess, NameField } from "../ui/name-field.js";
import { Alert, Button, Fold, SmallPool, useOnce } from "../ui/parts.js";
import { isBare, Tap, uses } from "./taps.js";

const PortraitEditor = drawnLater(
  (again) => import(`./papers.js${again}`).then((made) => made.Portraits),
);

/** @typedef {Record<string, Wire.SheetRoll>} Rolls */

/** Milliseconds without a change until the rolls of edited numbers are asked for. */
const PAUSE = 150;

/** @type {(rolls: Wire.SheetRoll[]) => Rolls} */
const byEntry = (rolls) => Object.fromEntries(rolls.map((roll) => [roll.entry, roll]));

/** What was last known of the rolls of each character. */
const known = new Map();

/**
 * What the entries of a character roll, by their keys, as the table is now; null before that is
 * known for the first time.
 */
function useRolls(one) {
  const { id, seat } = the(here);
  const key = `${id} ${seat} ${one.id || one.name}`;
  const [rolls, setRolls] = useState(/** @type {Rolls | null} */ (known.get(key) ?? null));
  useEffect(() => {
    let current = true;
    const take = (/** @type {Wire.SheetRoll[]} */ found) => {
      const now = byEntry(found);
      known.set(key, now);
      if (!current) return;
      setRolls(now);
      uses.value = { ...uses.value, ...now };
    };
    // A character who is not at the table yet has no id.
    const body = { seat, character: one.id, sheet: one.id ? {} : one.sheet };
    call("POST", at(id, "sheet"), body).then(
      (found) => take(found.rolls),
      () => current && setRolls((old) => old ?? {}),
    );
    return () => {
      current = false;
    };
  }, [key, the(table).seq]);
  return rolls;
}

/**
 * The numbers of a character by group: own ones first, each with its roll; its folds have headings
 * of `level`.
 */
export function LivingSheet({ one, level }) {
  const rolls = useRolls(one);
  if (!rolls) return html`<p class="quiet" role="status">${say("picture.wait")}</p>`;
  return html`
    <div class="living-sheet stack">
      ${groupsOf(one).map((group) =>
        html`
          <${Group} key=${group.key} group=${group} one=${one} rolls=${rolls}
            level=${level} />
        `
      )}
    </div>
  `;
}

/** The groups of a sheet, each with its entries; a number that the game does not list is last. */
function groupsOf(one) {
  const entries = the(game).sheet ?? [];
  const keys = [...new Set(entries.map((entry) => entry.group))].filter(isPlayed);
  const listed = new Set(entries.map((entry) => entry.key));
  // What a game notes of a character in words of its own is no number.
  const own = Object.keys(one.sheet).filter((key) =>
    typeof one.sheet[key] === "number" && !listed.has(key)
  ).map((key) => ({ key, label: key, low: 0, high: 99, default: 0, text: 0 }));
  const binds = panelsOf("sheet")[0]?.binds ?? {};
  const groups = keys.map((key) => ({
    key,
    title: the(game).groups[key],
    isBeside: binds.beside?.includes(key) ?? false,
    isFolded: binds.folded?.includes(key) ?? false,
    entries: entries.filter((entry) => entry.group === key),
  }));
  return [
    ...groups,
    { key: "", title: "", isBeside: false, isFolded: false, entries: own },
  ];
}

function Group({ group, one, rolls, level }) {
  const isRolled = group.isFolded && group.entries.some(({ key }) => rolls[key]);
  // Of what is folded only what a character is good at is in sight, as this table plays.
  const has = ({ key }) =>
    (one.sheet[key] ?? "") !== "" && !isRank(one, key) &&
    (!group.isFolded || (isRolled && one.sheet[key] > 0));
  const own = group.entries.filter(has);
  const rest = group.isFolded ? group.entries.filter((entry) => !has(entry)) : [];
  if (!own.length && !rest.length) return null;
  return html`
    <section class="stack gap-1">
      ${group.title && html`<p class="label">${group.title}</p>`}
      <${Entries} entries=${own} isBeside=${group.isBeside} one=${one} rolls=${rolls} />
      ${rest.length > 0 && html`
        <${Fold} title=${say("sheet.more", { n: rest.length })} level=${level}>
          ${html`<${Entries} entries=${rest} one=${one} rolls=${rolls} />`}
        <//>
      `}
    </section>
  `;
}

function Entries({ entries, isBeside, one, rolls }) {
  return html`
    <ul class=${isBeside ? "tiles sheet-tiles" : "tiles"}>
      ${entries.map((entry) =>
        html`
          <li key=${entry.key}>
            ${entry.text
              ? html`<${EntryWords} label=${entry.label} text=${one.sheet[entry.key]} />`
              : html`
                <${Entry}
                  label=${entry.label}
                  n=${one.sheet[entry.key]}
                  roll=${rolls[entry.key]}
                  isTile=${isBeside}
                />
              `}
          </li>
        `
      )}
    </ul>
  `;
}

/** Words of a sheet, in their lines. */
const EntryWords = ({ label, text }) =>
  html`
    <div class="sheet-entry stack gap-1">
      <span class="fine quiet">${label}</span>
      <span class="lines">${text}</span>
    </div>
  `;

/** A number with its roll; a button where a tap on it begins that. */
const Entry = ({ label, n, roll, isTile }) =>
  html`
    <${Tap} roll=${roll} label=${label}>
      <span class="sheet-entry row full">
        <span class="grow">${label}</span>
        ${!isTile && roll && html`<${Rolled} roll=${roll} />`}
        <span class="count strong">${n ?? ""}</span>
      </span>
      <//>
  `;

const Rolled = ({ roll }) =>
  html`
    ${roll.text && html`<span class="fine quiet">${roll.text}</span>`}
    ${Object.keys(roll.pool).length > 0 && html`<${SmallPool} pool=${roll.pool} />`}
  `;

/** What was entered and not saved, by table and character: a closed sheet loses nothing. */
const unsaved = new Map();

/**
 * The same page to edit: a name, each number between buttons, with what it rolls, and each text. An
 * empty sheet may start from the numbers of a ready-made character.
 */
export function SheetEditor({ one, done }) {
  const draft = `${the(here).id} ${one.id}`;
  const [entered, setEntered] = useState(unsaved.get(draft) ?? { name: one.name, sheet: {} });
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const sheet = { ...initialNumbers(one), ...entered.sheet };
  const rolls = useRollsWith(one, sheet);
  const form = useRef(null);
  useFoot(form);
  const keep = (now) => {
    unsaved.set(draft, now);
    setEntered(now);
  };
  const change = (more) => {
    setError(null);
    keep({ ...entered, ...more });
  };
  const close = () => {
    unsaved.delete(draft);
    done();
  };
  /** Make a move of saving; where it is refused, the sheet says why. */
  const save = async (move, args) => {
    const made = await make(move, { who: one.id, ...args }, { title: say("sheet.save") });
    if (!made) setError(refused.value?.refusal ?? null);
    refused.value = null;
    return made;
  };
  const [saving, submit] = useOnce(async () => {
    const name = entered.name.trim();
    if (!name || excess(name)) return null;
    if (!await save("character.set", { sheet, ...(name === one.name ? {} : { name }) })) {
      return null;
    }
    const texts = { ...entered.texts };
    for (const [key, { write, text, ...place }] of Object.entries(texts)) {
      if (text.trim() && !await save(write, { ...place, text: text.trim() })) return null;
      // A text that is saved is not written again when a later one was refused.
      delete texts[key];
      keep({ ...entered, texts: { ...texts } });
    }
    return close();
  });
  return html`
    <form class="form stack gap-5 living-sheet" ref=${form} onSubmit=${submit} noValidate>
      <${NameField}
        label=${say("sheet.name")}
        value=${entered.name}
        set=${(name) => change({ name })}
      />
      ${one.id && html`<${PortraitEditor} one=${one} />`}
      ${isBare(one) && html`<${Templates} take=${(numbers) => change({ sheet: numbers })} />`}
      ${groupsOf(one).filter(({ entries }) => entries.length).map((group) =>
        html`
          <section class="stack gap-1" key=${group.key}>
            <p class="label">${group.title}</p>
            <ul class="dice-dials stack gap-1">
              ${group.entries.map((entry) =>
                entry.text
                  ? html`
                    <li key=${entry.key}>
                      <${EntryText} entry=${entry} value=${sheet[entry.key] ?? one.sheet[entry.key]}
                        set=${(text) =>
                          change({ sheet: { ...entered.sheet, [entry.key]: text } })} />
                    </li>
                  `
                  : html`
                    <${Dial}
                      key=${entry.key}
                      entry=${entry}
                      n=${sheet[entry.key] ?? one.sheet[entry.key] ??
                        (group.isFolded ? entry.default : undefined)}
                      roll=${rolls[entry.key]}
                      set=${(n) => change({ sheet: { ...entered.sheet, [entry.key]: n } })}
                    />
                  `
              )}
            </ul>
          </section>
        `
      )}
      ${panelsOf("words").filter(({ binds }) => byKey.value[binds.write ?? ""]).map((panel) =>
        html`
          <${Texts}
            key=${panel.title}
            panel=${panel}
            one=${one}
            sheet=${{ ...one.sheet, ...sheet }}
            texts=${entered.texts ?? {}}
            set=${(texts) => change({ texts: { ...entered.texts, ...texts } })}
          />
        `
      )}
      <${Alert} refusal=${error} />
      <div class="form-foot wrap gap-2">
        <button type="button" class="button" onClick=${close}>
          ${say(isBare(one) ? "sheet.later" : "cancel")}
        </button>
        <button
          type="submit"
          class="button"
          data-kind="primary"
          aria-busy=${saving ? "true" : undefined}
        >
          ${say("sheet.save")}
        </button>
      </div>
    </form>
  `;
}

/** A number to edit between its buttons, and what it would roll. */
const Dial = ({ entry, n, roll, set }) =>
  html`
    <li class="row gap-3">
      <span class="grow cluster">
        <span>${entry.label}</span>
        <span class="push inline">${roll && html`<${Rolled} roll=${roll} />`}</span>
      </span>
      <${Counter}
        value=${n}
        low=${entry.low}
        high=${entry.high}
        first=${entry.default}
        label=${entry.label}
        set=${set}
      />
    </li>
  `;

/** The texts of a sheet to edit, by kind: a field for each, and an empty one for another. */
function Texts({ panel, one, sheet, texts, set }) {
  const { write, traits } = panel.binds;
  const [asks, setAsks] = useState(/** @type {Record<string, Wire.AskView[]>} */ ({}));
  useEffect(() => {
    let current = true;
    for (const kind of traits) {
      preview(write, { who: one.id, kind }).then(
        (found) => current && setAsks((old) => ({ ...old, [kind]: found.offer.asks })),
        () => {},
      );
    }
    return () => {
      current = false;
    };
  }, [one.id]);
  return traits.filter((kind) => asks[kind]).map((kind) => {
    const title = panel.words[kind];
    const places = asks[kind].find(({ name }) => name === "at")?.choices ??
      [{ value: "", label: "" }];
    const isList = asks[kind].some(({ name }) => name === "change");
    const [, least] = panel.binds.least?.map((row) => row.split(" "))
      .find(([of]) => of === kind) ?? [];
    return html`
      <section class="stack gap-1" key=${kind}>
        <p class="label">${title}</p>
        ${places.map(({ value: at, label }) => {
          const own = Object.values(the(table).traits).filter((trait) =>
            trait.kind === kind && trait.about === one.id && (!at || trait.at === at)
          );
          const start = `${kind} ${at} `;
          // An entry that is too low for a text gets no field to write one in vain.
          if (sheet[at] < least && !own.length && !texts[`${start}+0`]?.text) return null;
          // Below what is there is an empty field, and below each that was filled another.
          const added = Object.keys(texts).filter((key) => key.startsWith(`${start}+`)).length;
          const free = isList ? added + 1 : own.length ? 0 : 1;
          return [...own, ...Array(free)].map((trait, i) => {
            const key = `${start}${trait?.id ?? `+${i}`}`;
            const place = {
              write,
              kind,
              ...(at && { at }),
              ...(isList && trait && { change: trait.id }),
            };
            return html`
              <label class="sheet-text row gap-3" key=${key}>
                ${label && html`<span>${label}</span>`}
                <textarea
                  class="textarea grow"
                  rows="1"
                  maxlength="400"
                  aria-label=${label ? `${title}: ${label}` : title}
                  value=${texts[key]?.text ?? trait?.text ?? ""}
                  onInput=${({ target }) => set({ [key]: { ...place, text: target.value } })}
                ></textarea>
              </label>
            `;
          });
        })}
      </section>
    `;
  });
}

/** What a bare sheet begins with: the usual numbers of what is drawn side by side. */
function initialNumbers(one) {
  const beside = groupsOf(one).filter(({ isBeside }) => isBeside);
  if (!isBare(one)) return {};
  return Object.fromEntries(
    beside.flatMap(({ entries }) => entries).map((entry) => [entry.key, entry.default]),
  );
}

/** The ready-made characters whose numbers a bare sheet can start from. */
function Templates({ take }) {
  const ready = the(game).ready.filter((one) => Object.keys(one.sheet ?? {}).length);
  if (!ready.length) return null;
  return html`
    <section class="stack gap-1">
      <p class="label">${say("sheet.template")}</p>
      <div class="cluster">
        ${ready.map((one) =>
          html`
            <${Button} key=${one.name} onTap=${() => take(one.sheet)}>${one.name}<//>
          `
        )}
      </div>
    </section>
  `;
}

/** What the entries would roll with these numbers, a moment after the last change. */
function useRollsWith(one, sheet) {
  const [rolls, setRolls] = useState(/** @type {Rolls} */ ({}));
  const { id, seat } = the(here);
  const numbers = JSON.stringify(sheet);
  useEffect(() => {
    const timer = setTimeout(async () => {
      const body = { seat, character: one.id, sheet: JSON.parse(numbers) };
      const found = await call("POST", at(id, "sheet"), body).catch(() => null);
      if (found) setRolls(byEntry(found.rolls));
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [id, one.id, numbers]);
  return rolls;
}
