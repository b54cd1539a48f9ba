/**
 * The odds of the open action and the worth of each offer, as the server computes them for this
 * seat.
 */

import { computed, html, signal, useEffect } from "../../vendor/preact.js";
import {
  busy,
  byKey,
  check,
  game,
  isGm,
  isPlaced,
  lanes,
  me,
  offers,
  table,
  the,
} from "../state/store.js";
import { decideOffer, isOwnAction, panelsOf } from "../state/game.js";
import { counted, lookOf } from "../state/looks.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Bag, Fold, Glyph } from "../ui/parts.js";
import { fraction, percent } from "./fractions.js";
import { watch } from "../state/questions.js";
import { say } from "../state/words.js";

const Pictures = drawnLater(
  (again) => import(`./odds-pictures.js${again}`).then((made) => made.Pictures),
);

/**
 * The latest answer: { seq, solving, check, odds, answered, worth, too_many, named }, or null. Its
 * worth is what buttons show.
 */
export const weighed = signal(/** @type {Wire.WeighedState | null} */ (null));
/**
 * The latest answer about the move of a form: { move, check, worth }, each way to take it, or null.
 */
const whole = signal(
  /** @type {{ move: string, check: string, worth: Wire.WorthShown[] } | null} */ (null),
);
/** Whether the table has changed since, and the new odds are on their way. */
const isOld = computed(() => (weighed.value?.seq ?? 0) < (table.value?.seq ?? 0));
/** Whether this page has a seat, and the id of the action where several are open. */
const isSeated = computed(() => Boolean(me.value));
const action = computed(() => lanes.value.length > 1 ? the(check).id : "");

/**
 * Keep the odds current while there is an action: the last ones stay, dimmed, until those of a new
 * record come.
 */
export function useWeighed() {
  const id = check.value?.id;
  useEffect(() => {
    if (weighed.value?.check !== id) weighed.value = null;
    return id && isSeated.value
      ? watch(
        { brief: true, check: action.value },
        (found, seq) => (weighed.value = found && { ...found, seq }),
      )
      : undefined;
  }, [id, isSeated.value, action.value]);
}

/**
 * Keep the worth of a form's move current, each way to answer it, while the form is open: the
 * buttons need less.
 */
export function useWorthOf({ key: move, asks }) {
  const id = check.value?.id;
  const answered = asks.some(({ kind }) => kind === "choice" || kind === "number") &&
    !isPlaced(move);
  useEffect(() => {
    // The action that its own move opens is no news to the form.
    if (!id || !isSeated.value || !answered || busy.value === move) return undefined;
    return watch(
      { move, check: action.value },
      (found) => (whole.value = found && { move, check: id, worth: found.worth }),
    );
  }, [id, isSeated.value, action.value, move, answered]);
  useEffect(() => () => (whole.value = null), []);
}

/**
 * The worth of an offer, a row for each way to answer it; none if it changes nothing or nothing is
 * known.
 */
export function worthOf(key) {
  const form = whole.value;
  const isOwn = form && form.move === key && form.check === check.value?.id;
  const known = (isOwn ? form : weighed.value)?.worth ?? [];
  return known.filter((row) => row.move === key);
}

/** The chance of the main outcome of an action. */
function first(outcomes) {
  return fraction(Object.values(outcomes ?? {})[0]);
}

/**
 * The change of a row of worth in words: "51 → 58 %", or the later value alone if there was none
 * before.
 */
function changed(row) {
  const [name, after] = Object.entries(row.after)[0];
  const before = row.before[name];
  if (before === undefined) return say("odds.percent", { n: percent(fraction(after)) });
  if (row.of === "amount") {
    return say("odds.amount", {
      what: lookOf(name).plural.toLowerCase(),
      from: amount(before),
      to: amount(after),
    });
  }
  return say("odds.change", { from: percent(fraction(before)), to: percent(fraction(after)) });
}

/** An amount, a mean with one decimal. */
function amount(text) {
  const n = fraction(text);
  return Number.isInteger(n) ? String(n) : n.toFixed(1);
}

/** Whether a row of worth changes the main outcome of the action. */
const moves = (row) => Object.values(row.before)[0] !== Object.values(row.after)[0];

/**
 * The effect of an offer beside its button, with default answers; an offer that needs a choice
 * shows it in its form.
 */
