/** Words that run from right to left, inside of a sentence that does not. */

import { html } from "../../vendor/preact.js";

const SCRIPTS = ["Arabic", "Hebrew", "Syriac", "Thaana", "Nko"];
const LETTER = String.raw`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}\p{M}]`;
const RIGHT_TO_LEFT = new RegExp(String.raw`(${LETTER}+(?:[\s\p{P}]+${LETTER}+)*)`, "u");

/**
 * A sentence with each run of such words apart, so that the numbers and points beside it stay where
 * they belong.
 */
export function isolated(text) {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  return text.split(RIGHT_TO_LEFT).map((part, i) => i % 2 ? html`<bdi>${part}</bdi>` : part);
}
