/** Text files that people choose on their device. */

import { Trouble } from "./wire.js";
import { say } from "./words.js";

/**
 * Return the text of a chosen file, with plain line ends. Throws `Trouble` for what is no text, or
 * not in Unicode.
 */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const wide = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.subarray(0, 2).join(" ")];
  let text;
  try {
    // The decoder drops a mark at the start. Without `fatal` it would put in signs for letters that
    // are lost.
    text = new TextDecoder(wide, { fatal: true }).decode(bytes);
  } catch {
    text = "\0";
  }
  if (text.includes("\0")) throw new Trouble(0, { code: "argument", text: say("file.notText") });
  return text.replace(/\r\n?/g, "\n");
}
