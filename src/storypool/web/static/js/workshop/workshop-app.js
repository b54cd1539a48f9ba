/** The page of the workshop, which is a page of its own: nobody who plays has to load it. */

import { html } from "../../vendor/preact.js";
import { startPage } from "../screens/start.js";
import { Sheets } from "../ui/sheet.js";
import { Workshop } from "./workshop.js";

startPage(() =>
  html`
    <${Workshop} />
    <${Sheets} />
  `, "workshop");
