/** Components whose module is loaded when they are first drawn: a visit starts without them. */

import { html, useEffect, useState } from "../../vendor/preact.js";
import { Because } from "./parts.js";
import { later } from "../state/wire.js";
import { say } from "../state/words.js";

/** @import { Drawn } from "../../vendor/preact.js" */

/**
 * A component that `load` brings, by `import` of its module with `again`. `Meanwhile` is shown
 * until it arrives. If it does not arrive, the reason is shown; the next time it is tried again.
 *
 * @template {object} Props
 * @param {(again: string) => Promise<(props: Props) => Drawn>} load
 * @param {() => Drawn} [Meanwhile]
 * @returns {(props: Props) => Drawn}
 */
export function drawnLater(load, Meanwhile = OneMoment) {
  const loaded = later(load);
  /** @type {((props: Props) => Drawn) | null} */
  let Part = null;
  return (props) => {
    const [refusal, setRefusal] = useState(/** @type {Wire.RefusalShown | null} */ (null));
    const [, redraw] = useState(false);
    useEffect(() => {
      if (Part) return;
      const take = (/** @type {(props: Props) => Drawn} */ made) => {
        Part = made;
        redraw(true);
      };
      loaded().then(take, (trouble) => setRefusal(trouble.refusal));
    }, []);
    if (Part) return html`<${Part} ...${/** @type {object} */ (props)} />`;
    return refusal ? html`<${Because} refusal=${refusal} />` : html`<${Meanwhile} />`;
  };
}

function OneMoment() {
  return html`<p class="quiet" role="status">${say("picture.wait")}</p>`;
}
