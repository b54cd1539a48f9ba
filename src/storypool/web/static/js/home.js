/** Home: the tables of this browser, and the first minute of a new one. */

import { html, useEffect, useId, useRef, useState } from "../vendor/preact.js";
import { kept } from "./memory.js";
import { Button, Fold, Glyph, Because, useOnce } from "./parts.js";
import { go, tableAddress } from "./route.js";
import { openSheet } from "./sheet.js";
import { learnSession, session } from "./store.js";
import { call } from "./wire.js";
import { listed, oneOf, say } from "./words.js";
import { Looks } from "./looks.js";

/** The tables at which this browser has seats, the last played first. */
export function Home() {
  const [tables, list] = useState(null);
  const [games, know] = useState([]);
  const [trouble, meet] = useState(null);
  useEffect(() => {
    look().catch((error) => meet(error.refusal));
  }, []);
  async function look() {
    const { seats, host } = await learnSession();
    list(seats.length || host ? await call("GET", "/api/tables") : []);
    know(await call("GET", "/api/systems"));
  }
  const open = (tables ?? []).filter((table) => !table.archived);
  const old = (tables ?? []).filter((table) => table.archived);
  return html`<main class="screen home">
    <header class="home-head"><${Glyph} name="storypool" size="48" extra="home-mark" /><h1>${say("home.name")}</h1><p class="quiet">${say("home.about")}</p></header>
    ${trouble && html`<${Because} refusal=${trouble} />`}
    ${open.length > 0 && html`<section class="stack"><h2 class="label">${say("home.tables")}</h2>${open.map((table) => html`<${TableCard} key=${table.id} table=${table} games=${games} />`)}</section>`}
    ${tables && !open.length && html`<p class="quiet home-none">${say(session.value?.may_open ? "home.none" : "home.noneHost")}</p>`}
    ${old.length > 0 && html`<${Fold} title=${say("home.archive")} level=${2}><div class="stack">${old.map((table) => html`<${TableCard} key=${table.id} table=${table} games=${games} />`)}</div><//>`}
    <div class="screen-foot">
      ${session.value?.may_open && html`<button type="button" class="button" data-kind="primary" id="primary" onClick=${() => openSheet(say("new.title"), (close) => html`<${NewTable} close=${close} />`)}>${say("home.new")}</button>
        <${Import} />`}
      <button type="button" class="button" data-kind="plain" onClick=${() => openSheet(say("settings.look"), () => html`<${Looks} />`)}><${Glyph} name="settings" />${say("settings.look")}</button>
    </div>
  </main>`;
}

function TableCard({ table, games }) {
  const game = games.find((one) => one.key === table.system)?.name ?? "";
  const when = new Date(table.changed).toLocaleDateString([], { dateStyle: "medium" });
  const played = kept("played", {});
  const seats = [...table.seats].sort((a, b) => (played[`${table.id}/${b.id}`] ?? 0) - (played[`${table.id}/${a.id}`] ?? 0));
  const address = tableAddress(table.id, seats[0]?.id ?? "");
  const enter = (seat) => (event) => {
    event.preventDefault();
    go(tableAddress(table.id, seat));
  };
  return html`<article class="card table-card">
    <a class="table-link" href=${address} onClick=${enter(seats[0]?.id ?? "")}><h3 class="name">${table.title}</h3></a>
    <p class="fine quiet">${[game, say("home.played", { when }), table.closed ? say("home.closed") : ""].filter(Boolean).join(" · ")}</p>
    <p class="fine">${say("home.as", { who: listed(seats.map((seat) => `${seat.name} (${oneOf("side", seat.side)})`)) })}</p>
    ${seats.length > 1 && html`<div class="cluster">${seats.map((seat) => html`<a class="chip" key=${seat.id} href=${tableAddress(table.id, seat.id)} onClick=${enter(seat.id)}>${seat.name}</a>`)}</div>`}
  </article>`;
}

/** A game, a name for the table, a name for you: that is all it takes. */
function NewTable({ close }) {
  const id = useId();
  const [games, learn] = useState([]);
  const [chosen, choose] = useState("");
  const [title, name] = useState("");
  const [who, call_] = useState("");
  const [options, set] = useState({});
  const [rules, know] = useState([]);
  const [trouble, meet] = useState(null);
  useEffect(() => {
    call("GET", "/api/systems").then((all) => (learn(all), all.length === 1 && choose(all[0].key)), (error) => meet(error.refusal));
  }, []);
  useEffect(() => {
    set({});
    if (chosen) call("GET", `/api/systems/${chosen}`).then((system) => know(system.options), () => know([]));
  }, [chosen]);
  const [waiting, open] = useOnce(async () => {
    if (!chosen) return meet({ text: say("new.which"), remedy: "", rule: "" });
    try {
      const made = await call("POST", "/api/tables", { system: chosen, title: title.trim() || games.find((one) => one.key === chosen).name, name: who.trim() || say("new.gm"), options });
      await learnSession();
      close();
      go(`${tableAddress(made.table, made.seat.id)}&invite`);
    } catch (error) {
      if (!error.refusal) throw error;
      meet(error.refusal);
    }
  });
  return html`<form class="stack form" onSubmit=${open}>
    <fieldset class="picks"><legend class="label">${say("new.game")}</legend><div class="stack tight">
      ${games.map((game) => html`<label class="pick wide" key=${game.key}><input type="radio" name=${id} checked=${chosen === game.key} onChange=${() => choose(game.key)} /><span class="pick-face"><span class="name">${game.name}</span><span class="fine quiet">${game.about}</span></span></label>`)}
    </div></fieldset>
    ${chosen && html`<a class="button" data-kind="plain" href="/api/systems/${chosen}/reference" target="_blank" rel="noopener">${say("reference.link")}</a>`}
    <div class="field"><label for="${id}-title">${say("new.table")}</label><input class="input" id="${id}-title" maxlength="80" autocomplete="off" placeholder=${say("new.tableHint")} value=${title} onInput=${(e) => name(e.target.value)} /></div>
    <div class="field"><label for="${id}-who">${say("new.you")}</label><input class="input" id="${id}-who" maxlength="40" autocomplete="off" placeholder=${say("new.gm")} value=${who} onInput=${(e) => call_(e.target.value)} /></div>
    ${rules.length > 0 && html`<${Fold} title=${say("new.rules")}><div class="stack">${rules.map((option) => html`<div class="field" key=${option.key}><label for="${id}-${option.key}">${option.sentence || option.key}</label>
      <select class="select" id="${id}-${option.key}" value=${options[option.key] ?? option.default} onChange=${(e) => set({ ...options, [option.key]: e.target.value })}>${option.values.map((value) => html`<option key=${value} value=${value}>${option.words[value]}</option>`)}</select></div>`)}</div><//>`}
    ${trouble && html`<div role="alert"><${Because} refusal=${trouble} /></div>`}
    <div class="form-foot"><button type="button" class="button" onClick=${close}>${say("cancel")}</button>
      <button type="submit" class="button" data-kind="primary" aria-busy=${waiting ? "true" : undefined}>${say("new.open")}</button></div>
  </form>`;
}

/** A table from an exported file. */
function Import() {
  const input = useRef(null);
  const [trouble, meet] = useState(null);
  async function load(event) {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    meet(null);
    try {
      const made = await call("POST", "/api/tables/import", file);
      await learnSession();
      go(tableAddress(made.table, made.seat.id));
    } catch (error) {
      if (!error.refusal) throw error;
      meet(error.refusal);
    }
  }
  return html`<input type="file" class="visually-hidden" ref=${input} accept=".jsonl,.ndjson,.json,application/x-ndjson" tabindex="-1" aria-hidden="true" onChange=${load} />
    <${Button} onTap=${() => input.current.click()}>${say("home.import")}<//>
    ${trouble && html`<div role="alert"><${Because} refusal=${trouble} /></div>`}`;
}
