/**
 * Help at the caret of a game file: what the key there means, and what can stand there, which a tap
 * or the keyboard writes.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { call } from "../state/wire.js";
import { say } from "../state/words.js";

/** @import { Ref } from "../../vendor/preact.js" */

/** The server is asked when the caret has stood still for so many milliseconds. */
const PAUSE = 150;

/**
 * What the server knows of the caret in a text area, and the ways to choose from it. No option is
 * active before the author goes to the list, so every key keeps its meaning in the text until then.
 *
 * @param {Ref<HTMLTextAreaElement>} area
 * @param {string} text
 * @param {string} id
 */
export function useCompletion(area, text, id) {
  const [answer, setAnswer] = useState(/** @type {Wire.CompletionShown | null} */ (null));
  const [active, setActive] = useState(-1);
  const [focused, setFocused] = useState(0);
  const asked = useRef("");
  useEffect(() => {
    const stop = new AbortController();
    let timer = null;
    async function ask() {
      const place = area.current?.selectionStart ?? 0;
      const parts = { before: text.slice(0, place), after: text.slice(place) };
      asked.current = parts.before;
      try {
        const found = await call("POST", "/api/workshop/completion", parts, {
          signal: stop.signal,
        });
        if (document.activeElement === area.current) setAnswer(found);
        setActive(-1);
      } catch {
        // Help that does not come is no trouble: the text is read all the same.
        if (!stop.signal.aborted) setAnswer(null);
      }
    }
    function later() {
      if (document.activeElement !== area.current) return;
      clearTimeout(timer);
      timer = setTimeout(ask, PAUSE);
    }
    function moved() {
      const place = area.current?.selectionStart ?? 0;
      if (text.slice(0, place) !== asked.current) later();
    }
    later();
    document.addEventListener("selectionchange", moved);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener("selectionchange", moved);
    };
  }, [text, focused]);
  const known = answer?.known ?? [];
  function write(one) {
    const { current: field } = area;
    field.focus({ preventScroll: true });
    const place = field.selectionStart;
    if (field.value.slice(0, place) !== asked.current) return;
    field.setSelectionRange(place - (answer?.replaced ?? 0), place);
    // A change of the field's value would forget what the browser can undo.
    document.execCommand("insertText", false, one.written);
    const open = /\.\]+$/.exec(one.written)?.[0].length ?? 0;
    if (open) {
      field.setSelectionRange(field.selectionStart - open + 1, field.selectionStart - open + 1);
    }
  }
  function onKeyDown(event) {
    if (event.isComposing || event.keyCode === 229 || !known.length) return;
    const opens = (event.key === " " && event.ctrlKey) ||
      (event.key === "ArrowDown" && event.altKey);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (active < 0 && opens) setActive(0);
    else if (active < 0) return;
    else if (by) setActive((active + by + known.length) % known.length);
    else if (event.key === "Enter" || event.key === "Tab") write(known[active]);
    else if (event.key === "Escape") setActive(-1);
    else return setActive(-1);
    event.preventDefault();
    event.stopPropagation();
  }
  return {
    id,
    answer,
    known,
    active,
    write,
    onKeyDown,
    onFocus: () => setFocused(focused + 1),
    close: () => (setAnswer(null), setActive(-1)),
    listId: known.length ? `${id}-list` : undefined,
    activeId: active < 0 ? undefined : `${id}-${active}`,
  };
}

/** The meaning of the key, and the list of what can stand here. */
export function CaretHelp({ help }) {
  const { id, answer, known, active, write } = help;
  /** @type {Ref<HTMLElement>} */
  const list = useRef(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  if (!answer || (!answer.key && !known.length)) return null;
  const { key } = answer;
  // A tap keeps the caret where it is.
  const hold = (event) => event.preventDefault();
  return html`
    <div class="caret-help stack gap-1" onPointerDown=${hold} onMouseDown=${hold}>
      ${key && html`
        <p class="small">
          <code class="strong">${key.name}</code> ${coded(key.about)}.${" "}
          <span class="quiet">
            ${say("workshop.caret.example")} <code>${exampleOf(key)}</code>
          </span>
        </p>
      `}
      ${known.length > 0 && html`
        <ul
          class="caret-list"
          id="${id}-list"
          role="listbox"
          tabindex="0"
          ref=${list}
          aria-label=${say("workshop.caret.list")}
        >
          ${known.map((one, i) =>
            html`
              <li
                class="caret-option"
                id="${id}-${i}"
                key=${one.name}
                role="option"
                aria-selected=${i === active ? "true" : "false"}
                onClick=${() => write(one)}
              >
                <code class="strong">${one.name}</code>
                <span class="fine quiet">${coded(one.about)}</span>
              </li>
            `
          )}
        </ul>
        <p class="caret-keys fine quiet">${say("workshop.caret.keys")}</p>
      `}
    </div>
  `;
}

/** A key with its example, as it is written; a table is written as its header. */
const exampleOf = ({ name, example }) =>
  example.startsWith("[") && !example.includes("{") && !example.includes('"') &&
    /^\[+[a-z]/.test(example)
    ? example
    : `${name} = ${example}`;

/** A text with what is between backticks as code. */
const coded = (text) =>
  text.split("`").map((part, i) => i % 2 ? html`<code key=${i}>${part}</code>` : part);