export function Effect({ offer }) {
  const row = worthOf(offer.key).find((one) => moves(one) && isUsual(offer, one));
  // An offer of several dice has the effect of one of them: unnamed, what is added would seem to
  // lower the odds. That it is one says nothing.
  return row
    ? html`
      <span class="offer-effect count small" data-old=${String(isOld.value)}>
        <span class="fine quiet">${answers(offer, row, [1])}</span> <${Change} row=${row} />
      </span>
    `
    : html`<span></span>`;
}

/** The odds before and after one tap that makes an offer with these answers. */
export function TapWorth({ offer, given }) {
  const answered = Object.entries(given).map(([name, value]) => [name, { value }]);
  const usual = { ...offer.usual, ...Object.fromEntries(answered) };
  const row = worthOf(offer.key).find((one) => moves(one) && isUsual({ usual }, one));
  return row && html`
    <span class="count fine quiet" data-old=${String(isOld.value)}>
      ${changed(row)} <${IfAgreed} suggested=${check.value?.suggested} />
    </span>
  `;
}

const isUsual = ({ usual }, row) =>
  Object.entries(answersOf(row)).every(([name, value]) => usual[name]?.value === value);
const preset = (offer, name) => offer.asks.find((ask) => ask.name === name)?.default;

/** The change of a row, and under it what is left when the other side answers. */
function Change({ row }) {
  const decides = row.move === decideOffer.value?.key;
  return html`
    <span class="count">${changed(row)}</span>
    ${!decides && html`<${IfAgreed} suggested=${check.value?.suggested} />`}
    ${percent(first(row.answered)) !==
        percent(first(row.after)) &&
      html`${" "}<${Answered} odds=${row.answered} />`}
    ${typeof row.later === "number" &&
      html`
        ${" "}
        <span class="fine quiet offer-later">
          ${say("odds.kept", { n: percent(Math.max(0, row.later)) })}
        </span>
      `}
  `;
}

/**
 * What is left when the other side answers, by its name: for the game master that is another one
 * than for a player.
 */
function Answered({ odds }) {
  const n = percent(first(odds));
  if (!odds || me.value?.side === "spectator") return null;
  return html`
    <span class="fine quiet">
      ${isGm.value ? say("odds.answered.gm", { n }) : say("odds.answered.player", { n })}
    </span>
  `;
}

/** Says that odds hold only if the game master agrees to what is suggested. */
function IfAgreed({ suggested }) {
  return Object.keys(suggested ?? {}).length
    ? html`${" "}<span class="tag if-agreed">${say("odds.ifAgreed")}</span>`
    : null;
}

/** The rows of an offer to choose from, those with a price first; none if there is no choice. */
function rowsOf(offer) {
  const hasPrice = (row) => Object.keys(row.price).length > 0;
  const rows = worthOf(offer.key).filter((row) => moves(row) && Object.keys(answersOf(row)).length)
    .sort((a, b) => Number(hasPrice(b)) - Number(hasPrice(a)));
  return rows.length < 2 ? [] : rows;
}

/**
 * The row for each answer to a question whose buttons say as much as the rows; null if they do not.
 */
export function worthOn(offer, ask) {
  const rows = rowsOf(offer);
  const covers = (row) =>
    Object.keys(answersOf(row)).join() === ask.name &&
    ask.choices.some((choice) => choice.value === row.args[ask.name]);
  if (ask.kind !== "choice" || !rows.length || !rows.every(covers)) return null;
  return Object.fromEntries(rows.map((row) => [row.args[ask.name], row]));
}

/** The worth of an answer, on its button. */
export function PickWorth({ row }) {
  return row
    ? html`<span class="fine pick-worth"><${Cost} row=${row} /> <${Change} row=${row} /></span>`
    : null;
}

/**
 * The worth of each answer to a question of an offer that has no buttons for them: by label, with
 * price.
 */
