/**
 * Lines of the log that tell one thing: a proposal with its answer and what came of it, and for
 * players how a scene was prepared.
 */

import { boardKinds } from "../state/game.js";
import { isGm, seatName, table, the } from "../state/store.js";
import { oneOf, say } from "../state/words.js";

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

/**
 * The lines as players read them: until the first action of a scene one line stands for the
 * people, places and things that the GM prepared.
 *
 * @param {Line[]} lines
 */
export function withoutPreparation(lines) {
  if (isGm.value) return lines;
  const places = boardKinds();
  let isPreparing = true;
  let isReported = false;
  return lines.flatMap((line) => {
    const { type } = line.event;
    if (type === "check.opened") isPreparing = false;
    if (type === "period.began" && ["session", "scene"].includes(line.event.kind)) {
      isPreparing = true;
      isReported = false;
    }
    if (!isPreparing || line.undone || !isPrepared(line.event, places)) return [line];
    if (isReported) return [];
    isReported = true;
    return [{ ...line, text: say("log.prepared") }];
  });
}

/** Whether an event brings a character of the GM's, a thing of theirs, or a place of a board. */
function isPrepared(event, places) {
  if (event.type === "character.set") return event.character.side === "gm";
  if (event.type !== "trait.set") return false;
  const { kind, about } = event.trait;
  return the(table).characters[about]?.side === "gm" || (!about && places.includes(kind));
}
