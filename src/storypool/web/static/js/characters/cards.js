/** Cards: hands, how many cards others hold, open cards, and what is left of a deck. */

import { html } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { panelsOf, plays, starts } from "../state/game.js";
import { counted, dieOf, faceOf, lookOf } from "../state/looks.js";
import { table, the } from "../state/store.js";
import { say } from "../state/words.js";
import { Die, Face, Outline } from "../ui/parts.js";

/**
 * The decks of the game, each with its cards outside of it; nothing before any is drawn. Hands of
 * this seat that are in `reach` are not here.
 */
export const Cards = ({ reach }) =>
  panelsOf("cards").flatMap(({ title, binds }) =>
    binds.decks.map((deck) =>
      html`<${Deck} key=${deck} title=${title} deck=${deck} any=${binds.any} reach=${reach} />`
    )
  );

/** The hands of a character that this seat plays, in one row. */
export function Hand({ one }) {
  const hands = panelsOf("cards").flatMap(({ binds }) =>
    binds.decks.flatMap((deck) =>
      pile("hand", deck).filter(({ about }) => about === one.id).map((hand) => ({
        deck,
        cards: cardsOf(hand),
        any: binds.any,
      }))
    )
  );
  if (!hands.some(({ cards }) => cards.length)) return null;
  return html`
    <ul class="own-hand row gap-2" aria-label=${say("cards.hand", { who: one.name })}>
      ${hands.flatMap(({ deck, cards, any }) =>
        cards.map((n) =>
          html`
            <li key="${deck}-${n}">
              <${Card} deck=${deck} n=${n} cards=${cards} any=${any} />
            </li>
          `
        )
      )}
    </ul>
  `;
}

const pile = (name, deck) =>
  Object.values(the(table).traits).filter(({ kind }) => kind === `${name} ${deck}`);

const cardsOf = ({ terms }) => /** @type {number[]} */ (terms.cards ?? []);
const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);

function Deck({ title, deck, any, reach }) {
  const { characters } = the(table);
  const [hands, held, open, discard] = ["hand", "held", "open", "discard"].map((name) =>
    pile(name, deck)
  );
  if (!held.length && !open.length && !discard.length) return null;
  const away = sum([...open, ...discard].map((one) => cardsOf(one).length));
  const left = dieOf(deck).faces.length - away - sum(held.map(({ rating }) => rating));
  const backs = held.filter(({ about }) => !hands.some((hand) => hand.about === about));
  const gone = sum(discard.map((one) => cardsOf(one).length));
  const whose = ({ about }) => characters[about]?.name ?? "";
  const own = (one) => Number(plays(characters[one.about] ?? {}));
  return html`
    <section class="decks card stack gap-2" aria-label=${title}>
      ${hands.filter((one) => !reach || !own(one)).sort((one, other) => own(other) - own(one)).map((
        one,
      ) =>
        html`
          <${Row}
            key=${one.id}
            deck=${deck}
            label=${say("cards.hand", { who: whose(one) })}
            cards=${cardsOf(one)}
            any=${own(one) ? any : []}
          />
        `
      )}
      ${open.map((one) =>
        html`
          <${Row}
            key=${one.id}
            deck=${deck}
            label=${say("cards.open", { who: whose(one) })}
            cards=${cardsOf(one)}
            any=${[]}
          />
        `
      )}
      ${backs.map((one) =>
        html`
          <p key=${one.id} class="row gap-1 small" data-held=${one.about}>
            <span aria-hidden="true"><${Die} name=${deck} size="small" /></span>
            <span>${say("cards.backs", { who: whose(one), what: counted(one.rating, deck) })}</span>
          </p>
        `
      )}
      <p class="fine quiet" data-left=${left}>
        ${say("cards.left", { deck: lookOf(deck).plural, n: left })}
        ${gone > 0 ? ` · ${say("cards.gone", { n: gone })}` : ""}
      </p>
    </section>
  `;
}

function Row({ deck, label, cards, any }) {
  return html`
    <div class="stack gap-0">
      <h3 class="label">${label}</h3>
      <ul class="cluster gap-1" aria-label=${label}>
        ${cards.map((n) =>
          html`
            <li key=${n}>
              <${Card} deck=${deck} n=${n} cards=${cards} any=${any} />
            </li>
          `
        )}
      </ul>
    </div>
  `;
}

/** A card with its name below; a tap begins a move that asks for it, where one is open. */
function Card({ deck, n, cards, any }) {
  const die = dieOf(deck), look = lookOf(deck), face = faceOf(die, n);
  // Of equal cards a question lists the first.
  const asked = cards.find((one) => faceOf(die, one).words === face.words);
  const start = starts(any, { id: `${deck}-${asked}` }).find(({ offer }) => !offer.closed);
  const drawn = html`
    <span class="die" data-colour=${look.colour} data-outline=${look.outline} aria-hidden="true">
      <${Outline} look=${look} />
      <${Face} look=${look} ...${face} />
    </span>
    <span class="fine text-centre">${face.words}</span>
  `;
  if (!start) return html`<span class="hand-card stack centre gap-0">${drawn}</span>`;
  const { offer, given } = start;
  return html`
    <button
      type="button"
      class="hand-card board-item stack centre gap-0 target"
      title=${say("sheet.begin", { title: offer.title, entry: face.words })}
      onClick=${() => openMove({ ...offer, title: `${offer.title}: ${face.words}` }, { given })}
    >
      ${drawn}
    </button>
  `;
}
