/**
 * The settings of a table: its seats, invitations, house rules, the log as a file, and the settings
 * of this device.
 */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { openMove } from "../forms/move-form.js";
import { Economy } from "../sessions/economy.js";
import { alike } from "../state/folding.js";
import { NewRules } from "../screens/new-rules.js";
import { Invite, Looks } from "../screens/rarely-shown.js";
import { Offer } from "./offers.js";
import { whose } from "../ui/game-owner.js";
import { HowThisWorks } from "../ui/how-this-works.js";
import { Button, Fold, Glyph, Person } from "../ui/parts.js";
import { go } from "../state/route.js";
import { confirmed, openSheet } from "../ui/sheet.js";
import { notice, tried } from "../state/announcements.js";
import {
  byKey,
  game,
  here,
  isGm,
  leads,
  make,
  me,
  ours,
  presence,
  table,
  the,
} from "../state/store.js";
import { at, call, inLanguage } from "../state/wire.js";
import { oneOf, say } from "../state/words.js";

/** The panel of the table. */
export function Settings() {
  const undo = ["table.undo", "table.redo"].map((key) => byKey.value[key]).filter(Boolean);
  return html`
    <div class="settings stack">
      <p class="name lead">${the(table).title}</p>
      ${undo.length > 0 &&
        html`
          <div class="offers stack gap-2">
            ${undo.map((offer) => html`<${Offer} key=${offer.key} offer=${offer} says=${true} />`)}
          </div>
        `}
      <h3 class="label">${say("settings.seats")}</h3>
      <ul class="seats stack gap-1">
        ${Object.values(the(table).seats).filter((seat) => seat.here)
          .map((seat) => html`<${SeatRow} key=${seat.id} seat=${seat} />`)}
      </ul>
      ${me.value && html`
        <button
          type="button"
          class="button"
          onClick=${() =>
            openSheet(
              say("invite.title"),
              () => html`<${Invite} />`,
            )}
        >
          <${Glyph} name="link" />
          ${say(leads.value ? "settings.invite" : "settings.device")}
        </button>
      `}
      <${HowThisWorks} about="table" />
      <a class="button" href=${ours("sheets")} target="_blank" rel="noopener">
        ${say("reference.sheets")}
      </a>
      <a
        class="button"
        href=${inLanguage(`/api/systems/${the(game).key}/reference`, the(table).options.language)}
        target="_blank"
        rel="noopener"
      >
        ${say("reference.link")}
      </a>
      <${Own} />
      <${Economy} />
      <a class="button" href="/" onClick=${(e) => (e.preventDefault(), go("/"))}>
        ${say("keep.home")}
      </a>
      <${Fold} title=${say("settings.rules")}><${Rules} /><//>
      <${Fold} title=${say("settings.look")} open=${true}><${Looks} /><//>
      <${Fold} title=${say(leads.value ? "settings.keep" : "settings.save")}><${Keep} /><//>
    </div>
  `;
}

/**
 * Whose the game is, where it is none of this server's; the game master takes over what the server
 * has by now.
 */
function Own() {
  const { id, seat } = the(here);
  const look = () =>
    openSheet(
      say("rules.title"),
      (close) => html`<${NewRules} table=${id} seat=${seat} done=${close} />`,
    );
  return whose(the(game)) &&
    html`
      <p>${whose(the(game))}</p>
      ${isGm.value && the(game).own === "copy" &&
        html`<button type="button" class="button" onClick=${look}>${say("rules.look")}</button>`}
    `;
}

function SeatRow({ seat }) {
  const mayChange = isGm.value || seat.id === me.value?.id;
  const [rename, remove] = ["seat.rename", "seat.remove"].map((key) => byKey.value[key]);
  return html`
    <li class="row seat-row target">
      <${Person} name=${seat.name} side=${seat.side} there=${presence.value.includes(seat.id)} />
      <span class="grow">
        <span class="name">${seat.name}</span>
        ${" "}
        <span class="fine quiet">
          ${seat.id === me.value?.id ? say("settings.you") : oneOf("seat", seat.side)}
          ${presence.value.includes(seat.id) ? "" : ` · ${say("presence.away")}`}
        </span>
      </span>
      ${mayChange && rename && html`
        <button
          type="button"
          class="button"
          data-kind="icon"
          aria-label=${`${rename.title}: ${seat.name}`}
          title=${rename.title}
          onClick=${() => openMove(rename, { given: { seat: seat.id } })}
        >
          <${Glyph} name="settings" />
        </button>
      `}
      ${isGm.value && seat.id !== me.value?.id && html`
        <button
          type="button"
          class="button"
          data-kind="icon"
          aria-label=${say("settings.replace", { who: seat.name })}
          title=${say("settings.replace", { who: seat.name })}
          onClick=${() => replaced(seat)}
        >
          <${Glyph} name="link" />
        </button>
      `}
      ${mayChange && remove && html`
        <button
          type="button"
          class="button"
          data-kind="icon"
          aria-label=${freeing(seat)}
          title=${freeing(seat)}
          onClick=${() => removed(seat)}
        >
          <${Glyph} name="cross" />
        </button>
      `}
    </li>
  `;
}

