/** What followed from a roll, in the words of the log: what was bought, and what moves did. */

import { html } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { eventOf } from "../state/record-events.js";
import { records } from "../state/store.js";
import { undone } from "../state/undone-records.js";
import { isolated } from "../ui/bidi.js";
import { Die } from "../ui/parts.js";
import { upside } from "./result.js";

/** @typedef {[string, number, ...any[]]} Face */
/** @typedef {{ seq: number, head: string, rolled: Face[], texts: string[] }} Line */
/** @typedef {Line & { move: string, why: string, seqs: number[] }} Narrated */

/**
 * What was bought with a roll, in the words of the log: one line for each move of a menu, also
 * where a game master agreed to it.
 */
function spendLines(id) {
  const keys = panelsOf("menu").flatMap(({ binds }) => binds.moves ?? []);
  const proposed = new Set();
  const lines = /** @type {{ seq: number, first: string, texts: string[] }[]} */ ([]);
  let isSpend = false;
  for (const record of records.value) {
    if (undone.value.has(record.seq)) continue;
    const proposal = eventOf(record, "proposal.made")?.proposal;
    if (proposal) {
      if (isSpend) proposed.add(proposal.id);
      isSpend = false;
      continue;
    }
    const made = eventOf(record, "move.made");
    const settled = eventOf(record, "proposal.settled");
    if (!record.event || made || settled) {
      isSpend = made
        ? made.check === id && keys.includes(made.move)
        : Boolean(settled?.accepted) && proposed.has(settled?.id);
      if (isSpend) lines.push({ seq: record.seq, first: "", texts: [] });
    } else if (isSpend && record.text) addTo(lines[lines.length - 1], record);
  }
  return lines.filter(({ first }) => first).map(({ seq, first, texts }) => ({
    seq,
    head: "",
    rolled: [],
    texts: texts.length ? texts : [first],
  }));
}

/** Add a record to its line, unless it repeats the result or what the line has already. */
function addTo(line, record) {
  const changed = eventOf(record, "check.changed")?.check;
  const bought = record.text.slice(record.text.indexOf(": ") + 2);
  if (changed?.outcome?.words.includes(bought)) return;
  line.first ||= record.text;
  const fact = eventOf(record, "trait.set")?.trait.text;
  const isNews = changed
    ? !record.text.includes(changed.outcome?.words ?? "\n")
    : fact && !line.texts.some((one) => one.includes(fact));
  if (isNews) line.texts.push(record.text);
}

/** The moves that the game narrates below their dice, each with the dice and sentences after it. */
function narratedMoves(isMeant) {
  const narrated = panelsOf("actions").flatMap(({ binds }) => binds.narrated ?? []);
  const found = /** @type {Narrated[]} */ ([]);
  let isNarrated = false;
  for (const record of narrated.length ? records.value : []) {
    if (undone.value.has(record.seq)) continue;
    const made = eventOf(record, "move.made");
    if (!record.event || made || record.event.type.startsWith("proposal.")) {
      isNarrated = Boolean(made && narrated.includes(made.move) && isMeant(made));
      const { seq, text: head } = record;
      if (made && isNarrated) {
        found.push({ seq, move: made.move, head, why: "", rolled: [], texts: [], seqs: [] });
      }
    } else if (isNarrated) narrate(found, record);
  }
  return found.filter(({ rolled, texts }) => rolled.length + texts.length);
}

/**
 * Add a record to the last narrated move; the roll of an action and its result stand above. Dice
 * for another reason than those before have a line of their own.
 */
function narrate(found, record) {
  let line = found.at(-1);
  const rolled = eventOf(record, "dice.rolled");
  const changed = eventOf(record, "check.changed")?.check;
  const isOfAction = line.move.startsWith("check.");
  if (isOfAction && !line.rolled.length) line.head = "";
  if (rolled) {
    const [{ seq }, { why }, isFirst] = [record, rolled, !line.seqs.length];
    if (!isFirst && why !== line.why) {
      line = { ...line, seq, head: why, rolled: [], texts: [], seqs: [] };
      found.push(line);
    }
    line.why = why;
    if (!isOfAction || !isFirst) line.rolled.push(...rolled.rolled);
    line.seqs.push(seq);
  } else if (changed ? isOfAction || repeats(record, changed) : eventOf(record, "check.closed")) {
    // The stage shows it already.
  } else if (record.text) line.texts.push(eventOf(record, "words.said")?.text ?? record.text);
}

const repeats = ({ text }, { outcome }) => text.includes(outcome?.words ?? "\n");

const Dice = ({ rolled }) =>
  rolled.map(({ die: name, face }, i) =>
    html`<${Die} key=${i} name=${name} size="small" ...${upside({ dice: [] }, name, face, i)} />`
  );

/** What followed from a roll, below its result. */
export function Spends({ id }) {
  const lines = [...spendLines(id), ...narratedMoves(({ check }) => check === id)].sort((a, b) =>
    a.seq - b.seq
  );
  return lines.length > 0 && html`
    <span class="result-spends stack gap-1 small">
      ${lines.map(({ seq, head, rolled, texts }) =>
        html`
          <span key=${seq}>
            ${head && isolated(`${head} `)}
            <${Dice} rolled=${rolled} />${" "}
            ${isolated(texts.join(" "))}
          </span>
        `
      )}
    </span>
  `;
}

/** Words for dice outside of an action: whose they are, or the move with what it led to. */
export function LooseWords({ seq, whose }) {
  const line = narratedMoves(({ check }) => !check).find(({ seqs }) => seqs.includes(seq));
  if (!line) return html`<span class="loose-whose quiet text-centre">${whose}</span>`;
  return line.seqs.at(-1) === seq && html`
    <p class="loose-told quiet text-centre">${isolated(line.head)}</p>
    ${line.texts.length > 0 &&
      html`<p class="loose-told result text-centre">${isolated(line.texts.join(" "))}</p>`}
  `;
}
