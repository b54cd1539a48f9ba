/** The menus of what a roll can buy: rows with their prices, and the way to them. */

import { computed, html, useEffect, useState } from "../../vendor/preact.js";
import { Chips, MOST_CHIPS } from "./chips.js";
import { makeOrAsk, optionalChoice } from "../forms/making.js";
import { openMove } from "../forms/move-form.js";
import {
  consenting,
  dockedKeys,
  isOwnAction,
  menuOffers,
  panelsOf,
  shownOf,
} from "../state/game.js";
import { MenuWorth, RowWorth, worthOf } from "../odds/odds.js";
import { Offer } from "./offers.js";
import { arriving, useOpened } from "../ui/in-view.js";
import { calm } from "../ui/motion.js";
import { Alert, Bag, Glyph, IconButton, useOnce } from "../ui/parts.js";
import { check, isGm, preview, refused } from "../state/store.js";
import { say } from "../state/words.js";

/** @import { Answers } from "../state/store.js" */

/** A number before its word, on one line with it. */
const NUMBER = /(\d) /g;
/** The question how a row is paid for: a form asks it, with what is left to choose. */
const PAYING = "with";
const FIRST_ROWS = 6;

/** Whether a row costs nothing; what this roll pays is a price too, which the caution shows. */
const isFree = (offer) => !Object.keys(offer.price).length && !offer.caution;

/** Whether a row answers what is asked of this seat at no price. */
export const buys = computed(() => menuOffers.value.some(isFree));

/** The menus of what a roll can buy. */
export function Menus() {
  return panelsOf("menu").map((panel) => html`<${Panel} key=${panel.title} panel=${panel} />`);
}

