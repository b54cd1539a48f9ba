/**
 * The table: head and points above, the action in the middle, the main button at the thumb, the
 * rest one tap away.
 */

import { computed, html, signal, useEffect, useSignalEffect } from "../../vendor/preact.js";
import { Stage } from "./action.js";
import { useBars } from "../ui/fixed-bars.js";
import { Dock } from "./dock.js";
import { Drawer, Knock, Notes, openDrawer, Waiting, waiting } from "./drawer.js";
import {
  currentWait,
  isAsked,
  isOver,
  ordered,
  otherOffers,
  panelsOf,
  people,
  plays,
  playsNobody,
  primaryOffer,
} from "../state/game.js";
import { Announced, Glance } from "../sessions/gauge.js";
import { Goals } from "../characters/goals.js";
import { inSight } from "../dice/result.js";
import { useKeys } from "../ui/hints.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { askWhom, Boards, Invite, ScenePage } from "../screens/rarely-shown.js";
import { Log } from "../log/log.js";
import { shownLine } from "../log/shown-line.js";
import { buys, Menus } from "./menus.js";
import { FallenCards, Moments } from "./moments.js";
import { NoticePlace } from "./notices.js";
import { More, Offers } from "./offers.js";
import { opening } from "./opening.js";
import { Because, Coming, Glyph, IconButton, Person } from "../ui/parts.js";
import { Mine, Party } from "../characters/strips.js";
import { Cards, Fighters, Lists, Slots, Tracks } from "../characters/in-a-fight.js";
import { dressWorld } from "../ui/motion.js";
import { Trays } from "./points.js";
import { go, place, tableAddress } from "../state/route.js";
import { SessionButton } from "../sessions/session-button.js";
import { UndoButton } from "./undo-notice.js";
import { drawnLater } from "../ui/drawn-later.js";
import { closeSheets, openSheet } from "../ui/sheet.js";
import {
  check,
  enter,
  game,
  here,
  isGm,
  isGone,
  leave,
  line,
  me,
  presence,
  session,
  table,
  the,
} from "../state/store.js";
import { Trouble } from "../screens/connection-notice.js";
import { later } from "../state/wire.js";
import { oneOf, say } from "../state/words.js";

const WIDE = matchMedia("(min-width: 1000px)");
const wide = signal(WIDE.matches);
WIDE.addEventListener("change", () => {
  wide.value = WIDE.matches;
});

/** Whether the characters of a fight stand beside the action. */
const fights = computed(() => wide.value && ordered.value);

/** Whether this page has shown an order of turns: from then on it says when another begins. */
const hadOrder = signal(false);

/** Whether a board has places. */
const hasPlaces = computed(() =>
  panelsOf("board").some(({ binds }) =>
    Object.values(table.value?.traits ?? {}).some(({ kind }) => kind === binds.place)
  )
);

const Settings = drawnLater(
  (again) => import(`./settings.js${again}`).then((made) => made.Settings),
);
const People = drawnLater(
  (again) => import(`../characters/character-cards.js${again}`).then((made) => made.People),
);
const fairDice = later((again) => import(`../dice/fair-dice.js${again}`));

/** The views of a phone: the play, or one of the panels that are beside it on a large screen. */
const view = signal("play");
const VIEWS = [["play", "storypool"], ["log", "log"], ["people", "people"], ["table", "settings"]];
const GM_VIEWS = [VIEWS[0], ["scene", "gm"], ...VIEWS.slice(1)];

/** What stands beside the action on a large screen: a game master has the scene above the log. */
const sidePanel = () =>
  view.value !== "play"
    ? view.value
    : isGm.value && the(table).running.includes("scene")
    ? "scene"
    : "log";

/** The screen of one table, for the seat that the address names. */
export function TableScreen({ id }) {
  const asked = place.value.query.get("seat");
  const seats = session.value?.seats.filter((seat) => seat.table === id) ?? [];
  const seat = seats.find((one) => one.seat === asked)?.seat ?? seats[0]?.seat;
  useEffect(() => {
    if (!seat) return undefined;
    view.value = "play";
    enter(id, seat);
    return leave;
  }, [id, seat]);
  if (!seat || isGone.value) {
    return html`<${Gone} why=${line.value === "deleted" ? "deleted" : "out"} />`;
  }
  // What is kept may still be the table that was open before.
  const coming = here.value?.id !== id || the(here).seat !== seat || !table.value || !me.value;
  if (coming) {
    const text = say(line.value === "lost" ? "line.lost" : "line.coming");
    return html`<${Coming}>${html`<p class="quiet" role="status">${text}</p>`}<//>`;
  }
  return html`<${Table} />`;
}

