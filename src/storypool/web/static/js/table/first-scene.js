/**
 * The first scene of a game: a place, people, a problem and what may be tried, set up with one tap.
 */

import { html } from "../../vendor/preact.js";
import { Button } from "../ui/parts.js";
import { at, call } from "../state/wire.js";
import { tried } from "../state/announcements.js";
import { here, the } from "../state/store.js";
import { say } from "../state/words.js";

/** Offers the first scene. */
export function FirstScene({ asleep }) {
  const play = () =>
    tried(() => call("POST", at(the(here).id, "first-scene"), { seat: the(here).seat }));
  return html`
    <div class="dock-row">
      <${Button} kind="primary" disabled=${asleep} onTap=${play}>${say("firstScene.play")}<//>
    </div>
    <p class="fine quiet text-centre">${say("firstScene.about")}</p>
  `;
}
