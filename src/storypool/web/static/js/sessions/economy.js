/**
 * The points of a table as numbers: what there is now, what was spent, and what is noticed for this
 * seat.
 */

import { html } from "../../vendor/preact.js";
import { useEconomy } from "./gauge.js";
import { game, the } from "../state/store.js";
import { capital, say } from "../state/words.js";

/** How the table plays its points, with the notes for this seat. */
export function Economy() {
  const economy = useEconomy();
  if (!economy) return null;
  const rows = economy.accounts ?? [];
  return html`
    <section class="stack economy">
      <h3 class="label">${say("economy.title")}</h3>
      <table class="economy-table numeric full small">
        <thead>
          <tr>
            <th scope="col">${say("economy.points")}</th>
            <th scope="col">${say("economy.now")}</th>
            <th scope="col">${say("economy.spent")}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) =>
            html`
              <tr key=${row.account}>
                <th scope="row">${capital(the(game).look[row.account]?.plural ?? row.account)}</th>
                <td class="count">${row.balance}</td>
                <td class="count">${row.spent}</td>
              </tr>
            `
          )}
        </tbody>
      </table>
      ${(economy.notes ?? []).map((note) => html`<p class="quiet" key=${note}>${note}</p>`)}
    </section>
  `;
}
