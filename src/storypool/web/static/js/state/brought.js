/** Text files that people choose on their device. */

import { Trouble } from "./wire.js";
import { say } from "./words.js";

/** The most bytes of a file that is read as text; none of those that the page takes has as many. */
const LARGEST = 1_000_000;

/** Return the text of a chosen file, with plain line ends. Throws `Trouble` for what is no text, or not in Unicode. */
export async function textOf(file) {
  if (file.size > LARGEST) throw unread(say("file.large"));
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text;
  try {
    // The decoder drops a mark at the start. Without `fatal` it would put in signs for letters that are lost.
    text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw unread(say("file.encoding"));
  }
  if (text.includes("\0")) throw unread(say("file.notText"));
  return text.replace(/\r\n?/g, "\n");
}

function encodingOf([first, second]) {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function unread(text) {
  return new Trouble(0, { code: "argument", text, remedy: "" });
}
