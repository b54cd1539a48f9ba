/** Home: the tables of this browser, and the first minute of a new one. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { kept } from "../state/browser-storage.js";
import { Looks, NewTable } from "./rarely-shown.js";
import { dateOf, isTwin } from "./table-names.js";
import { Alert, Because, Button, Fold, Glyph } from "../ui/parts.js";
import { go, tableAddress } from "../state/route.js";
import { openSheet } from "../ui/sheet.js";
import { useFoot } from "../ui/fixed-bars.js";
import { tried } from "../state/announcements.js";
import { learnSession, session, speak } from "../state/store.js";
import { Standing } from "./connection-notice.js";
import { at, call, troubleIn } from "../state/wire.js";
import { listed, oneOf, say } from "../state/words.js";

/** The tables at which this browser has seats, the last played first. */
export function Home() {
  const [tables, setTables] = useState(/** @type {Wire.TableListed[] | null} */ (null));
  const [games, setGames] = useState(/** @type {Wire.GameListed[]} */ ([]));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const place = useRef(null);
  useFoot(place);
  useEffect(() => {
    look().catch((error) => setError(error.refusal));
  }, []);
  async function look() {
    await speak();
    const { seats, host } = await learnSession();
    setTables(seats.length || host ? await call("GET", "/api/tables") : []);
    setGames(await call("GET", "/api/systems"));
  }
  const all = tables ?? [];
  const open = all.filter((table) => !table.archived);
  const twin = (one) => isTwin(one, all);
  const archived = all.filter((table) => table.archived);
  return html`
    <main class="screen home stack gap-5" ref=${place}>
      <header class="home-head stack centre gap-2 text-centre">
        <${Glyph} name="storypool" size="72" extra="home-mark" />
        <h1 class="result">${say("home.name")}</h1>
        <p class="quiet">${say("home.about")}</p>
      </header>
      <div class="banners stack gap-1"><${Standing} /></div>
      ${error && html`<${Because} refusal=${error} />`}
      ${open.length > 0 &&
        html`
          <section class="stack">
            <h2 class="label">${say("home.tables")}</h2>
            ${open.map((table) =>
              html`
                <${TableCard}
                  key=${table.id}
                  table=${table}
                  games=${games}
                  twin=${twin(table)}
                  first=${table === open[0]}
                />
              `
            )}
          </section>
        `}
      ${tables && !open.length &&
        html`
          <p class="quiet home-none text-centre measure">
            ${say(session.value?.may_open ? "home.none" : "home.noneHost")}
          </p>
        `}
      ${archived.length > 0 && html`
        <${Fold} title=${say("home.archive")} level=${2}>
          ${html`
            <div class="stack">
              ${archived.map((table) =>
                html`
                  <${TableCard} key=${table.id} table=${table} games=${games} twin=${twin(table)} />
                `
              )}
            </div>
          `}
        <//>
      `}
      <${Foot} open=${open} />
    </main>
  `;
}

/** What to do from here: go on with the table played last, open another one, and all else. */
function Foot({ open }) {
  return html`
    <div class="screen-foot stack gap-2">
      ${open[0]?.seats.length > 0 &&
        html`
          <${Button} kind="primary" onTap=${() => enter(open[0])}>
            ${html`<span class="grow">${say("home.continue", open[0])}</span>`}
          <//>
        `}
      ${session.value?.may_open && html`
        <div class="cluster">
          <button
            type="button"
            class="button grow"
            data-kind=${open.length ? undefined : "primary"}
            id="primary"
            onClick=${() =>
              openSheet(say("new.title"), (close) => html`<${NewTable} close=${close} />`)}
          >
            ${say("home.new")}
          </button>
          <${Import} />
        </div>
      `}
      <div class="cluster centre">
        ${session.value?.workshop &&
          html`<a class="button" data-kind="plain" href="/workshop">${say("home.workshop")}</a>`}
        <a class="button" data-kind="plain" href="/gallery">${say("home.gallery")}</a>
        <a class="button" data-kind="plain" href="/help">${say("reference.help")}</a>
        <button
          type="button"
          class="button"
          data-kind="plain"
          onClick=${() => openSheet(say("settings.look"), () => html`<${Looks} />`)}
        >
          <${Glyph} name="settings" />
          ${say("settings.look")}
        </button>
      </div>
    </div>
  `;
}

