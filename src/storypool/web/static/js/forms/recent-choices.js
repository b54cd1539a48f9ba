/**
 * What was chosen last from a long list, such as a skill: it stands on top the next time, for this
 * seat at this table.
 */

import { keep, kept } from "../state/browser-storage.js";
import { here } from "../state/store.js";

const place = () => `used.${here.value?.id}.${here.value?.seat}`;

/** The choices of a long list, those that were used last on top. */
export function lastFirst(ask) {
  const last = kept(place(), {})[ask.name];
  const used = ask.choices.filter((choice) => choice.value === last);
  return [...used, ...ask.choices.filter((choice) => !used.includes(choice))];
}

/** Remember what was answered to questions with long lists. */
export function keepUsed(asks, sent) {
  const chosen = asks.filter((ask) =>
    ask.kind === "choice" && ask.choices.length > FEW && ask.name in sent
  );
  if (chosen.length) {
    keep(place(), {
      ...kept(place(), {}),
      ...Object.fromEntries(chosen.map((ask) => [ask.name, sent[ask.name]])),
    });
  }
}

/** The most choices that are shown as buttons; more are a list with a search. */
export const FEW = 8;
