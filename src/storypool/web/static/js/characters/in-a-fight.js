/** What a fight shows, and what lasts beside the action, loaded when it is first drawn. */

import { drawnLater } from "../ui/drawn-later.js";

/** The order of turns. */
export const Slots = drawnLater(
  (again) => import(`./turn-order.js${again}`).then((made) => made.Slots),
);

/** Goals with their progress. */
export const Tracks = drawnLater(
  (again) => import(`./standing.js${again}`).then((made) => made.Tracks),
);

/** Traits that last, item by item. */
export const Lists = drawnLater(
  (again) => import(`./standing.js${again}`).then((made) => made.Lists),
);

/** Hands, open cards, and what is left of a deck. */
export const Cards = drawnLater(
  (again) => import(`./cards.js${again}`).then((made) => made.Cards),
);

/** A hand of one's own. */
export const Hand = drawnLater(
  (again) => import(`./cards.js${again}`).then((made) => made.Hand),
  () => null,
);

/** The characters, on a large screen. */
export const Fighters = drawnLater(
  (again) => import(`./fighters.js${again}`).then((made) => made.Fighters),
);
