/** The pool of an action: its dice, where each came from, and what changed it. */

import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { people } from "../state/game.js";
import {
  counted,
  diceOf,
  dieOf,
  expanded,
  hinders,
  inOrder,
  lookOf,
  numbered,
  runsOf,
} from "../state/looks.js";
import { size } from "../dice/dice.js";
import { scrollBack } from "../ui/in-view.js";
import { useGlide } from "../ui/motion.js";
import { Bag, Face, Glyph, Outline } from "../ui/parts.js";
import { game, table, the } from "../state/store.js";
import { oneOf, say } from "../state/words.js";

const LAST_MODS = 4;

/**
 * The pool: tap a die to see who gave it and why. What adds dice to it is between them and what
 * changed them, so that it stays where it is.
 */
export function Pool({ action, children }) {
  const [tapped, setTapped] = useState("");
  const dice = inOrder(action.pool);
  const keys = keyed(dice);
  const box = useGlide();
  const added = useRef(/** @type {{ tray: Element, top: number } | null} */ (null));
  // An added die is seen beside its tray, which stays under the finger: what was open between them
  // closes.
  const closeOrigin = ({ target }) => {
    const tray = target.closest(".tray-die");
    if (!tray || !tapped) return;
    added.current = { tray, top: tray.getBoundingClientRect().top };
    setTapped("");
  };
  useLayoutEffect(() => {
    if (added.current) scrollBack(added.current.tray, added.current.top);
    added.current = null;
  }, [tapped]);
  return html`
    <div class="pool-place full" onClick=${closeOrigin}>
      ${the(game).dice.length > 0 && html`
        <ul
          class="pool cluster centre gap-1"
          ref=${box}
          data-many=${size(dice.length)}
          aria-label=${say("pool.label")}
        >
                ${dice.map((name, i) => {
                  const look = lookOf(name);
                  const nth = keys[i].slice(name.length + 1);
                  const first = i > 0 && hinders(name) && !hinders(dice[i - 1]);
                  return html`
                    ${first && html`<li class="pool-break" aria-hidden="true" key="break"></li>`}
                    <li key=${keys[i]} data-key=${keys[i]}>
                      <button
                        type="button"
                        class="die"
                        data-colour=${look.colour}
                        aria-label=${say(
                          "pool.die",
                          { die: nth > 1 ? `${look.word} ${nth}` : look.word, letter: look.letter },
                        )}
                        aria-pressed=${String(tapped === name)}
                        onClick=${() => setTapped(tapped === name ? "" : name)}
                      >
                        <${Outline} look=${look} />
                        <span class="die-letter">${look.letter}</span>
                      </button>
                    </li>
                  `;
                })}
              </ul>
      `}
      <div aria-live="polite">
        ${tapped && html`<${Origin} action=${action} name=${tapped} />`}
      </div>
      ${children}
      <${Mods} mods=${action.mods} asked=${tapped} />
    </div>
  `;
}

/** Keys that stay with each die while others come and go. */
function keyed(dice) {
  const counts = {};
  return dice.map((name) => {
    counts[name] = (counts[name] ?? 0) + 1;
    return `${name}-${counts[name]}`;
  });
}

