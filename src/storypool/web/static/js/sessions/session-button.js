/** The way to the whole recap of a session. */

import { html } from "../../vendor/preact.js";
import { Glyph, IconButton } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { tried } from "../state/announcements.js";
import { table, the } from "../state/store.js";
import { later } from "../state/wire.js";
import { say } from "../state/words.js";

const whole = later((again) => import(`./session-recap.js${again}`));

/** A button that shows the whole recap; none before the first session. */
export function SessionButton({ small = false }) {
  if (!(the(table).periods.session > 0)) return null;
  if (small) {
    return html`
      <${IconButton} glyph="storypool" label=${say("session.open")} onTap=${openSession} />
    `;
  }
  return html`
    <button type="button" class="button" data-kind="plain" onClick=${openSession}>
      <${Glyph} name="storypool" />
      ${say("session.open")}
    </button>
  `;
}

async function openSession() {
  const made = await tried(whole);
  if (made) openSheet(say("session.title"), () => html`<${made.Session} />`);
}
