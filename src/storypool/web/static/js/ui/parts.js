/** The small parts of every screen: glyphs, dice, points, buttons, refusals. */

import { h, html, useId, useRef, useState } from "../../vendor/preact.js";
import { isolated } from "./bidi.js";
import { frame, glyphs, outlines } from "./glyphs.js";
import { useOpened } from "./in-view.js";
import { faces } from "../state/faces.js";
import { counted, drawingOf, inOrder, lookOf } from "../state/looks.js";
import { initial, say } from "../state/words.js";

/** @import { Drawn } from "../../vendor/preact.js" */

/** A drawing of the project. With a `label` it is read by screen readers, else it is decoration. */
export function Glyph({ name, size, label, extra = "" }) {
  const shapes = glyphs[name] ?? drawingOf(name) ?? glyphs.info;
  const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h("svg", {
    ...frame,
    ...spoken,
    class: `glyph ${extra}`,
    style: size && { "--glyph": `${size}px` },
  }, drawn(shapes));
}

function drawn(shapes) {
  return shapes.map(([tag, attributes]) => h(tag, attributes));
}

/** The outline of a die, with its pattern. */
export function Outline({ look }) {
  return h("svg", { ...frame, "aria-hidden": "true" }, drawn(shapesOf(look)));
}

/** The shapes of a die: the game's own drawing, or an outline with a pattern. */
export function shapesOf({ drawing, outline, pattern }) {
  const patterns = outlines[outline] ?? outlines.d6;
  return drawing?.length ? drawing : patterns[pattern] ?? patterns.plain;
}

/** A symbol by its glyph, or by its word if the game has no drawing for it. */
export function Sign({ name, label }) {
  const look = lookOf(name);
  return look.glyph
    ? html`<${Glyph} name=${look.glyph} label=${label} />`
    : html`<span>${look.word}</span>`;
}

/**
 * The face of a rolled die: its symbols with its letter in small, or its number with what it means,
 * drawn below.
 */
export function Face({ look, symbols, number }) {
  if (number) {
    return html`
      <span class="face numbered" data-n=${symbols.length}>
        <span class="count">${number}</span>
        <span class="face-signs">
          ${symbols.filter((name) => look.marks.length || lookOf(name).glyph).map((name) =>
            html`<${Sign} name=${name} />`
          )}
        </span>
      </span>
    `;
  }
  return html`
    <span class="face" data-n=${symbols.length}>
      ${symbols.map((name) => html`<${Sign} name=${name} />`)}
      <span class="face-letter">${look.letter}</span>
    </span>
  `;
}

/** One die as a picture: its letter before the roll, its symbols after it. */
export function Die({ name, symbols, number, size, of }) {
  const look = lookOf(name, of);
  return html`
    <span class="die" data-colour=${look.colour} data-outline=${look.outline} data-size=${size}>
      <${Outline} look=${look} />
      ${symbols || number
        ? html`<${Face} look=${look} symbols=${symbols ?? []} number=${number} />`
        : html`<span class="die-letter">${look.letter}</span>`}
    </span>
  `;
}

/** A few small dice, with words for screen readers. */
export function SmallPool({ pool, label }) {
  const dice = [...new Set(inOrder(pool))].map((name) => [name, pool[name]]);
  const words = dice.map(([name, n]) => counted(n, name)).join(", ");
  return html`
    <span
      class="small-pool inline gap-0 wrap"
      role="img"
      aria-label=${label ? `${label}: ${words}` : words}
    >
      ${dice.map(([name, n]) => repeated(name, n))}
    </span>
  `;
}

function repeated(name, n) {
  const shown = n > 6 ? 1 : n;
  return html`
    ${Array.from({ length: shown }, () => html`<${Die} name=${name} size="small" />`)}
    ${n > 6 && html`<span class="count" aria-hidden="true">×${n}</span>`}
  `;
}

/**
 * A price or a count of symbols: a glyph for each, and of more than `most` one with the number and
 * the word.
 */
export function Bag({ bag, most = 3 }) {
  const entries = Object.entries(bag ?? {}).filter(([, n]) => n);
  return entries.map(([name, n]) => {
    const look = lookOf(name.split(".").at(-1));
    const label = counted(n, name.split(".").at(-1));
    if (!look.glyph) return html`<span>${label}</span>`;
    return html`
      <span class="price inline" role="img" aria-label=${label}>
        ${n > most
          ? html`<${Glyph} name=${look.glyph} /> <span class="count small">${label}</span>`
          : Array.from({ length: n }, () => html`<${Glyph} name=${look.glyph} />`)}
      </span>
    `;
  });
}

/**
 * How much of a track is full: a row of boxes, or a clock with a segment for each step. `isOn` says
 * of each box whether it is full, where that is not the first ones.
 */
export function Filled({ n, most, drawn, label, isOn = (i) => i < n }) {
  const part = { "--part": Math.min(1, n / Math.max(1, most)).toFixed(3), "--steps": most };
  return html`
    <span class="filled wrap" data-drawn=${drawn} role="img" aria-label=${label}
      style=${part}>
      ${drawn === "boxes" &&
        Array.from(
          { length: most },
          (_, i) => html`<span key=${i} data-on=${String(isOn(i))}></span>`,
        )}
    </span>
  `;
}

/**
 * A hook for an action that a second tap cannot start while it is under way: [is under way, the
 * handler].
 *
 * @param {(event?: Event) => unknown} work
 * @returns {[boolean, (event?: Event) => Promise<void>]}
 */
export function useOnce(work) {
  const [waiting, setWaiting] = useState(false);
  const isUnderWay = useRef(false);
  async function tap(event) {
    // The second submit must be stopped too: it would reload the page and lose the pending request.
    if (event?.type === "submit") event.preventDefault();
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setWaiting(true);
    try {
      await work(event);
    } finally {
      isUnderWay.current = false;
      setWaiting(false);
    }
  }
  return [waiting, tap];
}

