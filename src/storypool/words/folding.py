"""The one form in which typed text is stored, compared, searched and parsed.

Every comparison of text uses these functions; `state/folding.js` is the page's copy, and
`tests/folding.json` holds both to the same results.
"""

import re
from collections.abc import Callable
from types import ModuleType

__all__ = ["alike", "composed", "folded", "half_width", "key_value", "plain", "search_words"]

MARKS = re.compile(
    "[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]|(?<!и)\u0306"
)
"""Accents, and Hebrew and Arabic points, which searches ignore.

The breve of й is excluded: it makes another letter.
"""

UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Variation selectors and fillers: invisible, but not format characters."""

LETTERS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ħ": "h",
        "ŧ": "t",
    }
    | {"ı": "i", "ŋ": "n", "ґ": "г"}
)
"""Letters that do not decompose, as a keyboard without them writes them."""

STRAIGHT = str.maketrans(
    dict.fromkeys("‘’‚‛′ʼ`´", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"ς": "σ"}
)
"""Typographic quotes and dashes with their typed forms, and the final sigma."""

_PICTURES = r"\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_JOINS = re.compile(rf"(?<=[{_PICTURES}\ufe0f])\u200d(?=[{_PICTURES}])")
"""A joiner between two emoji, which makes them one, such as a family."""

STYLED = ("<wide>", "<narrow>", "<font>")
"""Decompositions into the same character, drawn in another way."""

AROUND = "\"'.,;:!?()[]…"
"""Punctuation around the words of a search."""


def composed(text: str) -> str:
    """Text in NFC, where a letter and its accent are one character.

    >>> len("Zoe\u0308"), len(composed("Zoe\u0308"))
    (4, 3)
    """
    # `str` marks an `Id`, which records its uses, as read in full.
    return text if text.isascii() else _normal("NFC", str(text))


def plain(text: str) -> str:
    """Text as it is stored: composed, on one line, and printable except for emoji joiners."""
    text = composed(text)
    if text.isprintable():
        return " ".join(text.split())
    joins = {found.start() for found in _JOINS.finditer(text)}
    characters = list(text)
    for n, c in enumerate(text):
        if not c.isprintable() and n not in joins:
            characters[n] = " "
    return " ".join("".join(characters).split())


def alike(text: str) -> str:
    """A key that texts share if they look alike: any case, width, quotes or composition.

    Invisible characters are ignored; different accents make different keys.

    >>> alike("Ann’s  ＴＡＢＬＥ\u200b") == alike("ann's table"), alike("Zoé") == alike("Zoe")
    (True, False)
    """
    return _as_key(text.lower() if _is_plain(text) else _cased(text))


def folded(text: str) -> str:
    """A key for searches: like `alike`, without accents, and with ø or ß spelt plainly.

    >>> folded("Jäger"), folded("ЁЛКА"), folded("Straße")
    ('jager', 'елка', 'strasse')
    """
    return (
        alike(text) if _is_plain(text) else _as_key(MARKS.sub("", _cased(text)).translate(LETTERS))
    )


def search_words(text: str) -> list[str]:
    """The words of a search, folded, without the punctuation around them.

    >>> search_words("“Café,” she")
    ['cafe', 'she']
    """
    return [word.strip(AROUND) or word for word in folded(text).split()]


def half_width(text: str) -> str:
    """Notation, a number or a key as a plain keyboard writes it.

    Digits of any script are 0 to 9, wide and styled letters and signs plain ones, a minus is "-",
    and invisible characters are left out. Characters without a plain form stay.

    >>> half_width("２Ｄ２０\u3000target＝１２"), half_width("−٣"), half_width("½")
    ('2D20 target=12', '-3', '½')
    """
    return text if text.isascii() else composed(text).translate(_PLAIN)


def key_value(word: str) -> tuple[str, str] | None:
    """The key in half width and the value of `key=value`; None without an equals sign.

    >>> key_value("ｄｃ＝Yes"), key_value("2d20")
    (('dc', 'Yes'), None)
    """
    found = re.match("([^=＝]*)[=＝](.*)", word, re.DOTALL)
    return (half_width(found[1]), found[2]) if found else None


def plain_places(text: str) -> tuple[str, list[int]]:
    """`half_width` of a composed text, and the source position of each character and the end."""
    plain, places = "", list[int]()
    for place, char in enumerate(text):
        short = _plain(char)
        plain += short
        places += [place] * len(short)
    return plain, [*places, len(text)]


def _plain(char: str) -> str:
    if char.isascii():
        return char
    if char.isdecimal():
        return str(_unicode_data().decimal(char))
    if (category := _unicode_data().category(char)) == "Zs":
        return " "
    if category == "Cf":
        return ""
    if category == "Pd" or char == "−":
        return "-"
    styled = str(_unicode_data().decomposition(char)).startswith(STYLED)
    return _normal("NFKC", char) if styled else char


def _cased(text: str) -> str:
    """Text decomposed, in lower case, with straight quotes, without invisible characters."""
    plain = _normal("NFKD", text.translate(STRAIGHT))
    seen = UNSEEN.sub("", plain.translate(_SEEN))
    return _normal("NFKD", seen.lower().upper().lower()).translate(STRAIGHT)


def _visible(char: str) -> str:
    category = _unicode_data().category(char)
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Zs", "Zl", "Zp") else char


class _Characters(dict[int, str]):
    """A table for `str.translate` that computes the entry of a character on first use."""

    def __init__(self, of: Callable[[str], str]) -> None:
        self._of = of

    def __missing__(self, n: int) -> str:
        self[n] = self._of(chr(n))
        return self[n]


_PLAIN, _SEEN = _Characters(_plain), _Characters(_visible)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and "`" not in text


def _as_key(text: str) -> str:
    return _normal("NFC", " ".join(text.split()))


def _normal(form: str, text: str) -> str:
    return text if text.isascii() else str(_unicode_data().normalize(form, text))


def _unicode_data() -> ModuleType:
    """The character database, which a roll in ASCII does not load."""
    import unicodedata

    return unicodedata
