/** A text in the part of an address behind the #: compressed, and bounded in size. */

/** The longest link, which messengers still send whole, and the largest text in one, in bytes. */
const LONGEST = 60_000;
const LARGEST = 200_000;

/** A text, compressed, as letters of an address; null where it would be too long. */
export async function packed(text) {
  const squeezed = await bytesOf(
    new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
  );
  const letters = Array.from(squeezed ?? [], (byte) => String.fromCharCode(byte)).join("");
  const written = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return squeezed && written.length <= LONGEST ? written : null;
}

/** The text of such letters; null for others, and for a text that is too large. */
export async function unpacked(written) {
  if (!written || written.length > LONGEST) return null;
  try {
    const letters = atob(written.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const found = await bytesOf(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
    );
    return found && new TextDecoder("utf-8", { fatal: true }).decode(found);
  } catch {
    return null;
  }
}

/** The bytes of a stream; null as soon as they are too many, so that none can grow without end. */
async function bytesOf(stream) {
  const reader = stream.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) return (await reader.cancel(), null);
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
