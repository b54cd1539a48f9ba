/** Hints for a first visit, each shown once, and the keys of the page. */

import { html, signal, useEffect, useLayoutEffect } from "../../vendor/preact.js";
import { keep, kept } from "../state/browser-storage.js";
import { openHelp } from "./how-this-works.js";
import { check } from "../state/store.js";
import { oneOf, say } from "../state/words.js";

/** The hints in the order in which they come, one at a time. */
const ORDER = ["dock", "pool", "points"];
/** What a hint is about: a player who uses it needs no hint any more. */
const ABOUT = { dock: ".dock button:not(.hint *)", pool: ".pool .die", points: ".trays button" };
const dismissed = signal(kept("hints", []));
/** Whether one has gone since the last action began. */
const had = signal(false);

function put(name) {
  if (dismissed.value.includes(name)) return;
  dismissed.value = [...dismissed.value, name];
  had.value = true;
  keep("hints", dismissed.value);
}

/**
 * The first hint that was not seen, above the next step: there it pushes nothing down. `about` has
 * what there is to speak of. It is put away, or goes when what it is about is used; the next one
 * comes with the next action.
 */
export function Hint({ about }) {
  const next = ORDER.find((one) => !dismissed.value.includes(one));
  const name = next && about[next] && !had.value ? next : "";
  const action = check.value?.id;
  useEffect(() => {
    had.value = false;
  }, [action]);
  useEffect(() => {
    if (!next) return undefined;
    const used = (event) => event.target.closest?.(ABOUT[next]) && put(next);
    addEventListener("click", used);
    return () => removeEventListener("click", used);
  }, [next]);
  if (!name) return null;
  return html`
    <p class="hint card row quiet small" data-hint=${name}>
      <span class="grow">${oneOf("hint", name)}</span>
      <button type="button" class="button small" data-kind="plain" onClick=${() => put(name)}>
        ${say("hint.done")}
      </button>
    </p>
  `;
}

/** The keys: what each does. */
const KEYS = ["next", "play", "log", "people", "table", "help"];

/**
 * Answer the keys of the page: `does` has a function for each of them, which a text field never
 * hears.
 */
export function useKeys(does) {
  // From the first picture on: a key may be pressed at once.
  useLayoutEffect(() => {
    function pressed(event) {
      if (
        event.ctrlKey || event.metaKey || event.altKey ||
        event.target.closest?.("input, textarea, select, dialog[open]")
      ) return;
      const name = KEYS.find((one) => oneOf("key", one) === event.key);
      if (!name) return;
      event.preventDefault();
      if (name === "help") openHelp(does.view(), html`<${Keys} />`);
      else does[name]?.();
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function Keys() {
  return html`
    <section class="stack gap-3">
      <h3 class="label">${say("keys.title")}</h3>
      <dl class="keys stack gap-2">
        ${KEYS.map((name) =>
          html`
            <div key=${name}>
              <dt><kbd>${oneOf("key", name)}</kbd></dt>
              <dd>${oneOf("keys", name)}</dd>
            </div>
          `
        )}
        <div>
          <dt><kbd>${oneOf("key", "close")}</kbd></dt>
          <dd>${say("keys.close")}</dd>
        </div>
      </dl>
    </section>
  `;
}
