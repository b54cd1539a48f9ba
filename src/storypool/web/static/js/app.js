/** The page of the tables: it shows the screen for the address. */

import { html, useEffect } from "../vendor/preact.js";
import { Join } from "./screens/join.js";
import { Home } from "./screens/rarely-shown.js";
import { startPage } from "./screens/start.js";
import { place } from "./state/route.js";
import { closeSheets, Sheets } from "./ui/sheet.js";
import { Notices } from "./table/notices.js";
import { TableScreen } from "./table/table.js";

function Screen() {
  const [path, hash] = [place.value.path, place.value.hash];
  useEffect(() => closeSheets, [path]);
  const table = /^\/t\/([^/]+)$/.exec(path);
  if (table) return html`<${TableScreen} key=${table[1]} id=${decodeURIComponent(table[1])} />`;
  if (path === "/join" || hash.has("host")) return html`<${Join} />`;
  return html`<${Home} />`;
}

startPage(() =>
  html`
    <${Screen} />
    <${Sheets} />
    <${Notices} />
  `
);
