/** The kinds of lasting things that lists show, and what they show of one character. */

import { panelsOf } from "../state/game.js";
import { table, the } from "../state/store.js";

/** The traits of these kinds that have words. */
export const traits = (...kinds) =>
  Object.values(the(table).traits).filter((trait) => kinds.includes(trait.kind) && trait.text);

/** The kinds of traits that have a panel of these kinds, and are listed only here. */
export function standingKinds() {
  return [...panelsOf("track"), ...panelsOf("list")].flatMap(({ binds }) =>
    [binds.trait, binds.of, ...(binds.traits ?? [])].filter(Boolean)
  );
}

/** What a list shows at any time. */
export const shownIn = ({ binds }) =>
  traits(...binds.traits).filter((one) => !binds.passing || one.until || one.rating > 0);

/** What the lists show of one character. */
export const listedOf = (who) =>
  panelsOf("list").flatMap(shownIn).filter((one) => one.about === who);
