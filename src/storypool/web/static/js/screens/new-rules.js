/**
 * New rules for a table: what they change, what stands in the way, and the button that takes them
 * over.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { Alert, Button } from "../ui/parts.js";
import { at, call, newToken, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";

/**
 * The content of a sheet. Without a `text` the rules are those that the server has now; `done` is
 * called at the end.
 */
export function NewRules({ table, seat, text = "", done }) {
  const [found, setFound] = useState(/** @type {Wire.RulesShown | null} */ (null));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const token = useRef(newToken());
  const refuse = (error) => setError(troubleIn(error).refusal);
  useEffect(
    () =>
      void call("POST", at(table, "rules", "changes"), { seat, game: text }).then(setFound, refuse),
    [],
  );
  async function take() {
    await call("POST", at(table, "rules"), {
      seat,
      game: text,
      to: found?.key,
      token: token.current,
    }).then(done, refuse);
  }
  const because = error ?? found?.refused;
  return html`
    <div class="stack">
      ${found && found.changes.length > 0 &&
        html`
          <ul class="stack gap-1">
            ${found.changes.map((one) => html`<li key=${one}>${one}</li>`)}
          </ul>
        `}
      ${found && !found.key && html`<p>${say("rules.none")}</p>`}
      <${Alert} refusal=${because} />
      ${found?.key && !because && html`
        <p class="fine quiet">${say("rules.undo")}</p>
        <${Button} kind="primary" onTap=${take}>${say("rules.take")}<//>
      `}
    </div>
  `;
}
