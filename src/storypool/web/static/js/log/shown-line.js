/** Which line of the log is to be shown: others ask for it, and the log scrolls there. */

import { signal } from "../../vendor/preact.js";
import { closeSheets } from "../ui/sheet.js";

/** The number of the record whose line is to be shown, or 0. */
export const shownLine = signal(0);

/** What later modules draw at the end of a line, by the kind of its record. */
export const lineTools = signal(/** @type {Record<string, any>} */ ({}));

/** Whether what happens is read in the log right now. */
export const isLogInSight = () => Boolean(document.querySelector(".log-list")?.checkVisibility());

/** Show the line of a record, in whichever view the log is; what covers it is closed. */
export function showLine(seq) {
  closeSheets();
  shownLine.value = seq;
}
