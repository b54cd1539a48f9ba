/** Whether a seat rolls real dice this evening: what it did last is kept in this browser. */

import { computed, signal } from "../../vendor/preact.js";
import { keep, kept } from "./browser-storage.js";
import { here, table, the } from "./store.js";

const KEY = "realDice";
/** The session in which a seat at a table last rolled real dice, by both. */
const sessions = signal(kept(KEY, {}));
const seat = () => `${the(here).id}/${the(here).seat}`;
const now = () => the(table).periods.session ?? 0;

/** Whether this seat last rolled real dice in this session. */
export const rollsRealDice = computed(() => sessions.value[seat()] === now());

/** Remember whether this seat rolled real dice, or had them rolled here. */
export function keepRealDice(isReal) {
  if (isReal === rollsRealDice.value) return;
  sessions.value = { ...sessions.value, [seat()]: isReal ? now() : undefined };
  keep(KEY, sessions.value);
}
