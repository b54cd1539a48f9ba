/** Rows of boxes of a character, checked or free. */

import { html } from "../../vendor/preact.js";
import { byKey, game, make, table, the } from "../state/store.js";
import { panelsOf } from "../state/game.js";
import { Filled, Glyph } from "../ui/parts.js";
import { say } from "../state/words.js";

/** A track of more points than these is a number alone. */
export const MOST_BOXES = 12;

/** The kind of traits that a panel draws as its boxes or its turns. */
export const kindOf = (panel) => [panel.binds.trait].flat()[0];

/**
 * The rows of boxes of a character, each with how many there are, which the sheet says or else the
 * game, and the numbers of those that are checked.
 */
export const boxesOf = (one) =>
  panelsOf("boxes").map((panel) => {
    const checked = new Set(
      Object.values(the(table).traits).filter((trait) =>
        trait.kind === kindOf(panel) && trait.about === one.id
      ).map((trait) => trait.rating),
    );
    const key = [panel.binds.count].flat()[0];
    return {
      panel,
      checked,
      n: Math.max(
        one.sheet[key] ?? the(game).sheet?.find((entry) => entry.key === key)?.default ?? 0,
        ...checked,
      ),
    };
  }).filter(({ n }) => n);

/** Which boxes of a character are checked, row by row. */
export function BoxCounts({ one }) {
  return boxesOf(one).map(({ panel, n, checked }) =>
    html`
      <span key=${panel.title} class="strip-point inline" title=${panel.title}>
        <span class="fine">${panel.title}</span>
        ${" "}
        <${Filled}
          n=${checked.size}
          most=${n}
          drawn="boxes"
          isOn=${(i) => checked.has(i + 1)}
          label=${checkedOf(checked, n)}
        />
      </span>
    `
  );
}

/** The checked boxes in words, and how many there are. */
const checkedOf = (checked, n) =>
  [
    say("track.of", { n: checked.size, most: n }),
    ...[...checked].sort().map((box) => say("boxes.checked", { n: box })),
  ].join(", ");

/** Rows of boxes, each checked or free. */
export function Boxes({ one }) {
  return boxesOf(one).map(({ panel, n, checked }) => {
    const offer = (panel.binds.moves ?? []).map((move) => byKey.value[move]).find((move) =>
      move && !move.closed
    );
    return html`
      <div class="boxes cluster gap-3 lines-0" key=${panel.title}>
        <span class="track-name inline quiet small" aria-hidden="true">${panel.title}</span>
        <ul
          class="box-list cluster gap-1"
          aria-label=${say("boxes.of", { what: panel.title, who: one.name })}
        >
          ${Array.from({ length: n }, (_, i) =>
            html`
              <li key=${i}>
                <${Box}
                  n=${i + 1}
                  on=${checked.has(i + 1)}
                  tap=${offer && (() =>
                    make(offer.key, { who: one.id, box: String(i + 1) }, { title: offer.title }))}
                />
              </li>
            `)}
        </ul>
      </div>
    `;
  });
}

function Box({ n, on, tap }) {
  const state = say(on ? "boxes.checked" : "boxes.free", { n });
  const face = html`
    <span class="box centred quiet small count" data-on=${String(on)} aria-hidden="true">
      ${on ? html`<${Glyph} name="cross" size="16" />` : n}
    </span>
  `;
  if (!tap) {
    return html`<span title=${state}>${face}<span class="visually-hidden">${state}</span></span>`;
  }
  return html`
    <button
      type="button"
      class="box-button centred"
      role="checkbox"
      aria-checked=${String(on)}
      aria-label=${state}
      title=${state}
      onClick=${tap}
    >
      ${face}
    </button>
  `;
}