export function WorthList({ offer, args, pick }) {
  const rows = rowsOf(offer);
  if (!rows.length || offer.asks.some((ask) => worthOn(offer, ask))) return null;
  // Picking another row clears the answers that only the first one had.
  const names = [...new Set(rows.flatMap((row) => Object.keys(answersOf(row))))];
  const blank = Object.fromEntries(names.map((name) => [name, undefined]));
  // Where it can be paid from several purses, the rows of each stand below its name.
  const purses = [...new Set(rows.map(purseOf))].sort((a, b) =>
    Number(Boolean(a)) - Number(Boolean(b))
  );
  const several = purses.filter(Boolean).length > 1;
  return html`
    <ul class="worth-list rows" aria-label=${say("odds.worth")}>
      ${(several ? purses : [""]).map((purse) =>
        html`
          ${purse && html`<li class="worth-purse label" key=${purse}>${purse}</li>`}
          ${rows.filter((row) => !several || purseOf(row) === purse).map((row) => {
            const isChosen = names.every((name) =>
              row.args[name] === undefined
                ? args[name] === undefined
                : String(args[name] ?? preset(offer, name)) === String(row.args[name])
            );
            return html`
              <li key=${JSON.stringify(row.args)}>
                <button
                  type="button"
                  class="worth-row cluster full gap-3 lines-1 target snug"
                  aria-pressed=${String(isChosen)}
                  onClick=${() => pick({ ...blank, ...answersOf(row) })}
                >
                  <span class="grow">${answers(offer, row)}</span>
                  <${Cost} row=${row} />
                  <span class="worth-change count small"><${Change} row=${row} /></span>
                </button>
              </li>
            `;
          })}
        `
      )}
    </ul>
  `;
}

/** The names of the points that a row costs or adds. */
const purseOf = ({ price, adds }) =>
  [
    ...new Set([...Object.keys(price), ...Object.keys(adds)].map((name) =>
      lookOf(name.split(".").at(-1)).plural
    )),
  ].join(" + ");

/** The meaningful answers of a row, without placeholder texts. */
const answersOf = (row) =>
  Object.fromEntries(Object.entries(row.args).filter(([, value]) => value !== "-"));

/** The price of a row, and the points that it adds elsewhere. */
function Cost({ row }) {
  return html`
    <${Bag} bag=${row.price} />
    ${Object.keys(row.adds).length > 0 &&
      html`<span class="worth-adds inline quiet">+ <${Adds} adds=${row.adds} /></span>`}
  `;
}

/**
 * Points that are added: those of characters together and in words, as no tray shows what their
 * sign is.
 */
function Adds({ adds }) {
  const owned = {};
  for (const [name, n] of Object.entries(adds).filter(([name]) => name.includes("."))) {
    const account = name.split(".").at(-1);
    owned[account] = (owned[account] ?? 0) + n;
  }
  const shared = Object.fromEntries(Object.entries(adds).filter(([name]) => !name.includes(".")));
  return html`
    <${Bag} bag=${shared} />
    ${" "}
    ${Object.entries(owned).map(([account, n]) => counted(n, account)).join(", ")}
  `;
}

/**
 * The answers of a row in words, without those in `known`. Of several numbers only the first is
 * shown: the price shows how it is paid.
 */
function answers(offer, row, known = []) {
  const asks = offer.asks ?? [];
  const numbers = new Set(asks.filter(({ kind }) => kind === "number").slice(1).map((a) => a.name));
  return Object.entries(answersOf(row)).filter(([name, value]) =>
    !numbers.has(name) && !known.includes(value)
  ).map(([name, value]) => {
    const ask = asks.find((one) => one.name === name);
    const named = [...(ask?.choices ?? []), offer.usual?.[name]];
    return named.find((choice) => choice?.value === value)?.label ?? String(value);
  }).join(", ");
}

/**
 * The worth of a move of a menu, beside its title: with default answers, or with a choice that has
 * no row.
 */
export function MenuWorth({ offer, rows }) {
  const row = worthOf(offer.key).find((one) =>
    moves(one) && !rows.choices.some((choice) => choice.value === one.args[rows.name])
  );
  if (!row) return null;
  return html`
    <span class="fine quiet">${answers(offer, row)}</span>
    ${" "}
    <span class="offer-effect count small" data-old=${String(isOld.value)}>
      <${Change} row=${row} />
    </span>
  `;
}

/** The worth of one row of a menu. */
export function RowWorth({ offer, name, choice }) {
  const row = worthOf(offer.key).find((one) => moves(one) && one.args[name] === choice.value);
  return row
    ? html`
      <span class="offer-effect count small" data-old=${String(isOld.value)}>
        <${Change} row=${row} />
      </span>
    `
    : null;
}

