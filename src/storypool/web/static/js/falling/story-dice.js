/**
 * The dice of a roll on the page of a story, thrown in space: loaded by a tap there, on a device
 * whose owner has turned that on.
 */

import { html, render, signal } from "../../vendor/preact.js";
import { game } from "../state/store.js";
import { fallOn } from "./felt.js";

const felt = signal(/** @type {any} */ (null));
/** Throws are records of a table elsewhere; here each has the next number. */
let throws = 0;

/**
 * Throw these dice in a box: { look, rolled, dice }, as the game has them. Returns whether this
 * device could, once they lie.
 */
export async function throwIn(box, { look, rolled, dice }) {
  game.value = /** @type {any} */ ({ look, dice, panels: [], notation: {}, terms: {} });
  if (!felt.value) await fallOn(felt);
  if (!felt.value) return false;
  throws += 1;
  await new Promise((done) =>
    render(
      html`
        <${felt.value}
          key=${throws}
          seq=${throws}
          falling
          rolled=${rolled}
          dice=${dice}
          settled=${() => done(true)}
        />
      `,
      box,
    )
  );
  return true;
}
