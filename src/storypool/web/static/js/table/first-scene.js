/** The first scene of a game: a place, people, a problem and what may be tried, set up with one tap. */

import { computed, html } from "../../vendor/preact.js";
import { people } from "../state/game.js";
import { Button } from "../ui/parts.js";
import { at, call } from "../state/wire.js";
import { tried } from "../state/announcements.js";
import { check, firstScene, here, table } from "../state/store.js";
import { say } from "../state/words.js";

/** Whether it is offered in the calm of the table: nobody is there to play with yet, and no scene followed the first. */
const fresh = computed(() => !check.value && (table.value?.periods.scene ?? 0) < 2 && !people.value.some((one) => one.side === "gm"));

/** Where the first scene is offered to a game master whose table has not played it: "calm", "drawer" or "". */
export const place = computed(() => (firstScene.value ? (fresh.value ? "calm" : "drawer") : ""));

/** Offers the first scene. */
export function FirstScene() {
  const play = () => tried(() => call("POST", at(here.value.id, "first-scene"), { seat: here.value.seat }));
  return html`<${Button} onTap=${play}>${say("firstScene.play")}<//><p class="fine quiet">${say("firstScene.about")}${!table.value.running.includes("session") && ` ${say("firstScene.starts")}`}</p>`;
}
