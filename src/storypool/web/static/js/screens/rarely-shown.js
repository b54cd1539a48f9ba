/** The screens and sheets that few visits show, each loaded when it is first drawn. */

import { html } from "../../vendor/preact.js";
import { say } from "../state/words.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Coming } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";

/** The tables of this browser. */
export const Home = drawnLater(
  (again) => import(`./home.js${again}`).then((made) => made.Home),
  Coming,
);

/** The form that opens a table. */
export const NewTable = drawnLater(
  (again) => import(`./new-table.js${again}`).then((made) => made.NewTable),
);

/** The links that this seat may mint. */
export const Invite = drawnLater(
  (again) => import(`./invite.js${again}`).then((made) => made.Invite),
);

/** The settings of this device. */
export const Looks = drawnLater(
  (again) => import(`./device-settings.js${again}`).then((made) => made.Looks),
);

/** Who is at the door. */
export const Claim = drawnLater(
  (again) => import(`./claim.js${again}`).then((made) => made.Claim),
);

/** The boards: places, with who and what is there. */
export const Boards = drawnLater(
  (again) => import(`../table/board.js${again}`).then((made) => made.Boards),
);

const scene = (name) =>
  drawnLater((again) => import(`./scene-page.js${again}`).then((made) => made[name]));

/** A game master's scene in one place. */
export const ScenePage = scene("ScenePage");

/** The people of the scene alone. */
export const ScenePeople = scene("ScenePeople");

/** The evening as it was, once a session is over. */
export const Recap = drawnLater(
  (again) => import(`../sessions/recap-card.js${again}`).then((made) => made.Recap),
);

/** Whom a seat plays. */
const WhomYouPlay = drawnLater(
  (again) => import(`./whom.js${again}`).then((made) => made.WhomYouPlay),
);

/**
 * Ask whom this seat plays, or with the `title` of a move for one more character.
 *
 * @param {{ title?: string }} move
 */
export function askWhom({ title } = {}) {
  openSheet(
    title ?? say("whom.title"),
    (close) => html`<${WhomYouPlay} done=${close} isMore=${title} />`,
  );
}
