/** A game in a list: its name, its look, and a sentence about it. */

import { html } from "../../vendor/preact.js";
import { Die, Glyph } from "../ui/parts.js";

/** Its name with looks: of dice, which have an outline, and of points, which have a glyph. */
export function GameName({ game }) {
  return html`
    <span class="row">
      <span class="name grow">${game.name}</span>
      <span class="game-look inline gap-0" aria-hidden="true">
        ${Object.entries(game.look).map(([name, look]) =>
          look.outline
            ? html`<${Die} key=${name} name=${name} of=${game} size="small" />`
            : look.glyph && html`<${Glyph} key=${name} name=${look.glyph} />`
        )}
      </span>
    </span>
  `;
}

/** All of it. */
export function GameLook({ game }) {
  return html`
    <${GameName} game=${game} />
    <span class="fine quiet">${game.about}</span>
  `;
}
