/** A link that carries a whole game file. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { packed } from "./packed-text.js";
import { Button } from "../ui/parts.js";
import { copyFrom } from "../ui/sharing.js";
import { openSheet } from "../ui/sheet.js";
import { say } from "../state/words.js";

/** The button that shows the link of a text. */
export function ShareButton({ text }) {
  const show = () => openSheet(say("workshop.share.title"), () => html`<${Link} text=${text} />`);
  return html`
    <button type="button" class="button" onClick=${show}>${say("workshop.share")}</button>
  `;
}

function Link({ text }) {
  const [link, setLink] = useState(/** @type {string | null} */ (""));
  const [copied, setCopied] = useState("");
  const field = useRef(null);
  useEffect(() => {
    packed(text).then((part) =>
      setLink(part && `${location.origin}${location.pathname}#game=${part}`)
    );
  }, [text]);
  if (link === null) return html`<p>${say("workshop.share.large")}</p>`;
  const copy = async () =>
    setCopied(
      say(
        (await copyFrom(field.current)) ? "workshop.share.copied" : "workshop.share.copyYourself",
      ),
    );
  return html`
    <div class="stack">
      <p>${say("workshop.share.about")}</p>
      <input
        class="input"
        readonly
        ref=${field}
        value=${link}
        aria-label=${say("workshop.share.link")}
        onFocus=${(e) => e.target.select()}
      />
      <${Button} kind="primary" onTap=${copy}>${say("workshop.share.copy")}<//>
      <p role="status" class="small quiet">${copied}</p>
    </div>
  `;
}
