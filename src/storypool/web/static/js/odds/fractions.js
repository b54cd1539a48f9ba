/** Chances as the server sends them, exact, and as the page shows them. */

/** "257/512" as a number. */
export function fraction(text) {
  const [n, d = "1"] = String(text ?? "0").split("/");
  return Number(n) / Number(d);
}

/** A chance in whole percent; only what is impossible is 0, and only what is certain 100. */
export function percent(chance) {
  const n = Math.round(chance * 100);
  if (n <= 0) return chance > 0 ? "<1" : "0";
  return n < 100 ? String(n) : chance < 1 ? ">99" : "100";
}
