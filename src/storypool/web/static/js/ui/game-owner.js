/** Whose the game of a table is. */

import { oneOf } from "../state/words.js";

/**
 * The sentence that says whose the game is, or nothing for a game of this server.
 *
 * @param {Wire.GameShown} game
 */
export const whose = (game) => game.own ? oneOf("rules.whose", game.own, { game: game.name }) : "";
