/** Joining by a link: who you are. Opening a link changes nothing by itself. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { NewTable } from "./rarely-shown.js";
import { excess, NameField, sameName } from "../ui/name-field.js";
import { Alert, Button, Glyph, Person, useOnce } from "../ui/parts.js";
import { whose } from "../ui/game-owner.js";
import { go, place, tableAddress } from "../state/route.js";
import { learnSession, speak } from "../state/store.js";
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
  const before = seats.find((seat) => sameName(seat.name, name));
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
