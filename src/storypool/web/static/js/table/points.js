/** The points of the table as tokens: a tray, and a tray that faces it. */

import { computed, html } from "../../vendor/preact.js";
import { mostOf, panelsOf, purses } from "../state/game.js";
import { counted, lookOf } from "../state/looks.js";
import { GaugeButton } from "../sessions/gauge.js";
import { useGlide } from "../ui/motion.js";
import { Glyph } from "../ui/parts.js";
import { game, table, the } from "../state/store.js";
import { capital, oneOf, say } from "../state/words.js";

/** The most tokens that fit in a tray on a phone; more are shown as a number. */
const MOST_SHOWN = 5;
/**
 * The most tokens that fit beside the button of a gauge; the pools of such games are large, and
 * shown as a number.
 */
const MOST_BESIDE_GAUGE = 3;
/**
 * The most letters that fit beside a tray; instead of a longer name it says whose points they are.
 */
const LONGEST_WORD = 14;
/** Longer names are above their tray on a phone. */
const SHORT_WORD = 6;

/** Whether points of this game turn over: points that one side spends go to the other. */
const turns = computed(() => panelsOf("trays").some((panel) => panel.binds.turns));

/** The accounts of the table that belong to no side: what both sides draw on. */
const commons = computed(() =>
  (game.value?.accounts ?? []).filter((account) => account.each === "table" && !account.side)
);

/**
 * The trays, and what the open action will bring when it is done: points that turn over lean,
 * others are counted.
 */
export function Trays() {
  const accounts = purses.value;
  const shared = commons.value;
  const turning = Object.values(table.value?.checks ?? {}).reduce(
    (sum, one) => total(sum, moving(one)),
    {},
  );
  const box = useGlide((key) => leaning(key, accounts));
  if (!accounts.length && !shared.length) return null;
  const long = accounts.some((account) => lookOf(account.name).plural.length > SHORT_WORD);
  return html`
    <div class="trays row gap-3 wrap" ref=${box}>
      ${accounts.map((account, i) =>
        html`
          ${i === 1 && html`<${GaugeButton} key="gauge" />`}
          <${Tray}
            key=${account.name}
            account=${account}
            facing=${i > 0}
            long=${long}
            turning=${turning[account.name] ?? 0}
          />
        `
      )}
      ${shared.map((account) => html`<${Common} key=${account.name} account=${account} />`)}
    </div>
  `;
}

/** Points that both sides draw on, and how many there can be. */
function Common({ account }) {
  const balance = the(table).points[account.name] ?? 0;
  const most = mostOf(account);
  const n = most === undefined ? balance : say("track.of", { n: balance, most });
  return html`
    <p class="tray-common">
      <span class="label">${capital(lookOf(account.name).plural)}</span>
      ${" "}
      <span class="count">${n}</span>
    </p>
  `;
}

/**
 * The points that an action will move: those that turn over stay until then with the side that
 * spent them, whether they could come back or not.
 */
function moving(action) {
  const owed = action.owed ?? {};
  if (!turns.value) return owed;
  const facing = (name) => purses.value.find((account) => account.name !== name)?.name ?? name;
  return Object.fromEntries(Object.entries(owed).map(([name, n]) => [facing(name), n]));
}

function total(a, b) {
  const sum = { ...a };
  for (const [name, n] of Object.entries(b ?? {})) sum[name] = (sum[name] ?? 0) + n;
  return sum;
}

/** Maps a new token on one side to the leaning token on the other that it was. */
function leaning(key, accounts) {
  const facing = accounts.find((account) => !key.startsWith(`${account.name}-`));
  return key.startsWith("turning-") || !facing ? "" : `turning-${facing.name}-0`;
}

function Tray({ account, facing, turning, long }) {
  const look = lookOf(account.name);
  const balance = the(table).points[account.name] ?? 0;
  const tilted = turns.value ? turning : 0;
  const beside = panelsOf("gauge").length > 0;
  // What comes is a number, and so is what it comes to where there is no room for both that and
  // tokens.
  const many = balance < 0 || balance + tilted > (beside ? MOST_BESIDE_GAUGE : MOST_SHOWN) ||
    (beside && turning > tilted);
  const shown = many ? 1 : balance;
  const have = counted(balance, account.name);
  const label = turning
    ? say(turns.value ? "points.turning" : "points.coming", { have, turning })
    : have;
  return html`
    <section
      class="tray-place row"
      data-facing=${String(facing)}
      data-long=${String(long)}
      aria-label=${label}
    >
      <span class="label tray-word" aria-hidden="true">
        ${look.plural.length > LONGEST_WORD ? oneOf("tray", account.side) : capital(look.plural)}
      </span>
      <ul class="tray row gap-1" aria-hidden="true" data-empty=${String(!balance && !turning)}>
        ${Array.from(
          { length: shown },
          (_, i) =>
            html`
              <${Point}
                key=${`${account.name}-${i}`}
                id=${`${account.name}-${i}`}
                look=${look}
                facing=${facing}
              />
            `,
        )}
        ${many && html`<li class="count strong" key="count">${balance}</li>`}
        ${Array.from({ length: many ? Math.min(1, tilted) : tilted }, (_, i) =>
          html`
            <${Point}
              key=${`turning-${i}`}
              id=${`turning-${account.name}-${i}`}
              look=${look}
              facing=${facing}
              turning=${true}
            />
          `)}
        ${!balance && !turning &&
          html`<li class="quiet fine" key="none">${say("points.none")}</li>`}
        ${turning > tilted &&
          html`
            <li class="count tray-coming quiet strong whole" key="coming">
              ${say("points.plus", { n: turning })}
            </li>
          `}
      </ul>
    </section>
  `;
}

function Point({ id, look, facing, turning }) {
  return html`
    <li
      class="point"
      data-key=${id}
      data-side=${facing ? "dark" : "light"}
      data-state=${turning ? "turning" : undefined}
    >
      <${Glyph} name=${turning ? "turning" : look.glyph || (facing ? "dark" : "light")} />
    </li>
  `;
}