function Gone({ why }) {
  const text = why === "deleted" ? say("gone.deleted") : say("gone.out");
  return html`
    <main class="screen stack gap-5">
      <header class="home-head stack centre gap-2 text-centre">
        <${Glyph} name="storypool" size="72" extra="home-mark" />
        <h1 class="result">${say("home.name")}</h1>
      </header>
      <${Because}
        refusal=${{ text, remedy: why === "deleted" ? "" : say("gone.outRemedy"), rule: "" }}
      />
      <div class="screen-foot stack gap-2">
        <a class="button" href="/" onClick=${(e) => (e.preventDefault(), go("/"))}>
          ${say("keep.home")}
        </a>
      </div>
    </main>
  `;
}

function Table() {
  const look = the(table).options.look ?? "game";
  const own = look === "game";
  const world = own ? the(game).world : look;
  useEffect(() => dressWorld(world === "tide" ? "" : world, own ? the(game).hues : {}), [
    look,
    the(game),
  ]);
  useEffect(() => () => dressWorld(""), []);
  useTitle();
  useBars();
  useKeys({
    view: () => view.value,
    next: () => document.getElementById("primary")?.focus(),
    ...Object.fromEntries(VIEWS.map(([name]) => [name, () => show(name)])),
  });
  useFirstMinute();
  useSignalEffect(() => {
    if (ordered.value) hadOrder.value = true;
  });
  useSignalEffect(() => {
    if (shownLine.value) show("log");
  });
  useSignalEffect(() => {
    if (wide.value) closeSheets("drawer");
  });
  // Without it this page has no proof of its rolls, and nobody is kept from playing: it is tried
  // again with the line.
  useSignalEffect(() => {
    if (line.value === "live") fairDice().catch(() => {});
  });
  const layout = layoutNow();
  return html`
    <div class="table" data-view=${view.value}>
      <a class="skip-link strong" href="#main">${say("skip")}</a>
      <${Head} />
      <main class="table-main" id="main" tabindex="-1">
        <${Side} />
        <${Middle} ...${layout} />
        <${Right} ...${layout} />
        <div class="thumb stack gap-1">
          <${Trouble} />
          <${NoticePlace} />
          <${Announced} />
          <${Knock} />
          ${!layout.hasStripsAbove && !fights.value && html`<${Mine} hands=${layout.hasHands} />`}
          <${Dock} />
        </div>
      </main>
      <${Views} />
      <${Moments} />
    </div>
  `;
}

/** Where the things of the table stand at present. */
function layoutNow() {
  return {
    // On a phone the action comes first; else the board and goals are above it.
    actionFirst: Boolean(inSight.value) && !wide.value,
    // What the roll can buy stands right below its result.
    buying: buys.value && !wide.value,
    // In a fight a phone has no room for the strips at the thumb.
    hasStripsAbove: ordered.value && !wide.value,
    // On a phone a hand is in reach of the thumb.
    hasHands: panelsOf("cards").length > 0 && !wide.value && me.value?.side === "player",
    // What fell before is no news to a player who is about to roll on a phone; on a large screen it
    // leaves what was rolled its place.
    rolling: Boolean(wide.value ? inSight.value : check.value),
  };
}

/** The panel beside the action: the log, the characters or the table. */
function Side() {
  const panel = sidePanel();
  return html`
    <section class="side" aria-label=${oneOf("view", panel)} data-panel=${panel}>
      <h2 class="visually-hidden">${oneOf("view", panel)}</h2>
      ${panel === "scene" &&
        html`<${ScenePage} beside=${wide.value} aloud=${opening.value?.texts ?? []} />`}
      ${(panel === "log" || (panel === "scene" && wide.value)) &&
        html`
          <${Log}
            beside=${html`
              <${UndoButton} small />
              ${!(wide.value && isOver()) && html`<${SessionButton} small />`}
            `}
          />
        `}
      ${panel === "people" && html`<${People} addOne=${askWhom} />`}
      ${panel === "table" && html`<${Settings} />`}
    </section>
  `;
}

