/** Files that leave the page: handed on by what the device has for it, or saved. */

/** Hand a file on with a sentence; returns whether the device could, or else the file is saved. */
export async function handOn(file, text) {
  if (navigator.canShare?.({ files: [file] })) {
    // Whoever thinks better of it closes the device's own sheet, which is no trouble.
    await navigator.share({ files: [file], text }).catch(() => {});
    return true;
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  return false;
}
