/**
 * How a game file begins: from a game that is there, from a few questions, or from a file of this
 * device.
 */

import { html, useEffect, useId, useState } from "../../vendor/preact.js";
import { GameLook } from "../screens/game-look.js";
import { NameField } from "../ui/name-field.js";
import { Alert, Because, Button, Fold, useOnce } from "../ui/parts.js";
import { keep, kept } from "../state/browser-storage.js";
import { textOf } from "../state/brought.js";
import { call, troubleIn } from "../state/wire.js";
import { oneOf, say } from "../state/words.js";

const SIDES = [4, 6, 8, 10, 12, 20];
const READINGS = ["highest", "count", "sum"];
const UNANSWERED = {
  name: "",
  sides: 6,
  reading: "highest",
  points: "",
  move: "",
  character: "",
  actions: "",
};
/** The most letters of the titles of all actions together. */
const LONGEST_ACTIONS = 320;

/**
 * The three ways; `begin` takes the text, `replaces` says that another one is there, `level` is
 * that of its headlines.
 */
export function Beginnings({ begin, replaces, level }) {
  const [games, setGames] = useState(/** @type {Wire.WrittenGame[]} */ ([]));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const [unreadable, setUnreadable] = useState(/** @type {Wire.Reason | null} */ (null));
  useEffect(() => {
    call("GET", "/api/workshop/games").then(setGames, (error) => setError(error.refusal));
  }, []);
  async function load(event) {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    setUnreadable(null);
    try {
      begin(await textOf(file));
    } catch (error) {
      setUnreadable(troubleIn(error).refusal);
    }
  }
  return html`
    <div class="stack gap-5">
      ${replaces && html`<p class="quiet">${say("workshop.replaces")}</p>`}
      <${Fold} title=${say("workshop.questions")} open=${true} level=${level}>
        ${html`<${FewQuestions} begin=${begin} />`}
      <//>
      <${Fold} title=${say("workshop.games")} open=${true} level=${level}>
        ${html`
          <div class="stack gap-2">
            ${games.map((game) =>
              html`
                <${Button} key=${game.key} onTap=${() => begin(game.text)}>
                  ${html`
                    <span class="two-lines full">
                      <${GameLook} game=${game} />
                    </span>
                  `}
                <//>
              `
            )}
            ${error && html`<${Because} refusal=${error} />`}
          </div>
        `}
      <//>
      <label class="button file">
        <input
          type="file"
          class="visually-hidden"
          accept=".toml,.txt,text/plain"
          onChange=${load}
        />
        ${say("workshop.load")}
      </label>
      <${Alert} refusal=${unreadable} />
    </div>
  `;
}

/**
 * Six questions that make a small game: its name, its dice, how they are read, its points, a move,
 * a character; and the titles of its actions, where there are several.
 */
function FewQuestions({ begin }) {
  const [answers, setAnswers] = useState({ ...UNANSWERED, ...kept("workshop.answers", {}) });
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  function set(name) {
    return (value) => {
      setAnswers({ ...answers, [name]: value });
      keep("workshop.answers", { ...answers, [name]: value });
    };
  }
  const open = ["name", "points", "move", "character"].filter((name) => !answers[name].trim());
  const [waiting, submit] = useOnce(async () => {
    if (open.length) return setError({ text: say("workshop.unanswered"), remedy: "", rule: "" });
    try {
      const actions = answers.actions.split(",").map((title) => title.trim()).filter(Boolean);
      begin((await call("POST", "/api/workshop/draft", { ...answers, actions })).text);
      keep("workshop.answers", {});
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  });
  return html`
    <form class="form stack" onSubmit=${submit}>
      <${NameField}
        label=${say("workshop.ask.name")}
        value=${answers.name}
        set=${set("name")}
        placeholder=${say("workshop.ask.nameHint")}
      />
      <${Picks}
        title=${say("workshop.ask.sides")}
        values=${SIDES}
        value=${answers.sides}
        set=${set("sides")}
        word=${(n) => say("workshop.ask.d", { n })}
      />
      <${Picks}
        title=${say("workshop.ask.reading")}
        values=${READINGS}
        value=${answers.reading}
        set=${set("reading")}
        word=${(one) => oneOf("workshop.reading", one)}
      />
      <${NameField}
        label=${say("workshop.ask.points")}
        value=${answers.points}
        set=${set("points")}
        placeholder=${say("workshop.ask.pointsHint")}
      />
      <${NameField}
        label=${say("workshop.ask.move")}
        value=${answers.move}
        set=${set("move")}
        placeholder=${say("workshop.ask.moveHint")}
      />
      <${NameField}
        label=${say("workshop.ask.character")}
        value=${answers.character}
        set=${set("character")}
        placeholder=${say("workshop.ask.characterHint")}
      />
      <${NameField}
        label=${say("workshop.ask.actions")}
        value=${answers.actions}
        set=${set("actions")}
        most=${LONGEST_ACTIONS}
        placeholder=${say("workshop.ask.actionsHint")}
      />
      <${Alert} refusal=${error} />
      <button
        type="submit"
        class="button"
        data-kind="primary"
        aria-busy=${waiting ? "true" : undefined}
        data-wanting=${open.length ? "true" : undefined}
      >
        ${say("workshop.write")}
      </button>
    </form>
  `;
}

/** One of a few answers. */
function Picks({ title, values, value, set, word }) {
  const id = useId();
  return html`
    <fieldset class="picks">
      <legend class="label">${title}</legend>
      <div class="cluster gap-1">
        ${values.map((one) =>
          html`
            <label class="pick" key=${one}>
              <input type="radio" name=${id} checked=${value === one} onChange=${() => set(one)} />
              <span class="pick-face">${word(one)}</span>
            </label>
          `
        )}
      </div>
    </fieldset>
  `;
}