/** What the button says that frees a seat: another player's, or one's own. */
const freeing = (seat) =>
  seat.id === me.value?.id ? say("settings.leave") : say("settings.remove", { who: seat.name });

async function removed(seat) {
  const own = seat.id === me.value?.id;
  const question = own ? say("settings.leaveSure") : say("settings.removeSure", { who: seat.name });
  if (
    await confirmed(freeing(seat), question, own ? say("settings.leave") : say("settings.removeDo"))
  ) {
    await make("seat.remove", { seat: seat.id }, { title: freeing(seat) });
  }
}

async function replaced(seat) {
  if (
    !(await confirmed(
      say("settings.replace", { who: seat.name }),
      say("settings.replaceSure", { who: seat.name }),
      say("settings.replaceDo"),
    ))
  ) return;
  const link = await tried(() =>
    call("POST", at(the(here).id, "seats", seat.id, "replace"), { seat: the(here).seat })
  );
  if (link) openSheet(seat.name, () => html`<${Invite} ready=${{ ...link, side: "device" }} />`);
}

/** The house rules, each with its sentence; the game master changes them. */
function Rules() {
  const offer = byKey.value["table.settings"];
  const rename = byKey.value["table.rename"];
  const set = (option) => (event) =>
    make("table.settings", { option, value: event.target.value }, { title: offer.title });
  return html`
    <div class="stack">
      ${rename && html`<${Offer} offer=${rename} />`}
      ${(the(game).options ?? []).map((option) =>
        html`
          <div class="field stack gap-1" key=${option.key}>
            <label for="option-${option.key}">${option.sentence || option.key}</label>
            <select
              class="select"
              id="option-${option.key}"
              value=${the(table).options[option.key] ?? option.default}
              disabled=${!offer || Boolean(offer.closed)}
              onChange=${set(option.key)}
            >
              ${option.values.map((value) =>
                html`<option key=${value} value=${value}>${option.words[value]}</option>`
              )}
            </select>
          </div>
        `
      )}
    </div>
  `;
}

/** Where the story is as text, with dates as this device has them. */
function storyAddress() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return `${ours("transcript.md")}&zone=${encodeURIComponent(timeZone ?? "")}&offset=${-new Date()
    .getTimezoneOffset()}`;
}

/** The log as a file, the transcript, and the end of the table. */
function Keep() {
  const path = at(the(here).id);
  const [state, setState] = useState(/** @type {Wire.TableState | null} */ (null));
  useEffect(() => void call("GET", ours()).then(setState, () => setState(null)), []);
  async function mark(verb, body, done) {
    const answer = await tried(() =>
      call("POST", `${path}/${verb}`, {
        seat: the(here).seat,
        confirm: the(table).title,
        ...body,
      })
    );
    if (answer === null) return;
    notice(done);
    if (body.archived || verb === "delete") go("/");
    else setState((old) => old && { ...old, closed: body.closed ? 1 : 0 });
  }
  const markIfSure = async (name, verb, body) => {
    if (await confirmed(oneOf("keep", name), oneOf("keep", `${name}Sure`), oneOf("keep", name))) {
      await mark(verb, body, oneOf("keep", `${name}Done`));
    }
  };
  return html`
    <div class="stack">
      <a class="button" href=${storyAddress()} download>${say("keep.transcript")}</a>
      <a class="button" href=${ours("export")} download>${say("keep.export")}</a>
      ${leads.value && html`
        <div class="cluster">
          ${state?.closed
            ? html`
              <${Button} onTap=${() => mark("close", { closed: false }, say("keep.reopened"))}>
                ${say("keep.reopen")}
              <//>
            `
            : html`
              <${Button} onTap=${() => markIfSure("close", "close", { closed: true })}>
                ${say("keep.close")}
              <//>
            `}
          <${Button} onTap=${() => markIfSure("archive", "archive", { archived: true })}>
            ${say("keep.archive")}
          <//>
          <${Button}
            tone="refusal"
            onTap=${() =>
              openSheet(
                say("keep.delete"),
                (close) => html`<${Delete} close=${close} mark=${mark} />`,
                { kind: "dialog" },
              )}
          >
            ${say("keep.delete")}
          <//>
        </div>
      `}
    </div>
  `;
}

/** Deleting asks for the title, typed by hand: nothing brings the table back. */
function Delete({ close, mark }) {
  const [typed, setTyped] = useState("");
  const title = the(table).title;
  const same = alike(typed) === alike(title);
  async function go() {
    close();
    await mark("delete", { confirm: typed }, say("keep.deleteDone"));
  }
  return html`
    <div class="stack">
      <p>${say("keep.deleteSure", { title })}</p>
      <div class="field stack gap-1">
        <label for="delete-title">${say("keep.deleteType")}</label>
        <input
          class="input"
          id="delete-title"
          autocomplete="off"
          value=${typed}
          onInput=${(e) => setTyped(e.target.value)}
        />
      </div>
      <div class="float-actions cluster">
        <button type="button" class="button" onClick=${close}>${say("cancel")}</button>
        <${Button} tone="refusal" disabled=${!same} onTap=${go}>${say("keep.delete")}<//>
      </div>
    </div>
  `;
}