/** Explains a kind of die in the pool: who gave it, and what is printed on it. */
function Origin({ action, name }) {
  const look = lookOf(name);
  const base = action.base[name] ?? 0;
  const now = action.pool[name] ?? 0;
  // Dice of one kind that read the same are listed once; helpers may each have their own numbers.
  const all = diceOf(action).filter((die) => die.name === name);
  const dice = [...new Map(all.map((die) => [JSON.stringify(die.faces), die])).values()];
  return html`
    <div class="origin card stack gap-2">
      <p>
        <strong class="name">${look.word}</strong>
        ${" "}
        <span class="quiet">${say("pool.counts", { now, base })}</span>
      </p>
      <p class="quiet fine">
        ${action.mods.filter((mod) => changes(mod, name)).map(modText).join(" ")}
      </p>
      ${numbered(name) ? dice.map((die, i) => html`<${Runs} key=${i} die=${die} />`) : html`
        <ul class="origin-faces cluster gap-0" aria-label=${say("pool.faces")}>
          ${dieOf(name).faces
            .map((face, i) =>
              html`
                <li
                  key=${i}
                  class="die"
                  data-size="small"
                  data-colour=${look.colour}
                  data-outline=${look.outline}
                >
                  <${Outline} look=${look} />
                  <${Face} look=${look} symbols=${expanded(face)} />
                </li>
              `
            )}
        </ul>
        <p class="cluster fine quiet">
          ${[...new Set(dieOf(name).faces.flatMap(Object.keys))].map((symbol) =>
            html`
              <span class="inline" key=${symbol}>
                ${lookOf(symbol).glyph && html`<${Glyph} name=${lookOf(symbol).glyph} size="16" />`}
                ${lookOf(symbol).word}
              </span>
            `
          )}
        </p>
      `}
    </div>
  `;
}

/**
 * What the numbers of a die mean in this action, in short: ranges of numbers with their symbols.
 */
function Runs({ die }) {
  const runs = runsOf(die);
  if (!runs.length) {
    return html`
      <p class="quiet fine">
        ${say("pool.unbound", { from: die.first, to: die.first + die.faces.length - 1 })}
      </p>
    `;
  }
  return html`
    <dl class="origin-runs cluster gap-4 lines-1" aria-label=${say("pool.faces")}>
      ${runs.map(({ from, to, bag }) =>
        html`
          <div class="inline gap-2" key=${from}>
            <dt class="count quiet">${from === to ? from : say("pool.run", { from, to })}</dt>
            <dd>
              <${Bag} bag=${bag} most=${0} />
            </dd>
          </div>
        `
      )}
    </dl>
  `;
}

/** Whether a change of the pool gave dice of this kind, or took some. */
function changes(mod, name) {
  const to = the(game).notation.upgrades;
  return mod.die === name || (mod.kind === "upgrade" && to[mod.die] === name) ||
    (mod.kind === "downgrade" && to[name] === mod.die);
}

function modText(mod) {
  return `${modLabel(mod)}: ${mod.why}.`;
}

function modLabel(mod) {
  return oneOf("mod", mod.kind, {
    n: mod.n,
    die: lookOf(mod.die).word,
    dice: counted(mod.n, mod.die),
  });
}

/** The changes of the pool, the latest last; only the last few until the reader opens the rest. */
function Mods({ mods, asked }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll || asked ? mods : mods.slice(-LAST_MODS);
  if (!mods.length) return null;
  return html`
    <ul class="mods stack gap-1 small">
      ${mods.length > shown.length &&
        html`
          <li>
            <button type="button" class="mods-more small target" onClick=${() => setShowsAll(true)}>
              ${say("mod.all", { n: mods.length })}
            </button>
          </li>
        `}
      ${shown.map((mod) =>
        html`<${ModLine} key=${mods.indexOf(mod)} mod=${mod} lit=${changes(mod, asked)} />`
      )}
    </ul>
  `;
}

function ModLine({ mod, lit }) {
  const giver = the(table).seats[mod.by]?.name ??
    people.value.find((one) => one.id === mod.by)?.name ?? "";
  const sign =
    { add: "plus", upgrade: "chevron", downgrade: "chevron", remove: "minus" }[mod.kind] ?? "info";
  return html`
    <li class="mod gap-2" data-kind=${mod.kind} data-lit=${String(lit)}>
      <${Glyph} name=${sign} size="16" />
      <span>
        <strong>${modLabel(mod)}</strong>
        ${" "}
        <span class="quiet">
          ${mod.why}
          ${giver && !mod.why.includes(giver) && ` ${say("mod.by", { who: giver })}`}
        </span>
      </span>
    </li>
  `;
}
