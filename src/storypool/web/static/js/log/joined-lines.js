/** Lines of the log that tell one thing: a proposal with its answer and what came of it. */

import { seatName } from "../state/store.js";
import { oneOf } from "../state/words.js";

/**
 * A line: its record, whether that was undone or is hidden from others, and the number of its move.
 *
 * @typedef {{
 *   record: Wire.RecordShown,
 *   event: Wire.Event,
 *   text: string,
 *   undone: boolean,
 *   secret: boolean,
 *   move: number,
 * }} Line
 */

/** What an agreed proposal changes, and the log says of it: dice and headlines stay lines. */
const EFFECTS = new Set(["trait.set", "trait.removed", "check.changed", "points.set"]);

/**
 * The lines, with one for each proposal that has its answer, where that is.
 *
 * @param {Line[]} lines
 */
export function withJoinedProposals(lines) {
  /** @type {Line[]} */
  const found = [];
  for (let i = 0; i < lines.length; i += 1) {
    const settled = lines[i];
    const place = settled.undone
      ? -1
      : found.findLastIndex(({ event }) =>
        event.type === "proposal.made" && settled.event.type === "proposal.settled" &&
        event.proposal.id === settled.event.id
      );
    if (place < 0) {
      found.push(settled);
      continue;
    }
    const effects = [];
    while (isEffectOf(settled, lines[i + 1])) effects.push(lines[i += 1]);
    const [made] = found.splice(place, 1);
    found.push(joined(made, settled, effects));
  }
  return found;
}

/** Whether a line says what an answer has changed, and is seen by as many. */
const isEffectOf = (settled, line) =>
  line && line.move === settled.move && EFFECTS.has(line.event.type) &&
  line.secret === settled.secret && !line.undone;

/** One line: what was proposed, the answer, and what came of it, the points last. */
function joined(made, settled, effects) {
  const { accepted, by, why } = settled.event;
  const how = accepted ? "accepted" : by === made.event.proposal.seat ? "withdrawn" : "declined";
  const answer = oneOf("log.answered", how, { who: seatName(by) });
  const [points, others] = [true, false].map((are) =>
    effects.filter(({ event }) => (event.type === "points.set") === are)
  );
  const last = effects.at(-1) ?? settled;
  const texts = [made.text, answer, why, ...[...others, ...points].map(({ text }) => text)];
  return {
    ...last,
    record: { ...last.record, seat: made.record.seat },
    text: texts.filter(Boolean).join(" "),
  };
}