/** The seats of this browser at a table, the one played last first. */
function seatsOf({ id, seats }) {
  const played = kept("played", {});
  return [...seats].sort((a, b) => (played[`${id}/${b.id}`] ?? 0) - (played[`${id}/${a.id}`] ?? 0));
}

/**
 * Go to a table; the host may mint links for game masters, and needs a link to take a seat like
 * everybody else.
 */
async function enter(table) {
  const [seat] = seatsOf(table);
  const link = seat
    ? { path: tableAddress(table.id, seat.id) }
    : await tried(() => call("POST", at(table.id, "links"), { side: "gm" }));
  if (link) go(link.path);
}

/** The game of a table, and when it was played; to the minute where two have one name. */
function aboutTable(table, games, twin) {
  return [
    games.find((one) => one.key === table.system)?.name,
    say("home.played", { when: dateOf(table.changed, twin) }),
    table.closed && say("home.closed"),
  ].filter(Boolean).join(" · ");
}

/**
 * A table. The button of the `first` is the next step where it has no seat of ours.
 */
function TableCard({ table, games, twin, first = false }) {
  const about = aboutTable(table, games, twin);
  const seats = seatsOf(table);
  const sit = (seat) => (event) => {
    event.preventDefault();
    go(tableAddress(table.id, seat));
  };
  if (!seats.length) {
    return html`
      <article class="card table-card stack gap-1">
        <h3 class="name">${table.title}</h3>
        <p class="fine quiet">${about}</p>
        <${Button} kind=${first ? "primary" : ""} onTap=${() => enter(table)}>
          <${Glyph} name="gm" />
          ${say("home.recover")}
        <//>
      </article>
    `;
  }
  const address = tableAddress(table.id, seats[0].id);
  return html`
    <article class="card table-card stack gap-1">
      <a class="table-link lead" href=${address} onClick=${sit(seats[0].id)}>
        <h3 class="name">${table.title}</h3>
      </a>
      <p class="fine quiet">${about}</p>
      <p class="fine">
        ${say("home.as", {
          who: listed(seats.map((seat) => `${seat.name} (${oneOf("side", seat.side)})`)),
        })}
      </p>
      ${table.people.length > 0 &&
        html`<p class="fine quiet">${say("home.with", { who: listed(table.people) })}</p>`}
      ${seats.length > 1 && html`<${OwnSeats} table=${table} seats=${seats} sit=${sit} />`}
    </article>
  `;
}

/** The seats of this browser at one table. */
function OwnSeats({ table, seats, sit }) {
  return html`
    <div class="cluster">
      ${seats.map((seat) =>
        html`
          <a
            class="chip inline target small"
            key=${seat.id}
            href=${tableAddress(table.id, seat.id)}
            onClick=${sit(seat.id)}
          >
            ${seat.name}
          </a>
        `
      )}
    </div>
  `;
}

/** A table from an exported file. */
function Import() {
  const input = useRef(null);
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  async function load(event) {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    setError(null);
    try {
      const made = await call("POST", "/api/tables/import", file);
      await learnSession();
      go(tableAddress(made.table, made.seat.id));
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  }
  return html`
    <input
      type="file"
      class="visually-hidden"
      ref=${input}
      accept=".jsonl,.ndjson,.json,application/x-ndjson"
      tabindex="-1"
      aria-hidden="true"
      onChange=${load}
    />
    <${Button} onTap=${() => input.current.click()}>${say("home.import")}<//>
    <${Alert} refusal=${error} />
  `;
}