function Panel({ panel }) {
  const listed = shownOf(panel).filter((offer) => !dockedKeys.value.has(offer.key));
  const open = listed.filter((offer) => !offer.closed);
  const isRow = (offer) => (panel.binds.rows ?? []).includes(offer.key);
  // The closed rows of the book's menu are for the player who spends from it.
  const closedOffers = isOwnAction.value || open.some(isRow)
    ? listed.filter((offer) => offer.closed && isRow(offer))
    : [];
  if (open.length + closedOffers.length === 0 || check.value?.phase !== "rolled") return null;
  return html`
    <section class="menu stack">
      <h3 class="label">${panel.title}</h3>
      ${open.map((offer) =>
        html`<${Menu} key=${offer.key} offer=${offer} alone=${open.filter(rowsOf).length === 1} />`
      )}
      ${closedOffers.length > 0 &&
        html`
          <div class="offers stack gap-2">
            ${closedOffers.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} />`)}
          </div>
        `}
    </section>
  `;
}

/** The question of a move whose choices are rows; none where it asks for words. */
const rowsOf = ({ rows }) => rows?.choices.length && rows.name !== PAYING ? rows : null;

/** One move of a menu: each choice of its first question is a row with its price. */
function Menu({ offer, alone }) {
  const [showsAll, setShowsAll] = useState(false);
  const rows = rowsOf(offer);
  if (!rows) return html`<${Offer} offer=${offer} />`;
  // Which of two dice with the same face is rolled again makes no difference.
  const read = ({ label, note, closed }) => label + note + closed;
  const choices = rows.choices.filter((one, n, all) =>
    n === all.findIndex((other) => read(other) === read(one))
  );
  const first = [
    ...choices.filter((choice) => !choice.closed),
    ...choices.filter((choice) => choice.closed),
  ];
  const shown = showsAll ? choices : first.slice(0, FIRST_ROWS);
  const refusal = refused.value?.move === offer.key ? refused.value?.refusal : null;
  // Where the move has a price of its own, its rows are answers and no purchases.
  const isPaid = Object.keys(offer.price).length > 0;
  return html`
    <${MenuHead} offer=${offer} rows=${rows} alone=${alone} />
    <div class="menu-rows rows">
      ${shown.map((choice, n) =>
        html`
          <${Row}
            key=${choice.value}
            offer=${offer}
            name=${rows.name}
            choice=${choice}
            ahead=${n === 0 && !choice.closed}
            title=${isPaid ? `${offer.title}: ${choice.label}` : choice.label}
          />
        `
      )}
      ${rows.free && html`
        <button
          type="button"
          class="button"
          data-kind="plain"
          aria-label=${`${say("menu.own")} ${offer.title}`}
          onClick=${() => openMove(offer)}
        >
          ${say("menu.own")}
        </button>
      `}
      ${choices.length > shown.length &&
        html`
          <button type="button" class="button" data-kind="plain" onClick=${() => setShowsAll(true)}>
            ${say("menu.all", { n: choices.length })}
          </button>
        `}
      <${Alert} refusal=${refusal} />
    </div>
  `;
}

/**
 * The head of a move's rows: its title, its price and worth, and the way to enter the faces of real
 * dice.
 */
function MenuHead({ offer, rows, alone }) {
  // The heading of the menu above says what a single list is.
  const agrees = offer.approval && !isGm.value;
  const bare = alone && !Object.keys(offer.price).length && !offer.caution && !agrees;
  if (bare && !offer.real_dice && !worthOf(offer.key).length) return null;
  return html`
    <div class="menu-head cluster lines-0 target">
      <h4 class=${bare ? "visually-hidden" : "grow strong"}>
        ${offer.title}
        ${agrees &&
          html`
            <span class="offer-note block quiet small">
              ${say("offer.agrees", consenting(offer))}
            </span>
          `}
        ${offer.caution && html`<span class="offer-note block small">${offer.caution}</span>`}
      </h4>
      <${Bag} bag=${offer.price} />
      <${MenuWorth} offer=${offer} rows=${rows} />
      ${offer.real_dice &&
        html`
          <${IconButton}
            glyph="hand"
            label=${say("menu.byHand", { title: offer.title })}
            onTap=${() => openMove(offer, { byHand: true })}
          />
        `}
    </div>
  `;
}

/**
 * A row is bought with one tap if nothing else is to be chosen; one more question has its answers
 * below the row, and a form asks several. The first row looks `ahead`: where its one question may
 * be left out, the row shows the answer that a tap takes, and a second button the others.
 */
function Row({ offer, name, choice, ahead, title }) {
  const [question, setQuestion] = useState(
    /** @type {{ offer: Wire.OfferShown, ask: Wire.AskView, given: Answers } | null} */ (null),
  );
  const [optional, setOptional] = useState(
    /** @type {{ offer: Wire.OfferShown, ask: Wire.AskView, given: Answers } | null} */ (null),
  );
  const open = question && !choice.closed;
  const place = useOpened(Boolean(open));
  useEffect(() => {
    let isLate = false;
    const given = { [name]: choice.value };
    const take = (found) => {
      const ask = optionalChoice(found.offer, given);
      if (ask && !isLate) {
        setOptional({ offer: { ...found.offer, title: choice.label }, ask, given });
      }
    };
    if (ahead) preview(offer.key, given, false).then(take, () => {});
    return () => (isLate = true, setOptional(null));
  }, [ahead]);
  const below = (given) => (seen, one) =>
    one.name === PAYING || one.choices.length > MOST_CHIPS
      ? openMove(seen, { given })
      : setQuestion({ offer: seen, ask: one, given });
  const go = (given) => makeOrAsk(offer, given, title, false, below(given));
  const pick = (given) =>
    go(given).finally(() => setQuestion((now) => now === question ? null : now));
  const usual = optional?.ask;
  const [waiting, tap] = useOnce(() =>
    !choice.closed &&
    (open && !usual
      ? setQuestion(null)
      : go({ [name]: choice.value, ...(usual && { [usual.name]: usual.preset }) }))
  );
  const row = html`
    <button
      type="button"
      class="menu-row row gap-3 ruled between"
      aria-busy=${waiting ? "true" : undefined}
      aria-disabled=${choice.closed ? "true" : undefined}
      aria-expanded=${open && !usual ? "true" : undefined}
      onClick=${tap}
    >
      <span class="grow">
        ${choice.label}
        ${usual && html`
          <span class="fine quiet block">
            ${usual.choices.find(({ value }) => value === usual.preset)?.label}
          </span>
        `}
        ${choice.closed && html`
          ${" "}
          <${Glyph} name="lock" size="16" extra="shut" />
          <span class="fine why block">${choice.closed}</span>
        `}
      </span>
      <${RowWorth} offer=${offer} name=${name} choice=${choice} />
      <span class="menu-price count small whole">${choice.note.replace(NUMBER, "$1\u00a0")}</span>
    </button>
  `;
  return html`
    ${usual
      ? html`
        <div class="menu-pair row gap-0 ruled">
          ${row}
          <${IconButton}
            glyph="chevron"
            label=${say("menu.choose", { row: choice.label, question: usual.label })}
            aria-expanded=${String(Boolean(open))}
            onTap=${() => setQuestion(open ? null : optional)}
          />
        </div>
      `
      : row}
    ${open && html`
      <div class="menu-next stack gap-2 ruled" ref=${place}>
        <${Chips} ...${question} caption=${question.ask.label} pick=${pick} />
      </div>
    `}
  `;
}

/**
 * The way to a menu whose rows answer what is asked, gold unless all of them have a price: on a
 * phone they may be further down. No way is needed where a row is in sight.
 */
export function ToMenu({ offers }) {
  const [offer] = offers;
  const title = (offers.length > 1 && panelsOf("menu")[0]?.title) || offer.title;
  const go = () => {
    const menu = document.querySelector(".menu");
    if (!menu) return openMove(offer);
    menu.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
    menu.querySelector("button")?.focus({ preventScroll: true });
  };
  const costly = !buys.value;
  return html`
    <button
      type="button"
      class="button dock-menu"
      hidden=${useRowInSight()}
      data-kind=${costly ? "wide" : "primary"}
      onClick=${go}
    >
      ${title}
      <${Glyph} name="chevron" />
    </button>
  `;
}

/**
 * Whether a row that can be bought is whole in the window, above the thumb, or may be once what
 * speaks is in view; the thumb is lower while the way to the rows is not there.
 */
function useRowInSight() {
  const [inSight, setInSight] = useState(true);
  const waits = arriving.value;
  useEffect(() => {
    if (waits) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const [head, thumb] = [".table-head", ".thumb"].map((bar) =>
        document.querySelector(bar)?.getBoundingClientRect()
      );
      // While the dice fall their result has not spoken yet; and the table may be gone by now.
      if (!thumb || document.querySelector(".outcome[data-shown=false]")) return;
      const rows = [...document.querySelectorAll(".menu-row:not([aria-disabled])")].map((row) =>
        row.getBoundingClientRect()
      );
      setInSight(
        rows.some(({ top, bottom }) =>
          top >= Math.max(0, head?.bottom ?? 0) && bottom <= thumb.top
        ),
      );
    };
    const lookSoon = () => {
      frame ||= requestAnimationFrame(look);
    };
    const grows = new ResizeObserver(lookSoon);
    for (const one of document.querySelectorAll(".thumb, .middle, .right")) grows.observe(one);
    addEventListener("scroll", lookSoon, { capture: true, passive: true });
    return () => (grows.disconnect(),
      removeEventListener("scroll", lookSoon, { capture: true }),
      cancelAnimationFrame(frame));
  }, [waits]);
  return inSight;
}
