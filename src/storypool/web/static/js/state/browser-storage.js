/** Values kept in this browser; the page also works in a browser that keeps nothing. */

/** Return a kept value, or `otherwise`. */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`storypool.${name}`) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a value for the next visit. */
export function keep(name, value) {
  try {
    localStorage.setItem(`storypool.${name}`, JSON.stringify(value));
  } catch {
    // A private window keeps nothing, so the setting lasts only as long as the page.
  }
}
