/**
 * The pages of the help: the theme of this device, and the list of pages unfolded where there is
 * room for it.
 */

import { kept } from "../state/browser-storage.js";
import "./search.js";

const theme = kept("theme", "");
if (theme) document.documentElement.dataset.theme = theme;

const wide = matchMedia("(min-width: 64rem)");
const menu = /** @type {HTMLDetailsElement} */ (document.querySelector(".menu"));
function unfold() {
  menu.open = wide.matches;
  /** @type {HTMLElement | null} */
  const here = menu.querySelector("[aria-current]");
  if (here && menu.open) menu.scrollTop = here.offsetTop - menu.clientHeight / 3;
}
wide.addEventListener("change", unfold);
unfold();
