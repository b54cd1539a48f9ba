/** The workshop: the text of a game file on one side, the game that it makes on the other. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { NewRules } from "../screens/new-rules.js";
import { Beginnings } from "./beginnings.js";
import { FileEditor } from "./file-editor.js";
import { OpenTable } from "./open-table.js";
import { ShownGame } from "./shown-game.js";
import { Alert, Because, Button, Glyph } from "../ui/parts.js";
import { dateOf, isTwin } from "../screens/table-names.js";
import { ShareButton } from "./share-button.js";
import { gameInLink, SharedGame } from "./shared-game.js";
import { save } from "../ui/sharing.js";
import { openSheet } from "../ui/sheet.js";
import { keep, kept } from "../state/browser-storage.js";
import { tableAddress } from "../state/route.js";
import { game, session, the } from "../state/store.js";
import { call, troubleIn } from "../state/wire.js";
import { oneOf, say } from "../state/words.js";

/** The server reads a text when nobody has typed for so many milliseconds. */
const PAUSE = 300;
/** It is asked again after so many where it had no time. */
const AGAIN = 2000;
/** What is rolled: a typed pool, or an action with answers to its questions. */
const NO_ROLL = { pool: "", action: "", answers: {} };
const VIEWS = [["text", "log"], ["game", "roll"]];

/** The screen; only those may use it whom the host lets. A shared game is shown to everybody. */
export function Workshop() {
  const [link, setLink] = useState(gameInLink());
  useEffect(() => {
    const look = () => setLink(gameInLink());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  function leave() {
    history.replaceState(null, "", location.pathname);
    setLink("");
  }
  if (link) {
    return html`<${SharedGame} key=${link} link=${link} leave=${leave} />`;
  }
  if (!session.value?.workshop) {
    return html`
      <main class="screen stack gap-5">
        <h1 class="result">${say("workshop.title")}</h1>
        <${Because}
          refusal=${{
            text: say("workshop.closed"),
            remedy: say("workshop.closed.remedy"),
            rule: "",
          }}
        />
        <${Back} />
      </main>
    `;
  }
  return html`<${Bench} />`;
}

/** The head of the workshop: where to read on, and what to do with the text. */
function BenchHead({ text, set, earlier, answer, last }) {
  return html`
    <header class="workshop-head cluster">
      <${Back} />
      <h1 class="grow">${say("workshop.title")}</h1>
      <a
        class="button"
        data-kind="plain"
        href=${text.trim() ? "/help/game-file-keys" : "/help/a-game-on-one-page"}
        target="_blank"
        rel="noopener"
      >
        ${say("reference.help")}
      </a>
      <button
        type="button"
        class="button"
        onClick=${() =>
          openSheet(
            say("workshop.begin"),
            (close) =>
              html`
                <${Beginnings}
                  begin=${(next) => (set(next), close())}
                  replaces=${Boolean(text.trim())}
                  level=${3}
                />
              `,
          )}
      >
        ${say("workshop.begin")}
      </button>
      ${text.trim() &&
        html`
          <button
            type="button"
            class="button"
            onClick=${() =>
              save(
                new File([text], `${last?.game.key ?? "game"}.game.toml`, { type: "text/plain" }),
              )}
          >
            ${say("workshop.save")}
          </button>
          <${ShareButton} text=${text} />
        `}
      ${earlier.trim() && earlier !== text &&
        html`
          <button type="button" class="button" onClick=${() => set(earlier)}>
            ${say("workshop.back")}
          </button>
        `}
      ${answer?.game && html`
        <form method="post" action="/api/workshop/sheet" target="_blank" rel="noopener">
          <input type="hidden" name="text" value=${text} />
          <button type="submit" class="button">${say("workshop.print")}</button>
        </form>
      `}
    </header>
  `;
}

/** The two views of a phone, the text with how many mistakes it has. */
function BenchViews({ view, turn, n }) {
  return html`
    <nav class="views" aria-label=${say("workshop.views")}>
      ${VIEWS.map(([name, glyph]) =>
        html`
          <button
            type="button"
            class="tab stack centre gap-0 fine strong quiet"
            key=${name}
            aria-current=${view === name ? "page" : undefined}
            onClick=${() => turn(name)}
          >
            <${Glyph} name=${glyph} />
            <span>${oneOf("workshop.view", name)}</span>
            ${name === "text" && n > 0 &&
              html`
                <span class="dot">
                  <span class="visually-hidden">
                    ${say("workshop.mistakes", { n })}
                  </span>
                </span>
              `}
          </button>
        `
      )}
    </nav>
  `;
}

function Bench() {
  const [text, setText] = useState(kept("workshop", ""));
  const [earlier, setEarlier] = useState(kept("workshop.earlier", ""));
  const [roll, setRoll] = useState(kept("workshop.roll", NO_ROLL));
  const [view, setView] = useState(text.trim() ? "text" : "game");
  const [answer, error, setError] = useAnswer(text, roll);
  const last = useLastGood(answer);
  const [other, setOther] = useOtherTab(text);
  function edit(next) {
    setText(next);
    if (other === null) keep("workshop", next);
  }
  // A text that is replaced as a whole can be brought back, also after a reload.
  function set(next) {
    if (text.trim() && next !== text) {
      setEarlier(text);
      keep("workshop.earlier", text);
    }
    edit(next);
  }
  function choose(next, left) {
    setOther(null);
    setEarlier(left);
    keep("workshop.earlier", left);
    setText(next);
    keep("workshop", next);
  }
  const mistakes = answer?.mistakes ?? [];
  return html`
    <main class="workshop" data-view=${view}>
      <${BenchHead} text=${text} set=${set} earlier=${earlier} answer=${answer} last=${last} />
      ${answer?.game && html`
        <div class="workshop-play cluster">
          ${the(session).may_open &&
            html`
              <${OpenTable}
                of=${{ game: text }}
                title=${answer.game.name}
                kind="primary"
                setError=${setError}
              />
            `}
          <${OwnTables} text=${text} system=${answer.game.key} />
        </div>
      `}
      <section
        class="workshop-side stack gap-2"
        data-side="text"
        aria-label=${oneOf("workshop.view", "text")}
      >
        <${Alert} refusal=${error} />
        ${other !== null && html`
          <${Alert} refusal=${{ text: say("workshop.elsewhere"), remedy: "", rule: "" }} />
          <div class="cluster">
            <${Button} onTap=${() => choose(other, text)}>${say("workshop.elsewhere.take")}<//>
            <${Button} onTap=${() => choose(text, other)}>${say("workshop.elsewhere.stay")}<//>
          </div>
        `}
        <${FileEditor} id="file" text=${text} set=${edit} mistakes=${text ? mistakes : []} />
      </section>
      <section
        class="workshop-side stack gap-2"
        data-side="game"
        tabindex="0"
        data-old=${String(Boolean(text && mistakes.length))}
        aria-label=${oneOf("workshop.view", "game")}
      >
        ${text && mistakes.length > 0 &&
          html`
            <p class="because small gap-2">
              <${Glyph} name="info" />
              <span>
                ${say(last ? "workshop.before" : "workshop.wrong", { n: mistakes.length })}
              </span>
            </p>
          `}
        ${last
          ? html`
            <${ShownGame}
              shown=${last}
              roll=${roll}
              set=${(next) => (setRoll(next), keep("workshop.roll", next))}
              text=${text}
            />
          `
          : !mistakes.length || !text
          ? html`
            <p class="quiet">${say("workshop.empty")}</p>
            ${!text.trim() && html`<${Beginnings} begin=${set} level=${2} />`}
          `
          : null}
      </section>
      <${BenchViews} view=${view} turn=${setView} n=${text ? mistakes.length : 0} />
    </main>
  `;
}

/**
 * The tables of this game where this browser is a game master: they can go on by the text as it is
 * now.
 */
function OwnTables({ text, system }) {
  const seats = the(session).seats.filter((one) =>
    one.side === "gm" && one.system.replace(/-[0-9a-f]{12}$/, "") === system
  );
  const look = ({ table, seat }) =>
    openSheet(
      say("rules.title"),
      () =>
        html`
          <${NewRules}
            table=${table}
            seat=${seat}
            text=${text}
            done=${() => location.assign(tableAddress(table, seat))}
          />
        `,
    );
  const [tables, setTables] = useState(/** @type {Wire.TableListed[]} */ ([]));
  useEffect(() => {
    if (seats.length > 1) call("GET", "/api/tables").then(setTables, () => {});
  }, [seats.length]);
  function titled({ table, title }) {
    const found = tables.find((one) => one.id === table);
    if (!found || !isTwin(found, tables)) return say("workshop.takeOver", { title });
    return say("workshop.takeOverTwin", { title, when: dateOf(found.changed, true) });
  }
  return seats.map((one) =>
    html`
      <button
        type="button"
        class="button"
        key=${`${one.table} ${one.seat}`}
        onClick=${() => look(one)}
      >
        ${titled(one)}
      </button>
    `
  );
}

/**
 * What another tab has kept as the text, until one of both is chosen; null for no such text. Until
 * then nothing is kept here, so no tab overwrites the other.
 *
 * @param {string} text
 * @returns {[string | null, (other: string | null) => void]}
 */
function useOtherTab(text) {
  const [other, setOther] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const hear = ({ key }) => key === "storypool.workshop" && setOther(kept("workshop", ""));
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }, []);
  return [other === text ? null : other, setOther];
}

