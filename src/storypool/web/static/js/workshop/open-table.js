/** Opening a table from the workshop and the gallery. */

import { html } from "../../vendor/preact.js";
import { LONGEST_TITLE } from "../ui/name-field.js";
import { Button } from "../ui/parts.js";
import { tableAddress } from "../state/route.js";
import { call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";

/**
 * Opens a table and goes there.
 *
 * @param {object} props
 * @param {{ game: string } | { system: string }} props.of the text of a file, or a game's key
 * @param {string} props.title
 * @param {string} [props.kind]
 * @param {(error: Wire.Reason) => void} props.setError
 */
export function OpenTable({ of, title, kind = undefined, setError }) {
  async function open() {
    try {
      const made = await call("POST", "/api/tables", {
        ...of,
        title: title.slice(0, LONGEST_TITLE),
      });
      location.assign(`${tableAddress(made.table, made.seat.id)}&invite`);
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  }
  return html`<${Button} kind=${kind} onTap=${open}>${say("workshop.play")}<//>`;
}