/** The action with what is around it. After a session its recap comes first. */
function Middle({ actionFirst, buying, hasStripsAbove, hasHands, rolling }) {
  return html`
    <div class="middle stack gap-4">
      ${isOver() && html`<${Stage} />`}
      ${!rolling && html`<${FallenCards} />`}
      ${hasStripsAbove
        ? html`
          <div class="turns stack gap-2">
            <${Slots} />
            <${Mine} hands=${hasHands} />
          </div>
        `
        : hadOrder.value && html`<${Slots} />`}
      ${fights.value && html`<${Fighters} />`}
      ${!actionFirst && html`<${Tracks} />`}
      ${!isOver() && html`<${Stage} />`}
      ${rolling && html`<${FallenCards} />`}
      ${actionFirst && html`<${Tracks} />`}
      ${panelsOf("cards").length > 0 && html`<${Cards} reach=${hasHands} />`}
      ${!buying && html`<${Lists} />`}
      <${NobodyYet} />
      ${!actionFirst && html`
        <${Goals} />
        ${hasPlaces.value && html`<${Boards} />`}
      `}
      ${wide.value && html`<${Glance} />`}
    </div>
  `;
}

/** What this seat can do. */
function Right({ actionFirst, buying }) {
  return html`
    <aside class="right stack gap-4" aria-label=${say("offers.label")}>
      <h2 class="visually-hidden">${say("offers.label")}</h2>
      ${wide.value && !fights.value && (isGm.value || me.value?.side === "spectator") &&
        html`<${Party} />`}
      <${Offers} beside=${wide.value && isGm.value}><${Menus} /><//>
      ${buying && html`<${Lists} />`}
      <${Beside} />
      ${!isGm.value && html`
        <${Waiting} />
        <${Notes} />
        <${More} offers=${otherOffers.value} title=${say("drawer.others")} />
      `}
      ${actionFirst && html`
        <${Goals} />
        ${hasPlaces.value && html`<${Boards} />`}
      `}
      ${!wide.value && html`
        <${UndoButton} />
        <${Glance} />
      `}
    </aside>
  `;
}

/** The tabs of the views: what is shown on a phone, and beside the action on a large screen. */
function Views() {
  const isShown = (name) => name === (wide.value ? sidePanel() : view.value);
  const isDue = isAsked.value && view.value !== "play";
  return html`
    <nav class="views" aria-label=${say("view.label")}>
      ${(isGm.value ? GM_VIEWS : VIEWS).map(([name, glyph]) =>
        html`
          <button
            type="button"
            class="tab stack centre gap-0 fine strong quiet"
            key=${name}
            data-view=${name}
            aria-current=${isShown(name) ? "page" : undefined}
            onClick=${() => show(name)}
          >
            <${Glyph} name=${glyph} />
            <span class="one-line">${oneOf("view", name)}</span>
            ${name === "play" && isDue && html`
              <span class="dot"><span class="visually-hidden">${say("dock.yours")}</span></span>
            `}
          </button>
        `
      )}
    </nav>
  `;
}

/** The drawer of a large screen, which stays in its place while an action is open. */
function Beside() {
  if (!wide.value || !isGm.value) return null;
  return html`
    <section class="drawer-place card stack gap-4 full measure" aria-label=${say("drawer.title")}>
      <h2>${say("drawer.title")}</h2>
      <${Drawer} />
    </section>
  `;
}

function show(name) {
  view.value = name;
  if (!wide.value) scrollTo(0, 0);
}

const scene = computed(() => {
  const { titles, periods } = the(table);
  return periods.scene ? titles.scene || say("head.scene", { n: periods.scene }) : "";
});

/** On a phone so many people fit beside the title; the others are counted. */
const MOST_HERE = 4;

/**
 * Who is at the table, and who of them is here now; where only some have room, the reader is among
 * them.
 */
