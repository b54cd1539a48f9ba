/** How what is in front works: paragraphs of the help, as the help itself shows them. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { openSheet } from "./sheet.js";
import { check, me, table, the } from "../state/store.js";
import { say } from "../state/words.js";

const NOW = "now";
/** What a view is about; of any other there is one paragraph. */
const ABOUT = { play: [NOW], table: [NOW, "points", "table"] };

/** The button that opens what the help has about a view of the table, or about its points. */
export function HowThisWorks({ about }) {
  return html`
    <button type="button" class="button" onClick=${() => openHelp(about)}>
      ${say("reference.help")}
    </button>
  `;
}

/**
 * Open the paragraphs about a view, that about what is going on at the table among them, and more
 * below.
 */
export function openHelp(about, more) {
  const now = check.value?.phase || (the(table).running.includes("session") ? "rest" : "start");
  const places = (ABOUT[about] ?? [about]).map((place) => place === NOW ? now : place);
  openSheet(
    say("reference.help"),
    () =>
      html`
        <div class="stack">
          ${places.map((place) => html`<${Paragraph} key=${place} place=${place} />`)}
          ${more}
        </div>
      `,
  );
}

/** What the help has about a place, and a link to the page it is from. */
function Paragraph({ place }) {
  const box = useRef(null);
  const [failed, setFailed] = useState(false);
  const fitting = `side=${the(me).side}&game=${the(table).system}`;
  useEffect(() => {
    // It comes as a document: the policy of the page lets no text become one.
    const asking = new XMLHttpRequest();
    asking.responseType = "document";
    asking.onloadend = () =>
      asking.status === 200
        ? box.current?.replaceChildren(...asking.response.querySelectorAll("body > *, link"))
        : setFailed(true);
    asking.open("GET", `/help/paragraph?place=${place}&${fitting}`);
    asking.send();
  }, []);
  return html`
    <section class="stack gap-4">
      <div class="prose" ref=${box}>
        ${failed && html`<p class="quiet">${say("reference.failed")}</p>`}
      </div>
      <a class="button" href=${`/help/at/${place}?${fitting}`} target="_blank" rel="noopener">
        ${say("reference.whole")}
      </a>
    </section>
  `;
}
