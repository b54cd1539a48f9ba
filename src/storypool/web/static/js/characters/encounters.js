/**
 * Encounters of a game master: who comes, how many and where, and how even a fight would be; and
 * packs, the files in which they go to other tables. They come with the papers.
 */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { openForm } from "../forms/move-form.js";
import { draftOf } from "../forms/drafts.js";
import { people } from "../state/game.js";
import { byKey, here, make, preview, refused, table, the } from "../state/store.js";
import { at, call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";
import { isolated } from "../ui/bidi.js";
import { Alert, Because, Button, Fold, Glyph, IconButton, useOnce } from "../ui/parts.js";
import { confirmed, openSheet } from "../ui/sheet.js";
import { useLateWords } from "./late-words.js";

/** So many bytes are no pack. */
const MOST_BYTES = 150_000;

const path = (...parts) => at(the(here).id, ...parts);
const ofSeat = (query = {}) => new URLSearchParams({ seat: the(here).seat, ...query });
const open = (key) => {
  const offer = byKey.value[key];
  return offer && !offer.closed ? offer : null;
};

/** Opens the encounters. */
export function EncountersButton() {
  if (!useLateWords()) return null;
  const title = say("encounters.title");
  return html`
    <div>
      <${Button} data-opens="encounters" onTap=${() =>
        openSheet(title, () => html`<${Encounters} />`)}>
        ${title}
      <//>
    </div>
  `;
}

/** What the server says of the encounters as they are now: [the list or null, the refusal]. */
function useEncounters() {
  const [found, setFound] = useState(/** @type {Wire.EncounterShown[] | null} */ (null));
  const [refusal, setRefusal] = useState(/** @type {Wire.RefusalShown | null} */ (null));
  useEffect(() => {
    let current = true;
    call("GET", `${path("encounters")}?${ofSeat()}`).then((state) => {
      if (!current) return;
      setFound(state.encounters);
      setRefusal(null);
    }, (error) => current && setRefusal(troubleIn(error).refusal));
    return () => {
      current = false;
    };
  }, [the(table).seq]);
  return /** @type {const} */ ([found, refusal]);
}

function Encounters() {
  const [found, refusal] = useEncounters();
  const prepare = open("encounter.prepare");
  return html`
    <div class="encounters stack gap-5">
      ${refusal && html`<${Because} refusal=${refusal} />`}
      ${!found && !refusal && html`<p class="quiet" role="status">${say("picture.wait")}</p>`}
      ${found?.length === 0 && html`<p class="quiet">${say("encounters.none")}</p>`}
      ${found?.map((one) => html`<${Encounter} key=${one.id} one=${one} />`)}
      ${found?.some(({ weight }) => weight) &&
        html`<p class="fine quiet">${say("encounters.guide")}</p>`}
      ${prepare && html`
        <div>
          <${Button} data-move=${prepare.key} onTap=${() => openWeighed(prepare)}>
            <${Glyph} name="plus" />
            ${prepare.title}
          <//>
        </div>
      `}
      <${Fold} title=${say("encounters.packs")} level=${3}>
        ${html`<${Packs} encounters=${found ?? []} />`}
      <//>
    </div>
  `;
}

/** Open the form of an encounter, which says how even the fight would be as it is answered. */
function openWeighed(offer, given = {}) {
  const look = async (args, signal) => {
    const found = await preview(offer.key, args, false, signal);
    const body = { seat: the(here).seat, args };
    const state = await call("POST", path("encounters"), body, { signal }).catch(() => null);
    return { ...found, offer: { ...found.offer, caution: state?.weight?.text ?? "" } };
  };
  openForm(offer, {
    given,
    look,
    send: (args, token) => make(offer.key, args, { token, title: offer.title }),
    draft: draftOf(offer.key, given, false),
  });
}

/** An encounter, with one tap to bring it in. */
function Encounter({ one }) {
  const given = { id: one.id };
  const [bring, edit, remove] = ["bring", "edit", "remove"].map((key) => open(`encounter.${key}`));
  const removed = async ({ key, title }) =>
    (await confirmed(one.title, say("encounters.sure"), title)) && make(key, given, { title });
  const notes = [
    one.where,
    one.hidden && say("encounters.hidden"),
    one.came > 0 && say("encounters.came", { n: one.came }),
  ].filter(Boolean);
  return html`
    <article class="card stack gap-2" data-encounter=${one.id} aria-label=${one.title}>
      <h3 class="name">${isolated(one.title)}</h3>
      <ul class="stack">${one.who.map((who) => html`<li key=${who}>${isolated(who)}</li>`)}</ul>
      ${notes.length > 0 && html`<p class="fine quiet">${notes.map(isolated).join(" · ")}</p>`}
      ${one.weight && html`
        <p class="small" data-level=${one.weight.level}>${isolated(one.weight.text)}</p>
      `}
      ${one.closed && html`<p class="small quiet">${one.closed}</p>`}
      <div class="cluster">
        ${bring && !one.closed && html`
          <${Button}
            kind="primary"
            data-move=${bring.key}
            onTap=${() => make(bring.key, given, { title: bring.title })}
          >
            ${say("encounters.bring")}
          <//>
        `}
        ${edit && html`
          <${Button} data-move=${edit.key} onTap=${() => openWeighed(edit, given)}>
            ${say("encounters.edit")}
          <//>
        `}
        ${remove && html`
          <${IconButton}
            glyph="cross"
            label=${`${remove.title}: ${one.title}`}
            data-move=${remove.key}
            onTap=${() => removed(remove)}
          />
        `}
      </div>
    </article>
  `;
}

function Packs({ encounters }) {
  const take = open("pack.take");
  return html`
    <div class="stack gap-4">
      <p class="quiet">${say("encounters.packsAbout")}</p>
      <${SavePack} encounters=${encounters} />
      ${take && html`<${TakePack} offer=${take} />`}
    </div>
  `;
}

/** Chooses encounters and NPCs, and saves them as a file. */
function SavePack({ encounters }) {
  const [left, setLeft] = useState(/** @type {string[]} */ ([]));
  const npcs = people.value.filter(({ side }) => side === "gm");
  const all = [
    ...encounters.map(({ id, title }) => ({ id, name: title })),
    ...npcs.map(({ id, name }) => ({ id, name })),
  ];
  const chosen = all.map(({ id }) => id).filter((id) => !left.includes(id));
  if (!all.length) return null;
  const toggle = (id) =>
    setLeft(left.includes(id) ? left.filter((other) => other !== id) : [...left, id]);
  const query = ofSeat({ chosen: chosen.join(",") });
  return html`
    <fieldset class="stack gap-1">
      <legend class="label">${say("encounters.chosen")}</legend>
      ${all.map(({ id, name }) =>
        html`
          <label class="choice row gap-3 target" key=${id}>
            <input
              type="checkbox"
              checked=${!left.includes(id)}
              onChange=${() => toggle(id)}
            />
            <span>${isolated(name)}</span>
          </label>
        `
      )}
      ${chosen.length > 0 && html`
        <div>
          <a class="button" href=${`${path("pack")}?${query}`} download>
            ${say("encounters.save")}
          </a>
        </div>
      `}
    </fieldset>
  `;
}

/** Reads a pack from a file, shows what comes with it, and takes it. */
function TakePack({ offer }) {
  const [text, setText] = useState("");
  const [shown, setShown] = useState(/** @type {Wire.PackState | null} */ (null));
  const [error, setError] = useState(/** @type {Partial<Wire.RefusalShown> | null} */ (null));
  const [, load] = useOnce(async (/** @type {any} */ event) => {
    const [file] = event.target.files;
    if (!file) return;
    setShown(null);
    setError(null);
    try {
      if (file.size > MOST_BYTES) return setError({ text: say("encounters.long"), remedy: "" });
      const pack = await file.text();
      setShown(await call("POST", path("pack"), { seat: the(here).seat, pack }));
      setText(pack);
    } catch (trouble) {
      setError(troubleIn(trouble).refusal);
    }
  });
  const [taking, take] = useOnce(async () => {
    if (await make(offer.key, { pack: text }, { title: offer.title })) return setShown(null);
    setError(refused.value?.refusal ?? null);
    refused.value = null;
  });
  return html`
    <div class="stack gap-2">
      <div>
        <label class="button file-button">
          <${Glyph} name="plus" />
          ${say("encounters.choose")}
          <input
            class="visually-hidden"
            type="file"
            accept="application/json,.json"
            onChange=${load}
          />
        </label>
      </div>
      ${error && html`<${Alert} refusal=${error} />`}
      ${shown && html`
        <div class="card stack gap-2" data-pack>
          <h4 class="label">${say("encounters.comes")}</h4>
          <ul>
            ${[...shown.encounters, ...shown.people].map((name, n) =>
              html`<li key=${n}>${isolated(name)}</li>`
            )}
          </ul>
          ${shown.left_out.length > 0 && html`
            <h4 class="label">${say("encounters.stays")}</h4>
            <ul>
              ${shown.left_out.map((one, n) =>
                html`<li key=${n}>${isolated(say("encounters.leftOut", one))}</li>`
              )}
            </ul>
          `}
          <div>
            <${Button} kind="primary" data-move=${offer.key} busy=${taking} onTap=${take}>
              ${say("encounters.take")}
            <//>
          </div>
        </div>
      `}
    </div>
  `;
}
