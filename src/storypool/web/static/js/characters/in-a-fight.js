/** What only a fight shows, loaded when one is first drawn. */

import { drawnLater } from "../ui/drawn-later.js";

/** The order of turns. */
export const Slots = drawnLater(
  (again) => import(`./turn-order.js${again}`).then((made) => made.Slots),
);

/** The characters, on a large screen. */
export const Fighters = drawnLater(
  (again) => import(`./fighters.js${again}`).then((made) => made.Fighters),
);
