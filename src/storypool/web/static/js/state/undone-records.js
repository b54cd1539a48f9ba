/** What was taken back: which records of the log a rewind has undone. */

import { computed } from "../../vendor/preact.js";
import { first, older } from "./earlier-records.js";
import { records } from "./store.js";

/**
 * The numbers of the records that a rewind took back and no later one restored: among those that
 * are here, and those found.
 */
export const undone = computed(() =>
  takenBack([...older.value.records.filter(({ seq }) => seq < first.value), ...records.value])
);

function takenBack(log) {
  let gone = new Set();
  const before = [];
  for (const { seq, event } of log) {
    if (event?.type !== "table.rewound") continue;
    before.push([seq, gone]);
    // As after record `to`: what was taken back then, and every record since.
    const then = before.find(([number]) => number > event.to)?.[1] ?? gone;
    gone = new Set([...then].filter((number) => number <= event.to));
    for (let number = event.to + 1; number < seq; number += 1) gone.add(number);
  }
  return gone;
}
