/**
 * What has just happened: one notice at a time. At a table it is above the next step, so that it
 * covers nothing it speaks of.
 */

import { html, signal, useEffect, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { Glyph } from "../ui/parts.js";
import { covering } from "../ui/sheet.js";
import { dismiss, notice, notices, spoken } from "../state/announcements.js";
import { refused } from "../state/store.js";
import "./answer-notice.js";
import { TakeBack, takenBack } from "./undo-notice.js";
import { say } from "../state/words.js";

/** After so many milliseconds a refusal can be read where its move is, if anywhere. */
const SOON = 60;
/** Whether a table has a place for notices. */
const placed = signal(false);

/** The place of a table for notices, unless a sheet covers it. */
export function NoticePlace() {
  useLayoutEffect(() => {
    placed.value = true;
    return () => {
      placed.value = false;
    };
  }, []);
  return covering.value ? null : html`<${Latest} />`;
}

/** Notices of other screens and above sheets, and the live region for screen readers. */
export function Notices() {
  useUnread();
  return html`
    ${(covering.value > 0 || !placed.value) && html`<${Floating} key=${covering.value} />`}
    <p class="visually-hidden" aria-live="polite" id="spoken">${spoken.value}</p>
  `;
}

/**
 * A refusal that can be read nowhere, as the place for it is covered or in another view, comes as a
 * notice.
 */
function useUnread() {
  const now = refused.value;
  useEffect(() => {
    if (!now) return undefined;
    const timer = setTimeout(() => {
      const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
      const read = [...top.querySelectorAll(".because, .field-error")].some((one) =>
        one.checkVisibility()
      );
      if (!read) {
        notice([now.refusal.text, now.refusal.remedy].filter(Boolean).join(" "), "refusal");
      }
    }, SOON);
    return () => clearTimeout(timer);
  }, [now]);
}

function Floating() {
  const place = useRef(null);
  // Above the sheet, which has opened before.
  useEffect(() => place.current.showPopover?.(), []);
  return html`
    <section class="toasts" ref=${place} popover="manual" aria-label=${say("notices")}>
      <${Latest} />
    </section>
  `;
}

/** The notice that is read now: a refusal, then what was thrown away, then any other. */
function Latest() {
  const [one] = notices.value;
  if (takenBack.value && one?.tone !== "refusal") return html`<${TakeBack} />`;
  return one && html`
    <div class="toast row gap-3 card" key=${one.id} data-tone=${one.tone || undefined}>
      <${Glyph} name=${one.tone === "refusal" ? "info" : "check"} />
      <p class="grow">${one.text}</p>
      ${!covering.value && html`
        <button
          type="button"
          class="button"
          data-kind="icon"
          aria-label=${say("close")}
          onClick=${() => dismiss(one.id)}
        >
          <${Glyph} name="cross" />
        </button>
      `}
    </div>
  `;
}
