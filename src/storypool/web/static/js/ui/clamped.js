/** A text of people's own that may be long: its first lines, and all of it on a tap. */

import { html, useState } from "../../vendor/preact.js";
import { isolated } from "./bidi.js";

/** A text of so many letters has room wherever texts are. */
const LONG = 80;

/** A text, of which only the first lines are shown where it has more letters than `long`. */
export function Clamped({ text, long = LONG }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= long) return isolated(text);
  const turn = () => setWhole(!isWhole);
  const pressed = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    turn();
  };
  return html`
    <span
      class="clamped"
      role="button"
      tabindex="0"
      aria-expanded=${String(isWhole)}
      onClick=${turn}
      onKeyDown=${pressed}
    >
      ${isolated(text)}
    </span>
  `;
}
