/** Tables of one name, which differ by when they were last played. */

/** Whether another of these tables has the name of this one. */
export const isTwin = (one, all) =>
  all.some((other) => other.id !== one.id && other.title.trim() === one.title.trim());

/** A day; `exactly` with the time of day. */
export const dateOf = (time, exactly) =>
  new Date(time).toLocaleString([], {
    dateStyle: "medium",
    timeStyle: exactly ? "short" : undefined,
  });
