/**
 * The beginning of every page: it loads the words and the session, and shows what the page is for.
 */

import { html, render, useEffect, useState } from "../../vendor/preact.js";
import { learnSession, speak } from "../state/store.js";
import { troubleIn } from "../state/wire.js";
import { dress, dressForced } from "../ui/motion.js";
import { Because, Coming } from "../ui/parts.js";
import { followReplacedText } from "../ui/replaced-text.js";
import { guardComposing, guardTaps } from "../ui/tap-guard.js";

/** The wait before the server is asked again, in milliseconds. */
const AGAIN = 2000;

/**
 * Show a page once it has the words and the session, which every screen needs; retry until it has
 * both. Its `name` says which words.
 */
export function startPage(Page, name = "page") {
  dress();
  dressForced();
  guardTaps();
  guardComposing();
  const place = document.getElementById("page") ?? document.body;
  followReplacedText(place);
  render(html`<${Start} page=${Page} name=${name} />`, place);
}

function Start({ page: Page, name }) {
  const [ready, setReady] = useState(false);
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  async function begin() {
    try {
      await speak("", name);
      await learnSession();
      setError(null);
      setReady(true);
    } catch (error) {
      setError(troubleIn(error).refusal);
      setTimeout(begin, AGAIN);
    }
  }
  useEffect(() => void begin(), []);
  if (ready) return html`<${Page} />`;
  return html`<${Coming}>${error && html`<${Because} refusal=${error} />`}<//>`;
}
