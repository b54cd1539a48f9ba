/** Adding a character with its texts: one move makes it, and each text is a move that follows. */

import { byKey, make, refused } from "../state/store.js";
import { newToken } from "../state/wire.js";
import { say } from "../state/words.js";

/**
 * Make a character with one move, then write its texts; why it was refused, or null. `state` has
 * its `id`, `token` and what is `left`, as far as an earlier try came; `change` keeps what is new
 * of them, so that nothing is made or written twice.
 *
 * @param {{ id: string, token: string, left: Wire.TextMove[] }} state
 */
export async function addWhole(state, args, written, change) {
  let { id, left } = state;
  if (!id) {
    const { title } = byKey.value["character.add"];
    // The same move, if it is sent again: it makes one character.
    const token = state.token || newToken();
    change({ token });
    const made = await make("character.add", args, { title, token });
    const set = made?.records.find(({ event }) => event?.type === "character.set");
    if (!set) return takeRefusal();
    ({ id } = set.event.character);
    left = written;
    change({ id, left, token: "" });
  }
  for (; left.length; change({ id, left })) {
    const [{ move, who, args: answers }, ...others] = left;
    if (!await make(move, { ...answers, [who]: id }, { title: say("making.title") })) {
      return takeRefusal();
    }
    left = others;
  }
  return null;
}

/** Why the last move was refused, which is shown here and nowhere else. */
function takeRefusal() {
  const found = refused.value?.refusal ?? { text: say("making.unsent"), remedy: "", rule: "" };
  refused.value = null;
  return found;
}
