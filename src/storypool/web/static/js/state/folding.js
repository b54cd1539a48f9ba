/** Text that people type, as it is compared, searched and read: the same as `words/folding.py`. */

const MARKS = new RegExp(
  "[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7" +
    "\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]" +
    "|(?<!и)\u0306",
  "gu",
);
const UNSEEN = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0]/gu;
const SPACES = /[\p{Cc}\p{Z}]+/gu;
const AROUND = /^["'.,;:!?()[\]…]+|["'.,;:!?()[\]…]+$/gu;
const STYLED = /[\uff01-\uff5e\uffe0-\uffee\u{1d400}-\u{1d7ff}]/gu;
const LETTERS = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ŋ: "n",
  ґ: "г",
};
const STRAIGHT = [
  [/[‘’‚‛′ʼ`´]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/[‐‑‒–—―−]/gu, "-"],
  [/ς/gu, "σ"],
];

const straight = (text) => STRAIGHT.reduce((all, [sign, plain]) => all.replace(sign, plain), text);
const asKey = (text) => text.replace(SPACES, " ").trim().normalize("NFC");

/** What a plain keyboard has, which needs no more than small letters. */
const PLAIN = /^[ -_a-~]*$/;

function cased(text) {
  if (PLAIN.test(text)) return text.toLowerCase();
  const seen = straight(text).normalize("NFKD").replace(UNSEEN, "");
  return straight(seen.toLowerCase().toUpperCase().toLowerCase().normalize("NFKD"));
}

/**
 * A key that two texts share if they look alike: in any case, width and quotes, decomposed or
 * composed.
 */
export function alike(text) {
  return asKey(cased(text));
}

/**
 * A key for searches: like `alike`, and without accents, with letters such as ø and ß spelt
 * plainly.
 */
export function folded(text) {
  const plain = cased(text).replace(MARKS, "");
  return asKey(plain.replace(/[ßæœøłđðþħŧıŋґ]/gu, (letter) => LETTERS[letter]));
}

/** The words of a search, folded, without the punctuation around them. */
export function searchWords(text) {
  return folded(text).split(" ").filter(Boolean).map((word) => word.replace(AROUND, "") || word);
}

/** Whether a text has every one of these words, which `searchWords` gave. */
export function hasWords(text, words) {
  const all = folded(text);
  return words.every((word) => all.includes(word));
}

/** A number as a plain keyboard writes it: digits of any script are 0 to 9, and a minus is "-". */
export function halfWidth(text) {
  return text.normalize("NFC").replace(/\p{Nd}/gu, digit).replace(
    STYLED,
    (sign) => sign.normalize("NFKC"),
  )
    .replace(/[\p{Pd}−]/gu, "-").replace(/\p{Zs}/gu, " ").replace(/\p{Cf}/gu, "");
}

/** A whole number that was typed, or NaN. */
export function typedNumber(text) {
  const plain = halfWidth(text).trim();
  return /^[-+]?\d{1,9}$/.test(plain) ? Number(plain) : NaN;
}

/** The value of a digit: those of a script are ten in a row, from a zero on. */
function digit(char) {
  const code = char.codePointAt(0);
  if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
  let n = 0;
  while (n < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - n - 1))) n += 1;
  return String(n);
}
