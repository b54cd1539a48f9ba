/**
 * What became of our own proposals: a no is read where the asker is, and nothing says any more
 * whose answer is waited for.
 */

import { effect } from "../../vendor/preact.js";
import { notice, notices } from "../state/announcements.js";
import { eventOf } from "../state/record-events.js";
import { firstSeq, me, records } from "../state/store.js";

let last = 0;

effect(() => {
  const log = records.value;
  const mine = me.peek()?.id;
  for (const { seq, event, text } of log) {
    if (
      seq <= Math.max(last, firstSeq.peek()) || event?.type !== "proposal.settled" ||
      event.by === mine
    ) continue;
    const made = log.findLast((one) => eventOf(one, "proposal.made")?.proposal.id === event.id);
    if (eventOf(made, "proposal.made")?.proposal.seat !== mine) continue;
    notices.value = notices.value.filter((one) => one.about !== "asked");
    if (!event.accepted && text) notice(text, "refusal");
  }
  last = log.at(-1)?.seq ?? 0;
});
