/** Chances as the server sends them, exact, and as the page shows them. */

/** "257/512" as a number. */
export function fraction(text) {
  const [n, d = "1"] = String(text ?? "0").split("/");
  return Number(n) / Number(d);
}

/** A chance in whole percent; 0 or 100 only if it is certain. */
export function percent(chance) {
  if (chance <= 0 || chance >= 1) return chance <= 0 ? "0" : "100";
  return String(Math.min(99, Math.max(1, Math.round(chance * 100))));
}
