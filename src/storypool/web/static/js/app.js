/** The page: it loads the words and the session, and shows the screen for the address. */

import { html, render, useEffect, useState } from "../vendor/preact.js";
import { Home } from "./screens/home.js";
import { Join } from "./screens/join.js";
import { dress } from "./ui/motion.js";
import { Because, Glyph } from "./ui/parts.js";
import { place } from "./state/route.js";
import { closeSheets, Sheets } from "./ui/sheet.js";
import { learnSession, speak } from "./state/store.js";
import { Notices } from "./table/notices.js";
import { TableScreen } from "./table/table.js";
import { guardTaps } from "./ui/tap-guard.js";

function Page() {
  const [path, hash] = [place.value.path, place.value.hash];
  useEffect(() => closeSheets, [path]);
  const table = /^\/t\/([^/]+)$/.exec(path);
  if (table) return html`<${TableScreen} key=${table[1]} id=${decodeURIComponent(table[1])} />`;
  if (path === "/join" || hash.has("host")) return html`<${Join} />`;
  return html`<${Home} />`;
}

/** Loads the words and the session, which every screen needs, and retries until it has both. */
function Start() {
  const [ready, set] = useState(false);
  const [trouble, meet] = useState(null);
  async function begin() {
    try {
      await speak();
      await learnSession();
      meet(null);
      set(true);
    } catch (error) {
      if (!error.refusal) throw error;
      meet(error.refusal);
      setTimeout(begin, 2000);
    }
  }
  useEffect(() => void begin(), []);
  if (ready) return html`<${Page} /><${Sheets} /><${Notices} />`;
  return html`<main class="screen coming stack gap-5" aria-busy="true"><span class="calm-moon"><${Glyph} name="storypool" size="48" /></span>${trouble && html`<${Because} refusal=${trouble} />`}</main>`;
}

dress();
guardTaps();
render(html`<${Start} />`, document.getElementById("page"));