function Here({ seats }) {
  const named = ({ id, name }) =>
    presence.value.includes(id) ? name : `${name}: ${say("presence.away")}`;
  const most = wide.value || seats.length <= MOST_HERE + 1 ? seats.length : MOST_HERE;
  const first = seats.slice(0, most);
  const own = seats.find(({ id }) => id === me.value?.id);
  const shownSeats = own && !first.includes(own) ? [...first.slice(1), own] : first;
  const rest = seats.filter((seat) => !shownSeats.includes(seat));
  return html`
    <ul class="people-here" aria-label=${say("presence.label")}>
      ${shownSeats.map((seat) =>
        html`
          <li key=${seat.id} title=${seat.name}>
            <${Person}
              name=${seat.name}
              side=${seat.side}
              there=${presence.value.includes(seat.id)}
              size="small"
            />
            <span class="visually-hidden">${named(seat)}</span>
          </li>
        `
      )}
      ${rest.length > 0 && html`
        <li class="count fine quiet" key="rest">
          <span aria-hidden="true">${say("presence.more", { n: rest.length })}</span>
          <span class="visually-hidden">${rest.map(named).join(", ")}</span>
        </li>
      `}
    </ul>
  `;
}

function Head() {
  const running = the(table).running.includes("session");
  const seats = Object.values(the(table).seats).filter((seat) => seat.here);
  const place = useSpeaking(running && the(table).periods.scene, RANKS.scene);
  return html`
    <header class="table-head stack gap-2 ruled">
      <div class="head-row row target">
        <a
          class="head-words row gap-1 grow"
          href="/"
          title=${`${the(table).title}: ${say("keep.home")}`}
          ref=${place}
          onClick=${(e) => (e.preventDefault(), go("/"))}
        >
          <${Glyph} name="chevron" size="16" />
          <div class="head-title grow">
            <h1 class="one-line">${the(table).title}</h1>
            <p class="fine quiet">
              ${running ? scene.value : say("head.noSession")}
              ${the(table).running.includes("round")
                ? ` · ${say("head.round", { n: the(table).periods.round })}`
                : ""}
            </p>
          </div>
        </a>
        <${Here} seats=${seats} />
        ${isGm.value &&
          html`
            <button
              type="button"
              class="here-more centred"
              aria-label=${say("invite.title")}
              title=${say("settings.invite")}
              onClick=${() => openSheet(say("invite.title"), () => html`<${Invite} />`)}
            >
              <span class="person centred" data-size="small" data-there="false">
                <${Glyph} name="plus" size="16" />
              </span>
            </button>
          `}
        <${Line} />
        ${isGm.value && !wide.value && html`
          <span class="drawer-button whole">
            <${IconButton}
              glyph="gm"
              label=${say("drawer.open", { n: waiting.value })}
              onTap=${openDrawer}
            />
            ${waiting.value > 0 &&
              html`
                <span class="badge count centred fine" aria-hidden="true">${waiting.value}</span>
              `}
          </span>
        `}
      </div>
      <${Trays} />
    </header>
  `;
}

function Line() {
  const live = line.value === "live";
  return html`
    <span
      class="line centred whole"
      data-live=${String(live)}
      title=${say(live ? "line.live" : "line.lost")}
    >
      <${Glyph} name=${live ? "live" : "lost"} label=${say(live ? "line.live" : "line.lost")} />
    </span>
  `;
}

/** Offers a character to a player who has none, while the dock speaks of something else. */
function NobodyYet() {
  if (!playsNobody.value || (!currentWait.value && !primaryOffer.value)) return null;
  return html`
    <div class="nobody card stack centre text-centre">
      <p>${say("whom.none")}</p>
      <button type="button" class="button" onClick=${askWhom}>${say("whom.title")}</button>
    </div>
  `;
}

/**
 * Shows the links once after a table was opened, and the choice of a character once after a seat
 * was taken.
 */
function useFirstMinute() {
  useEffect(() => {
    const { query } = place.value;
    if (query.has("invite")) openSheet(say("invite.first"), () => html`<${Invite} />`);
    else if (query.has("who") && !people.value.some(plays)) askWhom();
    if (query.has("invite") || query.has("who")) {
      go(tableAddress(the(here).id, the(here).seat), { quietly: true });
    }
  }, []);
}

/** Shows in the title of the tab that it is your move. */
function useTitle() {
  useSignalEffect(() => {
    const title = table.value?.title ?? say("home.name");
    document.title = waiting.value ? say("tab.yours", { title }) : title;
  });
  useEffect(() => () => {
    document.title = say("home.name");
  }, []);
}