function Back() {
  return html`<a class="button" data-kind="plain" href="/">${say("keep.home")}</a>`;
}

/**
 * What the server says of the text and the roll, a moment after they were typed: [its answer, what
 * went wrong, a setter for that].
 *
 * @param {string} text
 * @param {typeof NO_ROLL} roll
 * @returns {[Wire.WorkshopShown | null, Wire.Reason | null, (error: Wire.Reason | null) => void]}
 */
function useAnswer(text, roll) {
  const [answer, setAnswer] = useState(/** @type {Wire.WorkshopShown | null} */ (null));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    let timer = null;
    async function ask() {
      try {
        setAnswer(await call("POST", "/api/workshop", { text, ...roll }, { signal: stop.signal }));
        setError(null);
      } catch (error) {
        if (stop.signal.aborted) return;
        const trouble = troubleIn(error);
        setError(trouble.refusal);
        if (trouble.passing) timer = setTimeout(ask, AGAIN);
      }
    }
    if (text.trim()) timer = setTimeout(ask, PAUSE);
    else setAnswer(null);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [text, JSON.stringify(roll)]);
  return [answer, error, setError];
}

/**
 * The last answer with a game, which is the game of the page for as long as the workshop is open.
 */
function useLastGood(answer) {
  const last = useRef(/** @type {Wire.WorkshopShown & { game: Wire.GameShown } | null} */ (null));
  if (!answer) last.current = null;
  else if (answer.game) last.current = answer;
  game.value = last.current?.game ?? null;
  useEffect(() => () => (game.value = null), []);
  return last.current;
}
