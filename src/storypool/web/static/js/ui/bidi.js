/** Words that run from right to left, inside of a sentence that does not. */

import { html } from "../../vendor/preact.js";

const RIGHT_TO_LEFT =
  /([\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{M}]+(?:[\s\p{P}]+[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{M}]+)*)/u;

/**
 * A sentence with each run of such words apart, so that the numbers and points beside it stay where
 * they belong.
 */
export function isolated(text) {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  return text.split(RIGHT_TO_LEFT).map((part, i) => i % 2 ? html`<bdi>${part}</bdi>` : part);
}
