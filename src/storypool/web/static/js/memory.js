/** What this browser keeps for itself; a browser that keeps nothing is fine too. */

/** A kept value, or `otherwise`. */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`storypool.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a value for the next visit. */
export function keep(name, value) {
  try {
    localStorage.setItem(`storypool.${name}`, JSON.stringify(value));
  } catch {
    // A private window keeps nothing: the setting holds as long as the page.
  }
}
