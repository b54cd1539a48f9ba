/** A game that came in a link: what it is, before anything of it is stored. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { unpacked } from "./packed-text.js";
import { keep, kept } from "../state/browser-storage.js";
import { session } from "../state/store.js";
import { call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";
import { Alert, Because, Button, Fold } from "../ui/parts.js";
import { save } from "../ui/sharing.js";

/** What the address of the page has of a game, or "". */
export const gameInLink = () => new URLSearchParams(location.hash.slice(1)).get("game") ?? "";

/** The game of a link, and the way to the workshop; `leave` forgets the link. */
export function SharedGame({ link, leave }) {
  const [text, setText] = useState(/** @type {string | null} */ (""));
  const [shown, setShown] = useState(/** @type {Wire.WorkshopShown | null} */ (null));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  const isOpen = session.value?.workshop;
  useEffect(() => {
    unpacked(link).then(async (found) => {
      setText(found);
      if (!found || !isOpen) return;
      try {
        setShown(await call("POST", "/api/workshop", { text: found, pool: "" }));
      } catch (error) {
        setError(troubleIn(error).refusal);
      }
    });
  }, [link]);
  function open() {
    const before = kept("workshop", "");
    if (before.trim() && before !== text) keep("workshop.earlier", before);
    keep("workshop", text);
    leave();
  }
  return html`
    <main class="screen stack gap-5">
      <h1 class="result">${shown?.game?.name ?? say("workshop.shared.title")}</h1>
      ${text === null && html`<p>${say("workshop.shared.wrong")}</p>`}
      ${shown?.game && html`<p>${shown.game.about}</p>`}
      ${shown && shown.mistakes.length > 0 &&
        html`<p>${say("workshop.mistakes", { n: shown.mistakes.length })}</p>`}
      <${Alert} refusal=${error} />
      ${text && html`
        <p class="quiet">
          ${say("workshop.shared.about")}
          ${isOpen && kept("workshop", "").trim() && ` ${say("workshop.shared.replaces")}`}
        </p>
        <${Fold} title=${say("workshop.shared.text")} level=${2}>
          ${html`
            <textarea
              class="input notation"
              rows="12"
              readonly
              value=${text}
              aria-label=${say("workshop.shared.text")}
            ></textarea>
          `}
        <//>
        ${!isOpen &&
          html`
            <${Because}
              refusal=${{
                text: say("workshop.closed"),
                remedy: say("workshop.closed.remedy"),
                rule: "",
              }}
            />
          `}
      `}
      <div class="cluster">
        ${text && isOpen &&
          html`<${Button} kind="primary" onTap=${open}>${say("workshop.shared.open")}<//>`}
        ${text && !isOpen &&
          html`
            <${Button}
              kind="primary"
              onTap=${() => save(new File([text], "shared.game.toml", { type: "text/plain" }))}
            >
              ${say("workshop.save")}
            <//>
          `}
        <${Button} kind="plain" onTap=${leave}>${say("workshop.shared.no")}<//>
      </div>
    </main>
  `;
}
