"""The upper face of a real die in writing: a number, or symbols in words, letters or signs."""

import re
from collections.abc import Iterable, Iterator, Mapping

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.words.folding import folded, half_width

__all__ = ["face_number", "face_texts"]

LOOKALIKES = {"○": "o", "⊗": "x", "★": "*"}
"""Signs that no keyboard has, and what people type for them."""
BLANKS = ("blank", "-", "–", ".", "_")
"""Texts for a face without a symbol, unless the die has such a symbol."""
JOINERS = ("+", "&", "/", ",", "and")
"""Separators between the symbols of one face, unless the die has such a symbol."""


def face_texts(text: str, n: int) -> list[str]:
    """The faces of n dice in a text, split by spaces or commas.

    With commas, a face may have several words.

    >>> face_texts("3, FF", 2), face_texts("2 full, waning", 2), face_texts("hit spark", 1)
    (['3', 'FF'], ['2 full', 'waning'], ['hit spark'])
    """
    text = half_width(text)
    words = text.replace(",", " ").split()
    if len(words) == n or all(word.isdecimal() for word in words):
        return words
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return parts if len(parts) == n else words


def face_number(die: Die, text: str, names: Mapping[str, Iterable[str]] = {}) -> int | None:
    """The number of the first face that a text describes; None if the die has none such.

    `names` are further names of each symbol. A name may be cut short where it stays clear, down to
    one letter.

    >>> moon = Die("moon", [{"waning": 1}, {"waning": 2}, {"full": 1}, {"full": 2}])
    >>> [face_number(moon, text) for text in ("2", "WW", "F", "2 full", "full + full", "9", "WF")]
    [2, 2, 3, 4, 4, None, None]
    """
    key = folded(half_width(text)).strip()
    if key.isdecimal():
        return int(key) if len(key) <= 3 and die.first <= int(key) <= die.last else None
    first: dict[Bag, int] = {}
    for n, face in enumerate(die.faces, die.first):
        first.setdefault(face, n)
    symbols = dict.fromkeys(symbol for face in die.faces for symbol in face)
    known = {symbol: _names(symbol, names.get(symbol, ())) for symbol in symbols}
    found = next((first[face] for face in _readings(key, known) if face in first), None)
    return first.get(Bag()) if found is None and key in BLANKS else found


def _names(symbol: str, more: Iterable[str]) -> set[str]:
    """All names of a symbol as they are compared."""
    names = {folded(half_width(name)) for name in (symbol, *more) if name}
    return names | {LOOKALIKES[name] for name in names if name in LOOKALIKES}


def _readings(key: str, known: Mapping[str, set[str]]) -> Iterator[Bag]:
    """Yield the readings of a text: as words, then as letters."""
    words = {name: symbol for symbol, names in known.items() for name in names}
    long = sorted((name for name in words if " " in name), key=len, reverse=True)
    tokens = re.findall("|".join([*map(re.escape, long), r"\d+|[^\W\d_]+|[^\w\s]"]), key)
    for by_word in (True, False):
        symbols, count = list[str](), 1
        for token in tokens:
            if token.isdecimal():
                count = min(int(token[:3]), 20)
            elif token not in JOINERS or token in words:
                parts = [token] if by_word else token
                symbols += [
                    found for part in parts for found in _symbols_named(part, words)
                ] * count or [""]
                count = 1
        yield Bag({symbol: symbols.count(symbol) for symbol in symbols})


def _symbols_named(name: str, words: Mapping[str, str]) -> list[str]:
    """The symbol with this name or with this beginning, if unique; else a symbol of no die."""
    if name in words:
        return [words[name]]
    found = {words[long] for long in words if long.startswith(name)}
    return [found.pop()] if len(found) == 1 else [""]
