/** The question for the faces of real dice, loaded when it is first asked. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { faceOf, lookOf } from "../state/looks.js";
import { Asked, Face, Outline } from "../ui/parts.js";
import { say } from "../state/words.js";

/**
 * The faces of real dice: a row of faces to tap for each die; the answer has those before the first
 * die without one. Dice that explode bring further rows, noted with the die that brings them.
 */
export function Faces({ ask, value, set, id, about: dice }) {
  const [faces, setFaces] = useState(() => value ?? []);
  const names = dice.map(({ name }) => name).join(" ");
  const known = useRef(names);
  function change(now) {
    const open = now.findIndex((face) => face === null);
    setFaces(now);
    set(open < 0 ? now : now.slice(0, open));
  }
  useEffect(() => {
    const [short, long] = [known.current, names].sort((one, other) => one.length - other.length);
    known.current = names;
    if (!faces.length || faces.length === dice.length) return;
    // Where dice are only added or taken away at the end, the faces of the others still mean them.
    change(dice.map((_, at) => long.startsWith(short) ? faces[at] ?? null : null));
  }, [names]);
  const entered = faces.filter((face) => face !== null).length;
  // A corrected face may make other dice explode.
  const isOutdated = (i, at) => at > i && dice[at].note && (faces[i] ?? null) !== null;
  const put = (i, face) =>
    change(dice.map((_, at) => at === i ? face : isOutdated(i, at) ? null : faces[at] ?? null));
  return html`
    <span class="label"><${Asked} ask=${{ ...ask, needed: true }} /></span>
    <p class="quiet fine" aria-live="polite">
      ${say("faces.entered", { entered, all: dice.length })}
    </p>
    <ol class="face-rows stack gap-2">
      ${dice.map((die, i) =>
        html`
          <li key=${i}>
            <${FaceRow} die=${die} at=${i} chosen=${faces[i]} put=${put} id=${id} />
          </li>
        `
      )}
    </ol>
  `;
}

/** The faces of one die to tap; those that show the same are one. */
function FaceRow({ die, at, chosen, put, id }) {
  const look = lookOf(die.name);
  const shown = die.faces.map((_, k) => faceOf(die, die.first + k));
  const isFirst = (up, k) => shown.findIndex(({ words }) => words === up.words) === k;
  return html`
    <fieldset class="face-row ruled wrap">
      <legend class="fine">
        ${say(die.note ? "faces.further" : "faces.die", {
          n: at + 1,
          die: look.word,
          note: die.note,
        })}
      </legend>
      ${shown.map((up, k) => {
        const face = die.first + k;
        return isFirst(up, k) && html`
          <label class="face-pick">
            <input
              type="radio"
              name="${id}-${at}"
              value=${face}
              checked=${chosen === face}
              onChange=${() => put(at, face)}
              aria-label=${up.words}
            />
            <span class="die" data-colour=${look.colour} data-outline=${look.outline}>
              <${Outline} look=${look} />
              <${Face} look=${look} ...${up} />
            </span>
          </label>
        `;
      })}
    </fieldset>
  `;
}
