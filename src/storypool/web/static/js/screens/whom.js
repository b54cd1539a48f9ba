/** Whom you play: a ready-made character, a new one by name, one from JSON, or nobody yet. */

import { html, useId, useState } from "../../vendor/preact.js";
import { LivingSheet, openCharacter } from "../characters/people.js";
import { textOf } from "../state/brought.js";
import { people } from "../state/game.js";
import { byKey, game, isGm, make, me, refused, table, the } from "../state/store.js";
import { troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";
import { excess, NameField, sameName, tooLong } from "../ui/name-field.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Alert, Button, Fold, Glyph, Person, useOnce } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";

const Begin = drawnLater(
  (again) => import(`../characters/conversation.js${again}`).then((made) => made.Begin),
);

/** @typedef {Wire.GameShown["ready"][number] & Record<string, any>} ReadyMade */

/**
 * The question whom this seat plays, or with `isMore` for one more character; `done` closes it. A
 * game master adds it for a player, or as an NPC.
 */
export function WhomYouPlay({ done, isMore = false }) {
  const offer = byKey.value["character.add"];
  const [name, setName] = useState("");
  const [pasted, setPasted] = useState("");
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const [whose, setWhose] = useState({ seat: "", secret: false });
  const forWhom = isGm.value ? { seat: whose.seat, secret: !whose.seat && whose.secret } : {};
  async function bring(who) {
    const made = await make("character.add", { ...who, ...forWhom }, { title: offer.title });
    if (made) return true;
    setError(refused.value?.refusal ?? null);
    refused.value = null;
    return false;
  }
  async function makeOwn() {
    const before = people.value.map(({ id }) => id);
    if (!(await bring({ name: name.trim() }))) return;
    done();
    // Their numbers are the next step; who leaves it finds the way back on the card.
    const one = people.value.find(({ id }) => !before.includes(id));
    if (one && the(game).sheet.length) openCharacter(one, true);
  }
  const [waiting, submit] = useOnce(async () => {
    if (excess(name)) return;
    if (!pasted.trim()) return name.trim() ? makeOwn() : done();
    const read = numbers(pasted, name);
    if (read.error) setError({ text: read.error, remedy: read.remedy ?? "", rule: "" });
    else if (await bring(read)) done();
  });
  if (!offer || !me.value) return null;
  const take = async (one) => (await bring({ name: one.name, sheet: one.sheet ?? {} })) && done();
  return html`
    <form class="form stack gap-5 whom" onSubmit=${submit}>
      ${isGm.value && html`<${Whose} whose=${whose} set=${setWhose} />`}
      <${Begin} close=${done} whose=${forWhom} textOf=${textOf} />
      <${Ready} take=${take} />
      <${NameField}
        label=${say("whom.new")}
        value=${name}
        set=${setName}
        placeholder=${say("whom.newHint")}
      />
      <${Pasted} text=${pasted} set=${setPasted} setError=${setError} />
      <${Alert} refusal=${error} />
      <div class="form-foot wrap gap-2">
        <button type="button" class="button" onClick=${done}>
          ${say(isMore ? "cancel" : "whom.nobody")}
        </button>
        <button
          type="submit"
          class="button"
          data-kind="primary"
          aria-busy=${waiting ? "true" : undefined}
          aria-disabled=${name.trim() || pasted.trim() ? undefined : "true"}
        >
          ${say(isGm.value ? "whom.add" : "whom.play")}
        </button>
      </div>
    </form>
  `;
}

/** For whom a game master adds a character: a player, or as an NPC, who may be hidden. */
function Whose({ whose, set }) {
  const id = useId();
  const players = Object.values(the(table).seats).filter((one) =>
    one.here && one.side === "player"
  );
  return html`
    <div class="field stack gap-1">
      <label for=${id}>${say("whom.whose")}</label>
      <select
        class="select"
        id=${id}
        value=${whose.seat}
        onChange=${(e) => set({ ...whose, seat: e.target.value })}
      >
        <option value="">${say("whom.npc")}</option>
        ${players.map((one) => html`<option key=${one.id} value=${one.id}>${one.name}</option>`)}
      </select>
    </div>
    ${!whose.seat && html`
      <label class="choice row gap-3 target">
        <input
          type="checkbox"
          checked=${whose.secret}
          onChange=${(e) => set({ ...whose, secret: e.target.checked })}
        />
        <${Glyph} name="secret" size="24" />
        <span>${say("whom.secret")}</span>
      </label>
    `}
  `;
}

/** The ready-made characters of the game; a tap shows one, and who plays it. */
function Ready({ take }) {
  const ready = game.value?.ready ?? [];
  if (!ready.length) return null;
  const look = (one) =>
    openSheet(one.name, (close) => html`<${Look} one=${one} take=${take} close=${close} />`);
  return html`
    <h3 class="label">${say("whom.ready")}</h3>
    <ul class="ready stack gap-2">
      ${ready.map((one) => {
        const { player } = takenOf(one);
        return html`
          <li key=${one.name}>
            <${Button} onTap=${() => look(one)}>
              ${html`
                <${Person} name=${one.name} side="player" />
                <span class="two-lines">
                  <span class="name">${one.name}</span>
                  <span class="fine quiet">${one.about ?? ""}</span>
                  ${player &&
                    html`
                      <span class="fine strong">
                        ${say("people.playedBy", { who: player.name })}
                      </span>
                    `}
                </span>
              `}
            <//>
          </li>
        `;
      })}
    </ul>
  `;
}

/** A ready-made character to look at before it is taken; of one that is taken, by whom. */
function Look({ one, take, close }) {
  const { player, name } = takenOf(one);
  const [waiting, play] = useOnce(async () => {
    close();
    await take(one);
  });
  return html`
    <div class="form stack gap-5 whom">
      ${one.about && html`<p class="quiet">${one.about}</p>`}
      ${player && html`
        <p class="card">
          ${say(player.here ? "whom.taken" : "whom.left", { who: player.name, name })}
        </p>
      `}
      <${LivingSheet}
        one=${{ id: "", name: one.name, sheet: one.sheet ?? {} }}
        level=${3}
      />
      <${Brought} one=${one} />
      <div class="form-foot wrap gap-2">
        <button type="button" class="button" onClick=${close}>${say("whom.back")}</button>
        ${!player && html`
          <button
            type="button"
            class="button"
            data-kind="primary"
            aria-busy=${waiting ? "true" : undefined}
            onClick=${play}
          >
            ${say(isGm.value ? "whom.addOne" : "whom.playOne", { name: one.name })}
          </button>
        `}
      </div>
    </div>
  `;
}

/** The texts that a ready-made character brings, such as aspects or talents. */
function Brought({ one }) {
  const { key: _key, name: _name, about: _about, sheet: _sheet, ...more } = one;
  const entries = the(game).sheet;
  const texts = Object.values(more).flatMap((found) =>
    Array.isArray(found) ? found : Object.entries(found).flatMap(([key, text]) => {
      const label = entries.find((entry) => entry.key === key)?.label;
      return [text].flat().map((each) => label ? `${label}: ${each}` : each);
    })
  );
  return texts.length > 0 && html`
    <ul class="traits stack gap-1">
      ${texts.map((text) => html`<li class="trait small" key=${text}>${text}</li>`)}
    </ul>
  `;
}

/**
 * The seat that plays a ready-made character at this table, or played it and has left, and the name
 * that it has now; no seat for one that is free.
 *
 * @param {ReadyMade} one
 */
function takenOf({ name }) {
  // A renamed character keeps the id that was made from its first name.
  const isIt = (found) =>
    sameName(found.name, name) || found.id.replace(/-\d+$/, "") === idOf(name);
  const taken = people.value.find((found) => found.seat && isIt(found));
  return { player: taken && the(table).seats[taken.seat], name: taken?.name ?? name };
}

/** The id that the server makes from a name. */
const idOf = (name) =>
  (name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .join("-").slice(0, 24);

/** A character as JSON, pasted or from a file. */
function Pasted({ text, set, setError }) {
  async function load(event) {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    setError(null);
    try {
      set(await textOf(file));
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  }
  return html`
    <${Fold} title=${say("whom.paste")}>
      ${html`
        <div class="stack gap-1">
          <textarea
            class="textarea notation"
            rows="4"
            aria-label=${say("whom.paste")}
            placeholder=${say("whom.pasteHint")}
            value=${text}
            onInput=${(e) => set(e.target.value)}
          ></textarea>
          <label class="button file">
            <input
              type="file"
              class="visually-hidden"
              accept="application/json,.json"
              onChange=${load}
            />
            ${say("whom.load")}
          </label>
        </div>
      `}
    <//>
  `;
}

/**
 * Reads numbers from JSON: { name, sheet: {...} }, or the numbers alone, or as text, which the
 * server reads.
 */
function numbers(text, name) {
  if (!/^\s*[{[]/.test(text)) return named(name.trim(), text);
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return { error: say("whom.noJson"), remedy: say("whom.pasteRemedy") };
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return { error: say("whom.noJson"), remedy: say("whom.pasteRemedy") };
  }
  const given = typeof data.sheet === "object" && data.sheet ? data.sheet : data;
  const sheet = Object.fromEntries(
    Object.entries(given).filter(([key, value]) =>
      Number.isInteger(value) ||
      (typeof value === "string" && the(game).sheet.some((one) => one.key === key && one.text))
    ),
  );
  const who = name.trim() || String(data.name ?? "").trim();
  return named(who, sheet);
}

function named(name, sheet) {
  const error = name ? tooLong(name) : say("whom.noName");
  return error ? { error } : { name, sheet };
}
