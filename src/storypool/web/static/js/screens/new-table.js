/** Opening a table: the game, its name, the game master's name. */

import { html, useEffect, useId, useState } from "../../vendor/preact.js";
import { GameLook } from "./game-look.js";
import { excess, LONGEST_TITLE, NameField } from "../ui/name-field.js";
import { Alert, Button, Fold, useOnce } from "../ui/parts.js";
import { go, tableAddress } from "../state/route.js";
import { learnSession, session } from "../state/store.js";
import { call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";

/**
 * The form: a game, a name for the table, your name. `enter` joins first when you came by a link.
 */
export function NewTable({ close, enter }) {
  const [picked, setPicked] = useState("");
  const [title, setTitle] = useState("");
  const [hostName, setHostName] = useState("");
  const [options, setOptions] = useState(/** @type {Record<string, string>} */ ({}));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const { games, spoken, written } = useChoices(setError, Boolean(enter));
  const chosen = picked || (games.length === 1 ? games[0].key : "");
  const ofDocs = written.find(isLike({ key: chosen }));
  const game = ofDocs ?? games.find(isLike({ key: chosen }));
  const rules = useRules(ofDocs ? "" : chosen);
  // What was chosen of the rules of another game is none of this one's.
  useEffect(() => setOptions(onlyLanguage), [chosen]);
  const set = (key) => (value) => setOptions({ ...options, [key]: value });
  const [waiting, open] = useOnce(async () => {
    if (!chosen) return setError({ text: say("new.which"), remedy: "", rule: "" });
    if (excess(title, LONGEST_TITLE) || excess(hostName)) return null;
    try {
      await enter?.();
      const made = await call("POST", "/api/tables", {
        ...(ofDocs ? { game: await textOf(ofDocs) } : { system: chosen }),
        title: title.trim() || game?.name,
        name: hostName.trim(),
        options,
      });
      await learnSession();
      if (!enter) close();
      go(`${tableAddress(made.table, made.seat.id)}&invite`, { quietly: Boolean(enter) });
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  });
  // In a sheet its title is above the headlines.
  const level = enter ? 2 : 3;
  // A host who has opened nothing yet may begin with a game of their own.
  const write = () =>
    enter().then(
      () => location.assign("/workshop"),
      (trouble) => setError(troubleIn(trouble).refusal),
    );
  return html`
    <form class="form stack gap-5" onSubmit=${open}>
      <${Games}
        games=${games}
        chosen=${chosen}
        choose=${(key) => (setPicked(key), setError(null))}
      />
      ${written.length > 0 && html`
        <${Fold} title=${say("new.written")} level=${level}>
          ${html`
            <${Games}
              games=${written}
              chosen=${chosen}
              choose=${(key) => (setPicked(key), setError(null))}
            />
          `}
        <//>
      `}
      ${chosen && !ofDocs && html`<${Reference} game=${chosen} />`}
      <${Names}
        title=${title}
        setTitle=${setTitle}
        name=${hostName}
        setName=${setHostName}
        unnamed=${say(game && !game.has_gm ? "new.player" : "new.gm")}
      />
      ${Object.keys(spoken.languages).length > 1 && html`
        <${Select}
          label=${say("new.language")}
          choices=${Object.entries(spoken.languages)}
          value=${options.language ?? spoken.language}
          set=${set("language")}
        />
      `}
      ${rules.length > 0 &&
        html`<${HouseRules} rules=${rules} options=${options} set=${set} level=${level} />`}
      ${enter && html`<${Button} kind="plain" onTap=${write}>${say("home.workshop")}<//>`}
      <${Alert} refusal=${error} />
      <${Foot} isReady=${chosen} waiting=${waiting} close=${close} byLink=${enter} />
    </form>
  `;
}

/**
 * The options of a table without the house rules of a game.
 *
 * @param {Record<string, string>} options
 * @returns {Record<string, string>}
 */
const onlyLanguage = ({ language }) => language ? { language } : {};

const WRITTEN = "/api/workshop/games";

/**
 * The games of this server, those of one page, and the languages in which its tables may be played.
 * The texts of games are the host's to read, who comes in `byLink` only when a table is opened.
 */
function useChoices(setError, byLink) {
  const [games, setGames] = useState(/** @type {Wire.GameListed[]} */ ([]));
  const [written, setWritten] = useState(/** @type {Wire.GameListed[]} */ ([]));
  const [spoken, setSpoken] = useState({ language: "", languages: {} });
  useEffect(() => {
    call("GET", "/api/systems").then(setGames, (error) => setError(error.refusal));
    call("GET", "/api").then(setSpoken, () => {});
    if (session.value?.workshop || byLink) {
      call("GET", byLink ? "/api/gallery" : WRITTEN).then(setWritten, () => {});
    }
  }, []);
  return { games, spoken, written: written.filter((one) => !games.some(isLike(one))) };
}

/** The text of a game of one page, which a list may have or not. */
async function textOf(game) {
  const texts = game.text ? [game] : await call("GET", WRITTEN);
  return texts.find(isLike(game))?.text;
}

const isLike = (one) => ({ key }) => key === one.key;

/** The house rules of a game; none before one is chosen. */
function useRules(game) {
  const [rules, setRules] = useState(/** @type {Wire.OptionShown[]} */ ([]));
  useEffect(() => {
    if (!game) return void setRules([]);
    call("GET", `/api/systems/${game}`).then(
      (system) => setRules(system.options),
      () => setRules([]),
    );
  }, [game]);
  return rules;
}

/** A link to the rules of a game. */
function Reference({ game }) {
  return html`
    <a
      class="button"
      data-kind="plain"
      href="/api/systems/${game}/reference"
      target="_blank"
      rel="noopener"
    >
      ${say("reference.link")}
    </a>
  `;
}

/** What the table is called, and who opens it; `unnamed` is who they are without a name. */
function Names({ title, setTitle, name, setName, unnamed }) {
  return html`
    <div class="tiles gap-5">
      <${NameField}
        label=${say("new.table")}
        value=${title}
        set=${setTitle}
        most=${LONGEST_TITLE}
        placeholder=${say("new.tableHint")}
      />
      <${NameField}
        label=${say("new.you")}
        value=${name}
        set=${setName}
        placeholder=${unnamed}
      />
    </div>
  `;
}

/** The house rules, folded away; `set(key)` is the setter of one. */
function HouseRules({ rules, options, set, level }) {
  return html`
    <${Fold} title=${say("new.rules")} level=${level}>
      ${html`
        <div class="stack">
          ${rules.map((option) =>
            html`
              <${Select}
                key=${option.key}
                label=${option.sentence || option.key}
                choices=${option.values.map((value) => [value, option.words[value]])}
                value=${options[option.key] ?? option.default}
                set=${set(option.key)}
              />
            `
          )}
        </div>
      `}
    <//>
  `;
}

function Foot({ isReady, waiting, close, byLink }) {
  return html`
    <div class="form-foot wrap gap-2">
      <button type="button" class="button" onClick=${close}>
        ${say(byLink ? "join.hostOnly" : "cancel")}
      </button>
      <button
        type="submit"
        class="button"
        data-kind="primary"
        data-wanting=${isReady ? undefined : "true"}
        aria-busy=${waiting ? "true" : undefined}
      >
        ${say("new.open")}
      </button>
    </div>
  `;
}

/** The games to choose from. */
function Games({ games, chosen, choose }) {
  const id = useId();
  return html`
    <fieldset class="picks" data-wanting=${chosen ? undefined : "true"}>
      <legend class="label">${say("new.game")}</legend>
      <div class="stack gap-1">
        ${games.map((game) =>
          html`
            <label class="pick" key=${game.key}>
              <input
                type="radio"
                name=${id}
                checked=${chosen === game.key}
                onChange=${() => choose(game.key)}
              />
              <span class="pick-face full">
                <${GameLook} game=${game} />
              </span>
            </label>
          `
        )}
      </div>
    </fieldset>
  `;
}

/** One of several values, each with its words: [value, words]. */
function Select({ label, choices, value, set }) {
  const id = useId();
  return html`
    <div class="field stack gap-1">
      <label for=${id}>${label}</label>
      <select class="select" id=${id} value=${value} onChange=${(e) => set(e.target.value)}>
        ${choices.map(([key, words]) => html`<option key=${key} value=${key}>${words}</option>`)}
      </select>
    </div>
  `;
}
