/**
 * Text of the page that is replaced from outside: by the translator of a browser, or by an
 * extension for reading.
 */

import { options } from "../../vendor/preact.js";

/** Each node that now shows in place of a text of the page, and that text. */
const shownFor = new Map();
/** What Preact knows of each text that it made. */
const drawnAs = new WeakMap();

/**
 * Keep what changes on the page true where its text is replaced by `font` elements, as translators
 * do.
 *
 * Preact keeps the texts that it made and would go on to change them where nobody sees them. So
 * those of a component come back before it is drawn again, and others when they change; a
 * translator then translates what they say by then.
 */
export function followReplacedText(root) {
  const observer = new MutationObserver(note);
  observer.observe(root, { childList: true, subtree: true });
  const render = options.__r;
  options.__r = (drawn) => {
    note(observer.takeRecords());
    if (shownFor.size) {
      putBack((shown, text) => shown.parentNode === drawn.__c.__P || isDrawnBy(text, drawn.__c));
    }
    render?.(drawn);
  };
  const diffed = options.diffed;
  options.diffed = (drawn) => {
    if (drawn.type === null) drawnAs.set(drawn.__e, drawn);
    diffed?.(drawn);
  };

  function note(records) {
    for (const record of records) {
      if (record.type === "characterData") putBack((_, text) => text === record.target);
      else record.removedNodes.forEach((gone) => noteReplaced(gone, record));
    }
  }

  function noteReplaced(text, { addedNodes, previousSibling, nextSibling, target }) {
    if (text.nodeType !== Node.TEXT_NODE || text.parentNode === target) return;
    const shown = [...addedNodes, previousSibling, nextSibling].find((one) =>
      one?.localName === "font" && !shownFor.has(one)
    );
    if (!shown) return;
    shownFor.set(shown, text);
    observer.observe(text, { characterData: true });
  }
}

/** Whether a component draws a text, or the element that has it as a child. */
function isDrawnBy(text, component) {
  let inElement = false;
  for (let one = drawnAs.get(text)?.__; one; one = one.__) {
    if (one.__c === component) return true;
    if (one.__c && inElement) return false;
    inElement ||= typeof one.type === "string";
  }
  return false;
}

/** Put the texts of the page back for those that show in their place and are meant. */
function putBack(isMeant) {
  for (const [shown, text] of shownFor) {
    if (shown.isConnected && !isMeant(shown, text)) continue;
    shownFor.delete(shown);
    if (shown.isConnected) shown.replaceWith(text);
  }
}