/** A button that cannot be pressed twice: it is busy until `onTap` is done. */
export function Button({ kind, tone, busy, disabled, onTap, children, ...more }) {
  const [waiting, tap] = useOnce(onTap);
  return html`
    <button
      type="button"
      class="button"
      data-kind=${kind}
      data-tone=${tone}
      aria-disabled=${disabled ? "true" : undefined}
      aria-busy=${waiting || busy ? "true" : undefined}
      onClick=${(event) => disabled || tap(event)}
      ...${more}
    >
      ${children}
    </button>
  `;
}

/**
 * A button that is only a glyph, and a word below it where there is room; its label says what it
 * does.
 */
export function IconButton({ glyph, label, word, onTap, ...more }) {
  return html`
    <button
      type="button"
      class="button"
      data-kind="icon"
      aria-label=${label}
      title=${label}
      onClick=${onTap}
      ...${more}
    >
      <${Glyph} name=${glyph} size="24" />
      ${word && html`<span class="icon-word fine">${word}</span>`}
    </button>
  `;
}

/** A refusal: the reason, what would make it possible, and the rule. */
export function Because({ refusal, children, id }) {
  return html`
    <div class="because small gap-2" id=${id}>
      <${Glyph} name="info" />
      <div class="stack gap-1">
        <p>
          ${isolated(refusal.text)}
          ${refusal.remedy && html`${" "}<span class="quiet">${refusal.remedy}</span>`}
        </p>
        ${refusal.rule &&
          html`<p class="fine quiet">${say("because.rule", { rule: refusal.rule })}</p>`}
        ${children}
      </div>
    </div>
  `;
}

/** A refusal that has just come, which screen readers hear; nothing while there is none. */
export function Alert({ refusal }) {
  return refusal && html`
    <div role="alert">
      <${Because} refusal=${refusal} />
    </div>
  `;
}

/**
 * A question: its label, whether it may stay open without an answer (which a `plain` one leaves
 * out), and whether an answer is only a suggestion.
 */
export function Asked({ ask }) {
  return html`
    ${ask.label}
    ${!ask.needed && !ask.plain && (ask.default ?? ask.preset ?? null) === null &&
      html`${" "}<span class="fine">${say("ask.optional")}</span>`}
    ${ask.suggests && html`${" "}<${Tag} />`}
  `;
}

/** Says that an answer is only a suggestion. */
export function Tag() {
  return html`<span class="tag">${say("ask.suggests")}</span>`;
}

/** The sign of a choice that is closed now, with the reason for screen readers. */
export function Shut({ why }) {
  return html`
    <${Glyph} name="lock" size="16" extra="shut" />
    <span class="visually-hidden">${why}</span>
  `;
}

/**
 * Choices of which some are closed: [the reason of the one that was tapped, what the input of a
 * choice gets].
 *
 * @param {Wire.Choice[]} choices
 * @param {(value: string) => void} set
 * @returns {[Drawn, (choice: Wire.Choice) => object]}
 */
export function useClosed(choices, set) {
  const [explained, setExplained] = useState(null);
  const closedChoice = choices.find((choice) => choice.closed && choice.value === explained);
  const place = useOpened(closedChoice?.value);
  const radio = (choice) => ({
    // A disabled one could neither be reached nor tapped, so nobody could ask for its reason.
    "aria-disabled": choice.closed ? "true" : undefined,
    onClick: (event) => {
      if (!choice.closed) return;
      event.preventDefault();
      setExplained(choice.value);
    },
    onChange: () => {
      if (choice.closed) return;
      setExplained(null);
      set(choice.value);
    },
  });
  return [
    html`
      <p class="fine why" role="status" ref=${place}>
        ${closedChoice &&
          say("ask.closed", {
            label: closedChoice.label,
            why: `${closedChoice.closed} ${closedChoice.remedy}`.trim(),
          })}
      </p>
    `,
    radio,
  ];
}

/** A section that opens and closes under its headline. */
export function Fold({ title, open = false, children, level = 3 }) {
  const [opened, setOpened] = useState(open);
  const place = useOpened(opened);
  const id = useId();
  return html`
    <section class="fold" ref=${place}>
      ${h(
        `h${level}`,
        { class: "fold-title" },
        html`
          <button
            type="button"
            class="row full quiet small strong target"
            aria-expanded=${String(opened)}
            aria-controls=${id}
            onClick=${() => setOpened(!opened)}
          >
            <${Glyph} name="chevron" size="16" />
            <span>${title}</span>
          </button>
        `,
      )}
      <div id=${id} hidden=${!opened}>${opened && children}</div>
    </section>
  `;
}

/** A screen that is still on its way, and a word about it. */
export function Coming({ children }) {
  return html`
    <main class="screen coming stack gap-5 centre" aria-busy="true">
      <span class="calm-moon"><${Glyph} name="storypool" size="64" /></span>
      ${children}
    </main>
  `;
}

/** The portrait of someone by this name, or else what stands for it. */
export const Portrait = ({ name, children }) =>
  faces.value[name] ? html`<img class="likeness" src=${faces.value[name]} alt="" />` : children;

/** A person as a small disc with their portrait or their first letter. */
export function Person({ name, side, there = true, size }) {
  return html`
    <span
      class="person"
      data-side=${side}
      data-there=${String(there)}
      data-size=${size}
      aria-hidden="true"
    >
      <${Portrait} name=${name}>
        ${side === "gm" ? html`<${Glyph} name="gm" size=${size && 15} />` : initial(name)}
      <//>
    </span>
  `;
}
