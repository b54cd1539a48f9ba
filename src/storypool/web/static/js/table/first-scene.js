/** The first scene of a game: a place, people, a problem and what may be tried, set up with one tap. */

import { computed, html } from "../../vendor/preact.js";
import { people } from "../state/game.js";
import { Button } from "../ui/parts.js";
import { at, call } from "../state/wire.js";
import { game, here, isGm, table, tried } from "../state/store.js";
import { say } from "../state/words.js";

/** Whether the game has a first scene and this table is still at its beginning. */
const fresh = computed(() => isGm.value && game.value?.first_scene && (table.value?.periods.scene ?? 0) < 2 && !people.value.some((one) => one.side === "gm"));

/** Offers the first scene to the game master of a new table. */
export function FirstScene() {
  if (!fresh.value) return null;
  const play = () => tried(() => call("POST", at(here.value.id, "first-scene"), { seat: here.value.seat }));
  return html`<${Button} onTap=${play}>${say("firstScene.play")}<//><p class="fine quiet">${say("firstScene.about")}</p>`;
}
