/** A text of people's own that may be long: its first lines, and all of it on a tap. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { isolated } from "./bidi.js";

/** A text of so many letters has room wherever texts are. */
const LONG = 80;

/**
 * A text, of which only the first lines are shown where it has more letters than `long`. It is a
 * button only while some of its lines are hidden, or shown by a tap.
 */
export function Clamped({ text, long = LONG }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const one = place.current;
    if (!one || isWhole) return undefined;
    const resized = new ResizeObserver(() => setCut(one.scrollHeight > one.clientHeight + 1));
    resized.observe(one);
    return () => resized.disconnect();
  }, [text, isWhole]);
  if (text.length <= long) return isolated(text);
  const turn = () => setWhole(!isWhole);
  const pressed = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    turn();
  };
  return html`
    <span
      ref=${place}
      class="clamped"
      ...${isCut || isWhole
        ? {
          role: "button",
          tabIndex: 0,
          "aria-expanded": String(isWhole),
          onClick: turn,
          onKeyDown: pressed,
        }
        : {}}
    >
      ${isolated(text)}
    </span>
  `;
}
