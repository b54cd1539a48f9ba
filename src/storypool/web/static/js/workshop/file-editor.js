/**
 * The text of a game file with line numbers, its mistakes marked at their lines, and the list of
 * them.
 */

import { html, useEffect, useRef } from "../../vendor/preact.js";
import { CaretHelp, useCompletion } from "./caret-help.js";
import { Glyph } from "../ui/parts.js";
import { say } from "../state/words.js";

/** @import { Ref } from "../../vendor/preact.js" */

/** The room at the end of a line for the cursor and for letters that are wider than most. */
const SPARE = 4;

/**
 * The editor: a text area as large as its text, in a box that scrolls, so that its line numbers and
 * marks scroll with it. `mistakes` are { line, text }, in the order of their lines.
 */
export function FileEditor({ text, set, mistakes, id }) {
  const box = useRef(null);
  /** @type {Ref<HTMLTextAreaElement>} */
  const area = useRef(null);
  const help = useCompletion(area, text, `${id}-caret`);
  const lines = text.split("\n");
  const columns = Math.max(...lines.map(widthOf)) + SPARE;
  const marked = [...new Set(mistakes.map(({ line }) => line))];
  const heightOfLine = () => parseFloat(getComputedStyle(area.current).lineHeight);
  function go(line) {
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.current.focus({ preventScroll: true });
    area.current.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    const top = heightOfLine() * (line - 1) - box.current.clientHeight / 3;
    box.current.scrollTo({ top, left: 0 });
  }
  // Help below makes the box smaller, and the line of the caret stays in it.
  useEffect(() => {
    if (!help.answer) return;
    const line = text.slice(0, area.current.selectionStart).split("\n").length;
    const [top, high] = [heightOfLine() * line, box.current.clientHeight];
    if (top < box.current.scrollTop || top + heightOfLine() > box.current.scrollTop + high) {
      box.current.scrollTo({ top: top - high / 2 });
    }
  }, [help.answer]);
  return html`
    <div class="file-box wide" ref=${box}>
      <div class="file-page">
        <div class="file-numbers notation quiet whole" aria-hidden="true">
          ${lines.map((_, i) => `${i + 1}\n`).join("")}
        </div>
        <div class="file-lines">
          ${marked.map((line) =>
            html`
              <span
                class="file-mark"
                data-line=${line}
                key=${line}
                style=${{ "--line": line }}
                aria-hidden="true"
              ></span>
            `
          )}
          <textarea
            class="file-text notation"
            id=${id}
            ref=${area}
            rows=${lines.length}
            cols=${columns}
            value=${text}
            onInput=${(e) => set(e.target.value)}
            wrap="off"
            aria-label=${say("workshop.text")}
            aria-invalid=${mistakes.length ? "true" : undefined}
            aria-describedby="${id}-mistakes"
            aria-autocomplete="list"
            aria-controls=${help.listId}
            aria-activedescendant=${help.activeId}
            onKeyDown=${help.onKeyDown}
            onFocus=${help.onFocus}
            onBlur=${help.close}
            spellcheck=${false}
            autocomplete="off"
            autocapitalize="off"
          ></textarea>
        </div>
      </div>
    </div>
    <${CaretHelp} help=${help} />
    <div id="${id}-mistakes" role="status">
      ${mistakes.length > 0 && html`<${Mistakes} mistakes=${mistakes} go=${go} />`}
    </div>
  `;
}

/** The list of mistakes, each a way to its line. */
function Mistakes({ mistakes, go }) {
  return html`
    <h2 class="label">${say("workshop.mistakes", { n: mistakes.length })}</h2>
    <ol class="mistakes stack gap-1">
      ${mistakes.map(({ line, text }, i) =>
        html`
          <li key=${i}>
            <button
              type="button"
              class="mistake because small full target gap-2"
              onClick=${() => go(line)}
            >
              <${Glyph} name="info" />
              <span>
                <span class="strong count">${say("workshop.line", { line })}</span> ${text}
              </span>
            </button>
          </li>
        `
      )}
    </ol>
  `;
}

/** How many columns a line takes, with tabs as wide as a browser makes them at most. */
const widthOf = (line) => line.length + 7 * (line.match(/\t/g)?.length ?? 0);
