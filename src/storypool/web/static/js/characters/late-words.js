/** The words of notes, handouts and portraits, loaded with the first of them. */

import { useEffect, useState } from "../../vendor/preact.js";
import { table, the } from "../state/store.js";
import { call, inLanguage } from "../state/wire.js";
import { learnMore, say } from "../state/words.js";
import { addStyles } from "../ui/motion.js";

/** Whether the words have come; they and the styles are asked for once. */
export function useLateWords() {
  const [known, setKnown] = useState(say("papers.title") !== "papers.title");
  useEffect(() => {
    addStyles("papers.css");
    if (known) return;
    const path = inLanguage("/api/words?of=papers", the(table).options.language);
    call("GET", path).then((more) => {
      learnMore(more);
      setKnown(true);
    }, () => {});
  }, []);
  return known;
}
