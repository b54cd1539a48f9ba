/** Agreeing to a proposal with other answers to the questions of its move. */

import { openForm } from "./move-form.js";
import { tried } from "../state/announcements.js";
import { make, preview } from "../state/store.js";
import { say } from "../state/words.js";

/**
 * Open the questions of the proposed move with the answers that were proposed; `accept` is the
 * offer to agree, and `settled` the arguments of any agreement.
 */
export async function openChanges(accept, proposal, settled) {
  const changed = (answers) => ({ ...settled, ...written(answers, proposal.args) });
  // The faces of real dice were rolled, and stay.
  const asking = ({ proposed }) => ({
    ...accept,
    title: say("proposal.changed"),
    asks: proposed.filter((ask) => ask.kind !== "faces"),
  });
  const look = async (answers, signal) => {
    const found = await preview("proposal.accept", changed(answers), false, signal);
    return { ...found, offer: asking(found) };
  };
  const send = (answers, token) =>
    make("proposal.accept", changed(answers), { token, title: accept.title });
  const offer = await tried(async () => asking(await preview("proposal.accept", settled, false)));
  if (offer) openForm(offer, { answers: proposal.args, look, send });
}

/**
 * What differs from the proposed answers, as key=value quoted for a shell; an answer that is left
 * out is empty.
 */
function written(answers, proposed) {
  const names = new Set(
    [...Object.keys(proposed), ...Object.keys(answers)].filter((name) =>
      !["check", "faces"].includes(name)
    ),
  );
  const pairs = [...names].map((name) => [name, asText(answers[name])]).filter(([name, value]) =>
    value !== asText(proposed[name])
  );
  return pairs.length
    ? { changes: pairs.map(([name, value]) => quoted(`${name}=${value}`)).join(" ") }
    : {};
}

function asText(value) {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(" ");
  if (typeof value === "object") {
    return Object.entries(value).map((pair) => pair.join("=")).join(" ");
  }
  return String(value);
}

const quoted = (text) => `'${text.replaceAll("'", `'"'"'`)}'`;
