/** Portraits, by the names of characters and of the seats that play them. */

import { computed } from "../../vendor/preact.js";
import { ours, table } from "./store.js";

/** The address of a picture: a drawn one by its name, or one of the table by its key. */
export const addressOf = (picture) =>
  picture.length < 32 ? `/static/faces/${picture}.svg` : ours("pictures", picture);

/** The addresses of the portraits at the table. */
export const faces = computed(() => {
  const found = {};
  for (const { name, seat, picture } of Object.values(table.value?.characters ?? {})) {
    if (picture) {
      found[name] = addressOf(picture);
      found[table.value?.seats[seat]?.name ?? name] ??= found[name];
    }
  }
  return found;
});
