/** The characters: their sheets, which are loaded when one is opened, and their tracks. */

import { html } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { mostOf, panelsOf, plays } from "../state/game.js";
import { lookOf } from "../state/looks.js";
import { byKey, game, isGm, make, table, the } from "../state/store.js";
import { capital, say } from "../state/words.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Filled, Glyph, IconButton } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { MOST_BOXES } from "./boxes.js";

/** The numbers of a character with their rolls, and their editor: few visits open them. */
export const LivingSheet = drawnLater(
  (again) => import(`./living-sheet.js${again}`).then((made) => made.LivingSheet),
);
const OpenedCharacter = drawnLater(
  (again) => import(`./character-cards.js${again}`).then((made) => made.OpenedCharacter),
);

/** What this reader has noted or was handed, of a character or of the scene where one is named. */
export const Papers = drawnLater(
  (again) => import(`./papers.js${again}`).then((made) => made.Papers),
);

/** Open the sheet of a character, to read or at once to edit; it closes when they leave. */
export function openCharacter({ id, name }, isEdited = false) {
  openSheet(
    name,
    (close) => html`<${OpenedCharacter} id=${id} isEdited=${isEdited} close=${close} />`,
  );
}

/** The button that shows a hidden character to the players at once, and else asks what of it. */
export function Show({ one }) {
  const offer = byKey.value["character.show"];
  const isUnread = one.sheet_seen_by && (
    Object.keys(one.sheet).some((key) => !one.shown.includes(key)) ||
    Object.values(the(table).traits).some((trait) => trait.about === one.id && trait.sheet_seen_by)
  );
  if (!offer || offer.closed || !(one.seen_by || isUnread)) return null;
  const given = { who: one.id }, title = `${offer.title}: ${one.name}`;
  const tap = () => one.seen_by ? make(offer.key, given, { title }) : openMove(offer, { given });
  return html`<${IconButton} glyph="secret" label=${title} data-move=${offer.key} onTap=${tap} />`;
}

/** Whether there is more of a balance than is full, where that is an alarm. */
export const over = (n, most) => n > (most ?? n) && panelsOf("tracks")[0]?.binds.tone === "bad";

/** A balance in words: of how much, unless it may well be more. */
export const amount = (n, most) =>
  most === undefined || (n > most && !over(n, most)) ? n : say("track.of", { n, most });

/** The tracks of a character. */
export function Tracks({ one }) {
  const panel = panelsOf("tracks")[0];
  const known = the(game).accounts;
  const accounts = panel?.binds.accounts ??
    known.filter((account) => account.each === "character").map((account) => account.name);
  return html`
    <ul class="tracks cluster gap-4 lines-1">
      ${accounts.map((name, i) => {
        const own = known.find((account) => account.name === name) ?? { name, most: null };
        const full = one.sheet[panel?.binds.full?.[i] ?? ""];
        return html`
          <${Track} key=${name} one=${one} account=${own} full=${full}
            panel=${panel} />
        `;
      })}
    </ul>
  `;
}

/** A track: how full it is, and buttons for one step either way if this seat may take it. */
function Track({ one, account, full, panel }) {
  const { name } = account;
  const look = lookOf(name);
  const n = the(table).points[`${one.id}.${name}`] ?? 0;
  const cap = mostOf(account, one.id);
  const most = full ?? cap;
  const step = (key) => {
    const offer = byKey.value[key];
    return offer && !offer.closed && (isGm.value || plays(one)) &&
      (() => make(key, { who: one.id, track: name, by: 1 }, { title: offer.title }));
  };
  const [less, more] = [step(panel?.binds.down), step(panel?.binds.up)];
  // Of a character of the GM's only what they have is shown, and what can fill or be changed. A cap
  // that is worked out is there for all, also for who never has such points.
  const fills = (full ?? account.most ?? undefined) !== undefined;
  if (one.side === "gm" && !n && !fills && !less && !more) return null;
  // Points that the options of the table leave out.
  if (!n && cap === 0) return null;
  return html`
    <li class="track row" data-over=${String(over(n, most))}>
      <span class="track-name inline quiet small">
        ${look.glyph && html`<${Glyph} name=${look.glyph} />`}
        ${capital(look.plural)}
      </span>
      ${panel?.binds.drawn && most > 0 && most <= MOST_BOXES &&
        html`
          <${Filled}
            n=${n}
            most=${most}
            drawn=${panel.binds.drawn}
            label=${`${look.plural}: ${amount(n, most)}`}
          />
        `}
      ${less || more
        ? html`
          <${TrackDial} n=${n} most=${most} less=${less} more=${more} what=${look.plural}
            who=${one.name} />
        `
        : html`<strong class="count">${amount(n, most)}</strong>`}
    </li>
  `;
}

/** The balance of a track between the buttons for a step. */
function TrackDial({ n, most, less, more, what, who }) {
  return html`
    <span class="dial" role="group" aria-label=${what}>
      ${less && html`
        <button
          type="button"
          aria-label=${say("track.less", { what, who })}
          aria-disabled=${n ? undefined : "true"}
          onClick=${() => n && less()}
        >
          <${Glyph} name="minus" />
        </button>
      `}
      <output class="count">${amount(n, most)}</output>
      ${more && html`
        <button
          type="button"
          aria-label=${say("track.more", { what, who })}
          onClick=${more}
        >
          <${Glyph} name="plus" />
        </button>
      `}
    </span>
  `;
}
