/** The page of the workshop, which is a page of its own: nobody who plays has to load it. */

import { html } from "../../vendor/preact.js";
import { startPage } from "../screens/start.js";
import { Sheets } from "../ui/sheet.js";
import { Gallery } from "./gallery.js";
import { Workshop } from "./workshop.js";

startPage(() =>
  html`
    <${location.pathname === "/gallery" ? Gallery : Workshop} />
    <${Sheets} />
  `, "workshop");
