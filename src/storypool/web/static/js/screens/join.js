/** Joining by a link: who you are, and whom you play. Opening a link changes nothing by itself. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { NewTable } from "./rarely-shown.js";
import { excess, NameField, tooLong } from "../ui/name-field.js";
import { alike as looks } from "../state/folding.js";
import { people } from "../state/game.js";
import { Alert, Button, Fold, Glyph, Person, useOnce } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { textOf } from "../state/brought.js";
import { whose } from "../ui/game-owner.js";
import { go, place, tableAddress } from "../state/route.js";
import { byKey, game, learnSession, make, me, refused, speak, table, the } from "../state/store.js";
import { call, inLanguage, troubleIn } from "../state/wire.js";
import { callMaster, oneOf, say } from "../state/words.js";

const ASK_AGAIN = 1500;

/** What the link is for, and a field for your name. */
export function Join() {
  const secret = place.value.hash.get("link") ?? place.value.hash.get("host") ?? "";
  const [link, setLink] = useState(/** @type {Wire.LinkLook | null} */ (null));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const [claim, setClaim] = useState(/** @type {Wire.ClaimState | null} */ (null));
  const [played, setPlayed] = useState(/** @type {Wire.GameShown | null} */ (null));
  useEffect(() => {
    if (!secret) {
      return setError({ text: say("join.noLink"), remedy: say("join.noLinkRemedy"), rule: "" });
    }
    look().then(setLink, (error) => setError(error.refusal));
  }, [secret]);
  async function look() {
    const found = await call("POST", "/api/join", { secret });
    if (found.table) {
      await speak(found.table.language);
      const its = await call(
        "GET",
        inLanguage(`/api/systems/${found.table.system}`, found.table.language),
      );
      callMaster(its.master);
      setPlayed(its);
    }
    return found;
  }
  async function come(how) {
    setError(null);
    try {
      const joined = await call("POST", "/api/join", { secret, ...how });
      if (joined.claim) return setClaim(joined.claim);
      await learnSession();
      go(
        joined.host
          ? "/"
          : `${tableAddress(joined.table, joined.seat.id)}${
            joined.seat.side === "player" ? "&who" : ""
          }`,
        { quietly: true },
      );
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  }
  return html`
    <main class="screen join stack gap-5">
      <header class="home-head stack centre gap-2 text-centre">
        <${Glyph} name="storypool" size="72" extra="home-mark" />
        ${link?.table && html`<p class="label">${say("join.to")}</p>`}
        <h1 class="result">${link?.table?.title ?? say("home.name")}</h1>
        ${link?.side && html`<p class="quiet">${oneOf("join.side", link.side)}</p>`}
        ${played && whose(played) && html`<p class="fine">${whose(played)}</p>`}
      </header>
      ${claim
        ? html`<${Claim} claim=${claim} again=${() => setClaim(null)} />`
        : link && html`<${Who} look=${link} come=${come} secret=${secret} />`}
      <${Alert} refusal=${error} />
      ${!link && error && html`
        <div class="screen-foot stack gap-2">
          <a class="button" href="/" onClick=${(e) => (e.preventDefault(), go("/"))}>
            ${say("keep.home")}
          </a>
        </div>
      `}
    </main>
  `;
}

/** Who you are, by what the link is for. */
function Who({ look, come, secret }) {
  const comeAsHost = () => come({ host: true });
  if (look.first) {
    return html`
      <p class="home-none text-centre measure">${say("join.first")}</p>
      <${NewTable}
        close=${comeAsHost}
        enter=${() => call("POST", "/api/join", { secret, host: true })}
      />
    `;
  }
  if (look.link === "host") {
    return html`
      <p>${say("join.host")}</p>
      <${OneWay} go=${comeAsHost} text=${say("join.hostDo")} />
    `;
  }
  if (look.seat) {
    const who = look.seat.name;
    return html`
      <p>${say("join.device", { who })}</p>
      <${OneWay} go=${() => come({ seat: look.seat.id })} text=${say("join.deviceDo", { who })} />
    `;
  }
  return html`<${YourName} seats=${look.seats} come=${come} />`;
}

/** The one button of a link that leads to one place. */
function OneWay({ go, text }) {
  return html`
    <div class="screen-foot stack gap-2">
      <${Button} kind="primary" onTap=${go}>${text}<//>
    </div>
  `;
}

/** A field for your name, and the seats of those who were here before. */
function YourName({ seats, come }) {
  const [name, setName] = useState("");
  // Who types the name of a seat here has most likely sat there before.
  const before = seats.find((seat) => alike(seat.name, name));
  const ready = name.trim() && !excess(name);
  const comeAsNew = () => come({ name: name.trim() });
  const [waiting, submit] = useOnce(async () => {
    if (before) await come({ seat: before.id });
    else if (ready) await comeAsNew();
  });
  return html`
    <form class="stack" onSubmit=${submit}>
      <${NameField}
        label=${say("join.name")}
        value=${name}
        set=${setName}
        extra="big"
        autocomplete="nickname"
        enterkeyhint="go"
      />
      ${seats.length > 0 && html`<${SeatsThere} seats=${seats} come=${come} />`}
      <div class="screen-foot stack gap-2">
        <button
          type="submit"
          class="button"
          data-kind="primary"
          id="primary"
          aria-busy=${waiting ? "true" : undefined}
          aria-disabled=${ready ? undefined : "true"}
        >
          ${before ? say("join.iAm", { who: before.name }) : say("join.do")}
        </button>
        ${before &&
          html`
            <${Button} kind="plain" onTap=${comeAsNew}>
              ${say("join.another", { who: before.name })}
            <//>
          `}
      </div>
    </form>
  `;
}

/** The seats that you may have had before. */
function SeatsThere({ seats, come }) {
  return html`
    <section class="stack gap-1">
      <h2 class="label">${say("join.already")}</h2>
      <ul class="seats-there cluster">
        ${seats.map((seat) =>
          html`
            <li key=${seat.id}>
              <${Button} onTap=${() => come({ seat: seat.id })}>
                ${html`
                  <${Person} name=${seat.name} side=${seat.side} />
                  <span>${say("join.iAm", { who: seat.name })}</span>
                `}
              <//>
            </li>
          `
        )}
      </ul>
      ${seats.some((seat) => seat.confirm) &&
        html`<p class="fine quiet">${say("join.confirm")}</p>`}
    </section>
  `;
}

/** Whether two names are one to a reader: the server keeps no joiners of emoji. */
const alike = (one, other) => bare(one) === bare(other);
const bare = (name) => looks(name).replaceAll(" ", "");

/** Waits until a device of that seat or the game master agrees; they see the same code. */
function Claim({ claim, again }) {
  const [state, setState] = useState(claim.state);
  useEffect(() => {
    if (state !== "waiting") return undefined;
    const timer = setInterval(async () => {
      const now = await call("GET", `/api/claims/${claim.id}`).catch(() => null);
      if (!now || now.state === "waiting") return;
      setState(now.state);
      if (now.state !== "granted") return;
      await learnSession();
      go(tableAddress(claim.table, claim.seat), { quietly: true });
    }, ASK_AGAIN);
    return () => clearInterval(timer);
  }, [state]);
  return html`
    <section class="card claim-wait stack text-centre" data-tone="other" role="status">
      <p>${oneOf("claim.state", state)}</p>
      ${state === "waiting" && html`
        <p
          class="claim-code numeral text-centre"
          aria-label=${say("claim.code", { code: claim.code })}
        >
          ${claim.code}
        </p>
        <p class="fine quiet">${say("claim.same")}</p>
      `}
      ${state !== "waiting" && state !== "granted" &&
        html`<button type="button" class="button" onClick=${again}>${say("join.back")}</button>`}
    </section>
  `;
}

/** Ask whom this seat plays. */
export function askWhom() {
  openSheet(say("whom.title"), (close) => html`<${WhomYouPlay} done=${close} />`);
}

/** Whom you play: a ready-made character, a new one by name, one from JSON, or nobody yet. */
function WhomYouPlay({ done }) {
  const offer = byKey.value["character.add"];
  const [name, setName] = useState("");
  const [pasted, setPasted] = useState("");
  const [chosen, setChosen] = useState(
    /** @type {Wire.GameShown["ready"][number] | null} */ (null),
  );
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  if (!offer || !me.value) return null;
  async function bring(who) {
    const made = await make("character.add", who, { title: offer.title });
    if (made) return done();
    setError(refused.value?.refusal ?? null);
    refused.value = null;
    return null;
  }
  const [waiting, submit] = useOnce(() => {
    if (chosen) return bring({ name: chosen.name, sheet: chosen.sheet ?? {} });
    if (excess(name)) return null;
    if (!pasted.trim()) return name.trim() ? bring({ name: name.trim() }) : done();
    const read = numbers(pasted, name);
    return read.error
      ? setError({ text: read.error, remedy: read.remedy ?? "", rule: "" })
      : bring(read);
  });
  return html`
    <form class="form stack gap-5 whom" onSubmit=${submit}>
      <${Ready} chosen=${chosen} choose=${setChosen} />
      <${NameField}
        label=${say("whom.new")}
        value=${name}
        set=${(text) => (setChosen(null), setName(text))}
        placeholder=${say("whom.newHint")}
      />
      <${Pasted} text=${pasted} set=${setPasted} setError=${setError} />
      <${Alert} refusal=${error} />
      <div class="form-foot wrap gap-2">
        <button type="button" class="button" onClick=${done}>${say("whom.nobody")}</button>
        <button
          type="submit"
          class="button"
          data-kind="primary"
          aria-busy=${waiting ? "true" : undefined}
          aria-disabled=${chosen || name.trim() || pasted.trim() ? undefined : "true"}
        >
          ${chosen ? say("whom.playOne", { name: chosen.name }) : say("whom.play")}
        </button>
      </div>
    </form>
  `;
}

/** The ready-made characters of the game; who is played already cannot be chosen. */
function Ready({ chosen, choose }) {
  const ready = game.value?.ready ?? [];
  if (!ready.length) return null;
  return html`
    <h3 class="label">${say("whom.ready")}</h3>
    <ul class="ready stack gap-2">
      ${ready.map((one) => {
        const player = playedBy(one);
        return html`
          <li key=${one.name}>
            <${Button}
              disabled=${Boolean(player)}
              aria-pressed=${String(chosen === one)}
              onTap=${() => choose(chosen === one ? null : one)}
            >
              ${html`
                <${Person} name=${one.name} side="player" />
                <span class="two-lines">
                  <span class="name">${one.name}</span>
                  <span class="fine quiet">${one.about ?? ""}</span>
                  ${player &&
                    html`
                      <span class="fine strong">${say("people.playedBy", { who: player })}</span>
                    `}
                </span>
              `}
            <//>
            <${ReadyNumbers} sheet=${one.sheet ?? {}} />
          </li>
        `;
      })}
    </ul>
  `;
}

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

/** The numbers of a ready-made character, to look at before it is taken. */
function ReadyNumbers({ sheet }) {
  const entries = (the(game).sheet ?? []).filter(({ key }) => sheet[key] !== undefined);
  return entries.length > 0 && html`
    <${Fold} title=${say("people.numbers")}>
      ${html`
        <dl class="numbers small">
          ${entries.map(({ key, label }) =>
            html`
              <div key=${key}>
                <dt>${label}</dt>
                <dd class="count strong">${sheet[key]}</dd>
              </div>
            `
          )}
        </dl>
      `}
    <//>
  `;
}

/**
 * Who plays a ready-made character at this table already, by name, or "".
 *
 * @param {Record<string, any>} one
 */
function playedBy({ name }) {
  const taken = people.value.find((one) =>
    alike(one.name, name) && the(table).seats[one.seat]?.here
  );
  return taken ? the(table).seats[taken.seat].name : "";
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
    Object.entries(given).filter(([, value]) => Number.isInteger(value)),
  );
  const who = name.trim() || String(data.name ?? "").trim();
  return named(who, sheet);
}

function named(name, sheet) {
  const error = name ? tooLong(name) : say("whom.noName");
  return error ? { error } : { name, sheet };
}
