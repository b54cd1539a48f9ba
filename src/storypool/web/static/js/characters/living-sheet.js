/** The numbers of a character with their rolls; a tap on one begins what it is for. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { game, here, table, the } from "../state/store.js";
import { at, call } from "../state/wire.js";
import { say } from "../state/words.js";
import { Fold, SmallPool } from "../ui/parts.js";
import { Tap, uses } from "./taps.js";

/** @typedef {Record<string, Wire.SheetRoll>} Rolls */

/** What was last known of the rolls of each character. */
const known = new Map();

/**
 * What the entries of a character roll, by their keys, as the table is now; null before that is
 * known for the first time.
 */
function useRolls(one) {
  const { id, seat } = the(here);
  const key = `${id} ${seat} ${one.id}`;
  const [rolls, setRolls] = useState(/** @type {Rolls | null} */ (known.get(key) ?? null));
  useEffect(() => {
    let current = true;
    const take = (/** @type {Wire.SheetRoll[]} */ found) => {
      const byEntry = Object.fromEntries(found.map((roll) => [roll.entry, roll]));
      known.set(key, byEntry);
      if (!current) return;
      setRolls(byEntry);
      uses.value = { ...uses.value, ...byEntry };
    };
    call("POST", at(id, "sheet"), { seat, character: one.id }).then(
      (found) => take(found.rolls),
      () => current && setRolls((old) => old ?? {}),
    );
    return () => {
      current = false;
    };
  }, [key, the(table).seq]);
  return rolls;
}

/** The numbers of a character by group: own ones first, each with its roll. */
export function LivingSheet({ one }) {
  const rolls = useRolls(one);
  if (!rolls) return html`<p class="quiet" role="status">${say("picture.wait")}</p>`;
  return html`
    <div class="living-sheet stack">
      ${groupsOf(one).map((group) =>
        html`<${Group} key=${group.key} group=${group} one=${one} rolls=${rolls} />`
      )}
    </div>
  `;
}

/** The groups of a sheet, each with its entries; a number that the game does not list is last. */
function groupsOf(one) {
  const entries = the(game).sheet ?? [];
  const keys = [...new Set(entries.map((entry) => entry.group))];
  const listed = new Set(entries.map((entry) => entry.key));
  // What a game notes of a character in words of its own is no number.
  const own = Object.keys(one.sheet).filter((key) =>
    typeof one.sheet[key] === "number" && !listed.has(key)
  ).map((key) => ({ key, label: key }));
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

function Group({ group, one, rolls }) {
  const isRolled = group.isFolded && group.entries.some(({ key }) => rolls[key]);
  // Of what is folded only what a character is good at is in sight, as this table plays.
  const has = ({ key }) =>
    one.sheet[key] !== undefined && (!group.isFolded || (isRolled && one.sheet[key] > 0));
  const own = group.entries.filter(has);
  const rest = group.isFolded ? group.entries.filter((entry) => !has(entry)) : [];
  if (!own.length && !rest.length) return null;
  return html`
    <section class="stack gap-1">
      ${group.title && html`<p class="label">${group.title}</p>`}
      <${Entries} entries=${own} isBeside=${group.isBeside} one=${one} rolls=${rolls} />
      ${rest.length > 0 && html`
        <${Fold} title=${say("sheet.more", { n: rest.length })} level=${6}>
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
            <${Entry}
              label=${entry.label}
              n=${one.sheet[entry.key]}
              roll=${rolls[entry.key]}
              isTile=${isBeside}
            />
          </li>
        `
      )}
    </ul>
  `;
}

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
