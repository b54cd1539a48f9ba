/**
 * What leaves the page: a file handed on by what the device has for it, or saved; a text that is
 * copied.
 */

/** Hand a file on with a sentence; returns whether the device could, or else the file is saved. */
export async function handOn(file, text) {
  if (navigator.canShare?.({ files: [file] })) {
    // A player who thinks better of it closes the device's own sheet, which is no trouble.
    await navigator.share({ files: [file], text }).catch(() => {});
    return true;
  }
  save(file);
  return false;
}

/** Save a file on this device. */
export function save(file) {
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(file),
    download: file.name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Copy what a field holds, also over plain HTTP, where browsers have no clipboard API. Returns
 * whether that worked.
 */
export async function copyFrom(input) {
  let done = false;
  if (globalThis.isSecureContext && navigator.clipboard) {
    done = await navigator.clipboard.writeText(input.value).then(() => true, () => false);
  }
  if (!done) {
    input.focus();
    input.select();
    done = document.execCommand("copy");
  }
  return done;
}
