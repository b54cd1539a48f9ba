/** Text that people type, as it is compared, searched and read: the same as `words/folding.py`. */

const MARKS = new RegExp(
  "[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a" +
    "\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]|(?<!и)\u0306",
  "gu",
);
const UNSEEN = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0]/gu;
const SPACES = /[\p{Cc}\p{Z}]+/gu;
const AROUND = /^["'.,;:!?()[\]…]+|["'.,;:!?()[\]…]+$/gu;
const LETTERS = {
  ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t", ı: "i", ŋ: "n", ґ: "г",
};
const STRAIGHT = [
  [/[‘’‚‛′ʼ`´]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/[‐‑‒–—―−]/gu, "-"],
  [/ς/gu, "σ"],
];

const straight = (text) => STRAIGHT.reduce((all, [sign, plain]) => all.replace(sign, plain), text);
const asKey = (text) => text.replace(SPACES, " ").trim().normalize("NFC");

function cased(text) {
  const seen = straight(text).normalize("NFKD").replace(UNSEEN, "");
  return straight(seen.toLowerCase().toUpperCase().toLowerCase().normalize("NFKD"));
}

/** A key that two texts share if they look alike: in any case, width and quotes, decomposed or composed. */
export function alike(text) {
  return asKey(cased(text));
}

/** A key for searches: like `alike`, and without accents, with letters such as ø and ß spelt plainly. */
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
