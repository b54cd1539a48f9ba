/** An order of turns, with the one whose turn it is. */

import { html } from "../../vendor/preact.js";
import { makeOrOpen } from "../forms/making.js";
import { check, table, the } from "../state/store.js";
import { dockedKeys, eveningSteps, idsOut, panelsOf, shownOf } from "../state/game.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { Button, Glyph, Portrait } from "../ui/parts.js";
import { initial, say } from "../state/words.js";
import { BoxCounts } from "./boxes.js";

/** Of a longer order only the present turn and those who act are whole; the others are marks. */
const MOST_WHOLE = 3;

const noted = ({ binds }) =>
  Object.values(the(table).traits).filter((trait) =>
    trait.text && (binds.notes ?? []).includes(trait.kind)
  );

/** An order of slots with the present turn, and the moves that advance it; a long one in brief. */
export function Slots({ whole = false }) {
  return panelsOf("slots").map((panel) =>
    html`<${Order} key=${panel.title} panel=${panel} whole=${whole} />`
  );
}

function Order({ panel, whole }) {
  const slots = the(table).turns.map((id) => the(table).traits[id]).filter(({ kind }) =>
    [panel.binds.trait].flat().includes(kind)
  );
  const open = shownOf(panel).filter((offer) =>
    !offer.closed && !dockedKeys.value.has(offer.key) && !eveningSteps.value.includes(offer)
  );
  const out = idsOut();
  const place = useSpeaking(
    slots.find((slot) => slot.at === "now")?.id,
    RANKS.order,
    "[aria-current]",
  );
  if (!slots.length) return null;
  const acts = ({ terms }) =>
    Boolean(terms?.who) && [check.value?.actor, check.value?.against].includes(terms.who);
  // What is over for this round is no turn to come.
  const rest =
    slots.filter((slot) => slot.at !== "now" && !acts(slot) && !slot.terms?.[panel.binds.acted])
      .length;
  const isLong = !whole && slots.length > MOST_WHOLE;
  const of = Object.values(the(table).traits).find((trait) => trait.kind === panel.binds.of);
  return html`
    <section class="slots stack gap-2" ref=${place}>
      <h2 class=${of ? "name" : isLong ? "visually-hidden" : "label"}>${of?.text ??
        panel.title}</h2>
      <ol class="slot-list cluster" aria-label=${panel.title}>
        ${slots.map((slot) =>
          html`
            <${Slot}
              key=${slot.id}
              slot=${slot}
              one=${the(table).characters[slot.terms?.who]}
              acted=${slot.terms?.[panel.binds.acted]}
              out=${out.includes(slot.terms?.who)}
              acts=${acts(slot)}
              isLong=${isLong}
            />
          `
        )}
        ${rest > 0 &&
          html`<li class="slot-rest small quiet">${say("slots.rest", { n: rest })}</li>`}
      </ol>
      ${noted(panel).map((trait) =>
        html`<p class="slot-note small" key=${trait.id}>${trait.text}</p>`
      )}
      ${open.length > 0 &&
        html`
          <div class="cluster">
            ${open.map((offer) =>
              html`<${Button} key=${offer.key} onTap=${() => makeOrOpen(offer)}>${offer.title}<//>`
            )}
          </div>
        `}
    </section>
  `;
}

/**
 * A turn of an order: whose it is, how hurt they are, whether they act in what is open, and whether
 * it is now, is over for this round, or is nobody's any more.
 */
function Slot({ slot, one, acted, out, acts, isLong }) {
  const now = slot.at === "now" && !out;
  const brief = isLong && !acts && slot.at !== "now";
  const isGms = slot.about === "@gm";
  return html`
    <li
      class="slot inline small"
      data-side=${isGms ? "gm" : "player"}
      data-brief=${String(brief)}
      title=${brief ? slot.text : undefined}
      data-acted=${String(Boolean(acted))}
      data-out=${String(out)}
      data-acts=${String(acts)}
      aria-current=${now ? "step" : undefined}
    >
      ${now && html`<${Glyph} name="turn" label=${say("slots.now")} />`}
      ${brief && one
        ? html`
          <span class="strong" aria-hidden="true">
            <${Portrait} name=${one.name}>${initial(one.name)}<//>
          </span>
        `
        : html`<${Glyph} name=${isGms ? "gm" : "player"} />`}
      <span class=${brief ? "visually-hidden" : ""} title=${slot.text}>${slot.text}</span>
      ${one && !out && !isLong && html`<${BoxCounts} one=${one} />`}
      ${out
        ? html`
          <${Glyph} name="cross" size="16" />
          <span class=${brief ? "visually-hidden" : ""}>${say("slots.out")}</span>
        `
        : acted && html`<${Glyph} name="check" size="16" label=${say("slots.acted")} />`}
    </li>
  `;
}