/** The bar, the percentage, what is left after an answer, and the other outcomes. */
export function OddsBar() {
  const now = weighed.value;
  if (now?.too_many) return html`<p class="odds quiet">${say("odds.tooMany")}</p>`;
  if (!now?.odds) return null;
  const chance = first(now.odds.outcomes);
  const next = nextRow();
  const style = {
    "--part": chance.toFixed(3),
    "--part-next": (next ? first(next.after) : 0).toFixed(3),
  };
  return html`
    <div
      class="odds stack gap-2 full"
      data-after=${now.seq}
      data-old=${String(isOld.value)}
      aria-busy=${String(isOld.value)}
      aria-label=${say("odds.label")}
      role="group"
    >
      <p class="odds-words cluster baseline lines-0">
        <span class="odds-figure count numeral">
          ${say("odds.percent", { n: percent(chance) })}
        </span>
        <span class="quiet">${outcome(Object.keys(now.odds.outcomes)[0])}</span>
        <${IfAgreed} suggested=${check.value?.suggested} />
        <${Rest} odds=${now.odds} />
      </p>
      <div class="odds-bar" aria-hidden="true" style=${style}></div>
      <${Answered} odds=${now.answered} />
      <${Later} />
      <${Fold} title=${say("picture.more")}>
        ${html`<${Pictures} odds=${now.odds} next=${next} />`}
      <//>
    </div>
  `;
}

/**
 * The row that is shown as a comparison: that of the one open offer with a price that changes the
 * odds.
 */
function nextRow() {
  const priced = (weighed.value?.worth ?? []).filter((row) =>
    row.of === "chance" && moves(row) && Object.keys(row.price).length && open(row)
  );
  return priced.length === 1 ? priced[0] : null;
}

const open = (row) => offers.value.some((offer) => offer.key === row.move && !offer.closed);

/** The worth of holding points for moves that come after the roll. */
function Later() {
  const rows = (weighed.value?.worth ?? []).filter((row) =>
    moves(row) && isOwnAction.value && check.value?.phase === "build" &&
    offers.value.some((offer) => offer.key === row.move && offer.closed?.code === "when")
  );
  return rows.map((row) =>
    html`
      <p class="quiet fine later cluster lines-1" key=${row.move}>
        ${say("odds.later", { title: byKey.value[row.move].title })}
        <${Bag} bag=${row.price} /> <span class="count">${changed(row)}</span>
      </p>
    `
  );
}

function Rest({ odds }) {
  const theirs = check.value?.side === "gm";
  const parts = panelsOf("odds").flatMap(({ binds }) => [
    ...(binds.means ?? []).map((name, i) => mean(odds, name, theirs && binds.gm?.[i])),
    ...(binds.chances ?? []).map((name) => chanceOf(odds, name)),
  ]).filter((part) => part !== null);
  return html`
    <span class="odds-rest cluster">
      ${parts.map((part) => html`<${Part} key=${part.name} ...${part} />`)}
      ${panelsOf("odds").map(({ title }) =>
        title && html`<span class="fine quiet">${title}</span>`
      )}
    </span>
  `;
}

/** The mean of an axis, under the name of what it becomes where that is another. */
function mean(odds, name, becomes) {
  if (odds.mean[name] === undefined) return null;
  const value = fraction(odds.mean[name]);
  const below = the(game).axes.below[name];
  return { name: becomes || (value < 0 && below ? below : name), mean: Math.abs(value) };
}

function chanceOf(odds, name) {
  const chance = fraction(odds.outcomes[name]);
  return chance ? { name, chance } : null;
}

function Part({ name, chance, mean }) {
  const look = mean === undefined ? outcomeLook(name) : lookOf(name);
  const value = mean === undefined ? say("odds.percent", { n: percent(chance) }) : mean.toFixed(1);
  const word = mean === undefined ? look.word : look.plural;
  const label = say(mean === undefined ? "odds.chance" : "odds.mean", { value, word });
  return html`
    <span class="odds-part inline quiet fine" role="img" aria-label=${label} title=${label}>
      ${look.glyph && html`<${Glyph} name=${look.glyph} size="16" />`}
      <span class="count">${value}</span> ${word}
    </span>
  `;
}

/** The look of an outcome: its own, or that of a symbol of its name. */
const outcomeLook = (name) =>
  lookOf(name, { ...the(game), look: { ...the(game).look, ...the(game).outcomes } });

/** The name of an outcome, by who it is about where the server says so. */
function outcome(name) {
  return weighed.value?.named?.[name] ?? outcomeLook(name).word.toLowerCase();
}

/** The odds that a form would lead to, from the server's preview, and of what they are. */
export function WouldOdds({ odds, suggested }) {
  if (!odds) return null;
  const word = outcomeLook(Object.keys(odds.outcomes)[0]).word.toLowerCase();
  return html`
    <span class="would-odds push">
      <span class="count strong">${say("odds.percent", { n: percent(first(odds.outcomes)) })}</span>
      ${" "}
      <span class="quiet">${word}</span>
    </span>
    <${IfAgreed} suggested=${suggested} />
  `;
}
