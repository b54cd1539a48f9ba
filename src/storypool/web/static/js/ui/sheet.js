/** Sheets: dialogs that come from below on a phone and from the side on a large screen. */

import {
  computed,
  effect,
  html,
  signal,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
} from "../../vendor/preact.js";
import { IconButton } from "./parts.js";
import { overlay } from "../state/route.js";
import { say } from "../state/words.js";

/**
 * @typedef {{
 *   key: number,
 *   title: string,
 *   content: (close: () => void) => Drawn,
 *   kind: string,
 *   gone: () => void,
 * }} Sheet
 */

/** @import { Drawn } from "../../vendor/preact.js" */

/** The sheets that are open, the topmost last. */
const open = signal(/** @type {Sheet[]} */ ([]));
let opened = 0;

/** How many sheets cover the page. */
export const covering = computed(() => open.value.length);

// The browser's Back closes the topmost sheet.
effect(() => {
  overlay(open.value.length, (left) => {
    open.value = open.value.slice(0, left);
  });
});

/**
 * Open a sheet; `content` is given `close`, and `gone` is called when it has closed, in whichever
 * way.
 */
export function openSheet(title, content, { kind = "sheet", gone = () => {} } = {}) {
  opened += 1;
  open.value = [...open.value, { key: opened, title, content, kind, gone }];
}

/** Close every sheet, or those of a kind. */
export function closeSheets(kind = "") {
  open.value = open.peek().filter((one) => kind && one.kind !== kind);
}

/** The container of the open sheets. */
export function Sheets() {
  return open.value.map((one) =>
    html`<${Sheet} key=${one.key} ...${one} close=${() => shut(one.key)} />`
  );
}

function shut(key) {
  open.value = open.value.filter((one) => one.key !== key);
}

function Sheet({ title, content, kind, gone, close }) {
  const dialog = useRef(null);
  const head = useRef(null);
  const id = useId();
  const start = useRef(/** @type {HTMLElement} */ (document.activeElement));
  // As it is put into the page: before its contents are measured, and before a second press can
  // reach what it covers.
  const show = useCallback((own) => {
    dialog.current = own;
    own?.showModal();
  }, []);
  // In the same step as it is shown: later it could take the focus from what was reached meanwhile.
  useLayoutEffect(() => {
    const before = start.current;
    const own = dialog.current;
    head.current.focus();
    return () => {
      // What closed it may have sent the reader somewhere else, such as to a line of the log. It
      // was in sight when it opened this, and a bar that stays in place would scroll the page with
      // it.
      const now = document.activeElement;
      if (before?.isConnected && (now === document.body || own.contains(now))) {
        before.focus({ preventScroll: true });
      }
      gone();
    };
  }, []);
  // A tap beside the sheet lands on the dialog itself.
  const closeBeside = (event) =>
    event.target === dialog.current && outside(event, dialog.current) && close();
  return html`
    <dialog
      class=${kind}
      ref=${show}
      aria-labelledby=${id}
      onClose=${close}
      onPointerDown=${closeBeside}
    >
      <header class="sheet-head row">
        <h2 id=${id} ref=${head} tabindex="-1">${title}</h2>
        <span class="push"></span>
        <${IconButton} glyph="cross" label=${say("close")} onTap=${close} />
      </header>
      ${content(close)}
    </dialog>
  `;
}

function outside({ clientX, clientY }, element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** Ask for confirmation before something that cannot be undone; returns true or false. */
export function confirmed(title, text, verb) {
  return new Promise((answer) => {
    const refuse = () => answer(false);
    openSheet(title, (close) => {
      const choose = (yes) => {
        close();
        answer(yes);
      };
      return html`
        <p>${text}</p>
        <div class="float-actions cluster">
          <button type="button" class="button" onClick=${() => choose(false)}>
            ${say("cancel")}
          </button>
          <button type="button" class="button" data-tone="refusal" onClick=${() => choose(true)}>
            ${verb}
          </button>
        </div>
      `;
    }, { kind: "dialog", gone: refuse });
  });
}
