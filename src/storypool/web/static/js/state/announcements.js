/**
 * What the page says by itself: notices, sentences for screen readers, and what there is to know
 * about the server.
 */

import { signal } from "../../vendor/preact.js";
import { newToken, troubleIn } from "./wire.js";

/** A sentence for screen readers, and notices. */
export const spoken = signal("");
export const notices = signal(
  /** @type {{ text: string, tone: string, about: string, id: string }[]} */ ([]),
);
/** What there is to know about the server, in sentences that stay as long as they hold. */
export const standing = signal(/** @type {string[]} */ ([]));

/**
 * Show a notice in place of the one before; it disappears by itself. One about what is `asked` goes
 * with the answer.
 */
export function notice(text, tone = "", about = "") {
  const one = { text, tone, about, id: newToken() };
  notices.value = [one];
  spoken.value = text;
  setTimeout(() => dismiss(one.id), tone ? 9000 : 5000);
}

/** Remove a notice. */
export function dismiss(id) {
  notices.value = notices.value.filter((one) => one.id !== id);
}

/** Do something that may fail, and show the error. Returns its result, or null. */
export async function tried(work) {
  try {
    return await work();
  } catch (error) {
    const { text, remedy } = troubleIn(error).refusal;
    notice([text, remedy].filter(Boolean).join(" "), "refusal");
    return null;
  }
}
