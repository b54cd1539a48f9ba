/** The end of a session, which asks first. */

import { html } from "../../vendor/preact.js";
import { drawnLater } from "../ui/drawn-later.js";
import { openSheet } from "../ui/sheet.js";
import { say } from "../state/words.js";

const LastLook = drawnLater(
  (again) => import(`./last-look.js${again}`).then((made) => made.LastLook),
);

/** Whether a move ends the session: it asks first. */
export const endsSession = (offer) => offer.key === "session.end";

/** Show what each still has, and end the session if that is still meant. */
export function confirmEnd(offer, given) {
  openSheet(
    say("sessionEnd.sure"),
    (close) => html`<${LastLook} offer=${offer} given=${given} close=${close} />`,
  );
}
