"""Pool notation: one parser for every front end, and a printer that turns a pool back into text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from storypool.engine.bag import Bag
from storypool.words import Phrase

LONGEST_TEXT = 200
"""The most characters of notation that are parsed, so that no request takes long."""


class NotationError(ValueError):
    """Raised when a pool cannot be parsed: the place, what was found, and what was expected there."""

    def __init__(self, text: str, place: int, found: Phrase, expected: Phrase) -> None:
        self.text, self.place, self.found, self.expected = text, place, found, expected
        super().__init__(Phrase("notation.mistake", place=place + 1, found=found, expected=expected))


@dataclass(frozen=True, slots=True)
class Notation:
    """How the pools of one game are written.

    `helping` and `hindering` list the dice in printed order, before and after "vs". `schemes` maps the name of a
    scheme to the compact letters people type. `after_slash` holds letters that mean another die after the slash, and
    `words_after_slash` such names. `words` maps further names of a die, such as its plural. A pool holds at most
    `most` dice.

    >>> notation = Notation(("ability",), ("difficulty",), {"letters": {"A": "ability", "D": "difficulty"}})
    >>> notation.parse("2 ability vs difficulty")
    Bag(ability=2, difficulty=1)
    >>> notation.parse("AA/2D") == notation.parse("2A/DD") == Bag(ability=2, difficulty=2)
    True
    >>> notation.show(Bag(difficulty=2, ability=1))
    '1 ability vs 2 difficulty'
    """

    helping: tuple[str, ...]
    hindering: tuple[str, ...] = ()
    schemes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    after_slash: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    words_after_slash: Mapping[str, str] = field(default_factory=dict)
    most: int = 60

    def parse(self, text: str, scheme: str | None = None) -> Bag:
        """Parse a pool; `NotationError` names the place, what was found and what was expected.

        Without a scheme, each is tried in order, and the first that can parse the whole text wins.
        """
        if len(text) > LONGEST_TEXT:
            most = Phrase("notation.expected.length", most=LONGEST_TEXT)
            raise NotationError(text[:LONGEST_TEXT], LONGEST_TEXT, Phrase("notation.found.more"), most)
        names = (scheme,) if scheme else tuple(self.schemes) or ("",)
        if scheme and scheme not in self.schemes:
            known = Phrase("notation.expected.scheme", known=", ".join(self.schemes))
            raise NotationError(text, 0, Phrase("notation.found.scheme", scheme=scheme), known)
        first: NotationError | None = None
        for name in names:
            try:
                return self._read(text, self.schemes.get(name, {}), self.after_slash.get(name, {}))
            except NotationError as error:
                if first is None or error.place > first.place:
                    first = error
        assert first is not None
        raise first

    def show(self, pool: Mapping[str, int]) -> str:
        """Return the pool as text, in printed order; parsing it gives the same pool."""
        sides = [[f"{pool[n]} {n}" for n in side if pool.get(n, 0)] for side in (self.helping, self.hindering)]
        left, right = (" ".join(side) for side in sides)
        return f"{left} vs {right}".strip() if right else left or "no dice"

    def compact(self, pool: Mapping[str, int], scheme: str) -> str:
        """Return the pool in the letters of one scheme, such as `2A1P/2D`."""
        letters = {die: letter for letter, die in self.schemes[scheme].items()}
        left, right = (
            "".join(f"{pool[n]}{letters[n]}" for n in side if pool.get(n, 0)) for side in (self.helping, self.hindering)
        )
        return f"{left}/{right}" if right else left

    def _read(self, text: str, letters: Mapping[str, str], after: Mapping[str, str]) -> Bag:
        counts: dict[str, int] = {}
        place, slash, pending = 0, False, None
        if text.strip().lower() == "no dice":
            return Bag()

        def wrong(at: int, found: str, expected: str, **values: object) -> NotationError:
            said = Phrase(f"notation.found.{found}", **values), Phrase(f"notation.expected.{expected}", most=self.most)
            return NotationError(text, at, *said)

        def add(die: str, n: int, at: int) -> None:
            counts[die] = counts.get(die, 0) + n
            if sum(counts.values()) > self.most:
                raise wrong(at, "dice", "most", n=sum(counts.values()))

        for match in re.finditer(self._tokens(), text):
            token, place = match.group(), match.start()
            if not token.strip() or token in ",+":
                continue
            if token.isdecimal():
                if pending is not None:
                    raise wrong(place, "number", "die", token=token)
                if len(token) > 3:
                    raise wrong(place, "token", "most", token=token[:12])
                pending = (int(token), place)
                if pending[0] == 0:
                    raise wrong(place, "token", "count", token="0")
            elif token == "/" or token.lower() in ("vs", "versus", "against"):
                if pending is not None:
                    raise wrong(place, "token", "after", token=token)
                if slash:
                    raise wrong(place, "again", "once", token=token)
                slash = True
            else:
                known = self._word(token)
                if known:
                    behind = self.words_after_slash.get(known, known) if slash else known
                    add(behind, pending[0] if pending else 1, place)
                else:
                    for i, char in enumerate(token):
                        die = self._letter(char, letters, after if slash else {})
                        if die is None:
                            # A long token was meant as a word, so the error quotes all of it.
                            start, found = (0, token[:20]) if i == 0 or len(token) > 4 else (i, char)
                            said = Phrase("notation.found.token", token=found)
                            raise NotationError(text, place + start, said, self._expected(letters, found))
                        add(die, pending[0] if pending and i == 0 else 1, place + i)
                pending = None
        if pending is not None:
            raise wrong(len(text), "end", "after")
        if not counts:
            raise NotationError(text, place, Phrase("notation.found.none"), self._expected(letters))
        return Bag({n: counts[n] for n in (*self.helping, *self.hindering) if n in counts})

    def _word(self, token: str) -> str | None:
        word = token.lower()
        return word if word in self.helping or word in self.hindering else self.words.get(word)

    def _tokens(self) -> str:
        """Return the token pattern: a name that ends in digits, such as d20, is one token."""
        numbered = [re.escape(die) for die in (*self.helping, *self.hindering) if die[-1].isdecimal()]
        return "|".join([*(f"(?i:{die})" for die in numbered), r"\s+|[,+]|/|\d+|[^\W\d]+(?:-[^\W\d]+)*|."])

    @staticmethod
    def _letter(char: str, letters: Mapping[str, str], after: Mapping[str, str]) -> str | None:
        for form in (char, char.lower(), char.upper()):
            if form in after or form in letters:
                return after.get(form) or letters[form]
        return None

    def _expected(self, letters: Mapping[str, str], found: str = "") -> Phrase:
        from difflib import get_close_matches  # slow to import, and only needed for an error

        names = (*self.helping, *self.hindering)
        near = get_close_matches(found.lower(), [*names, *self.words], 1, 0.7) if len(found) > 2 else []
        if near:
            return Phrase("notation.expected.near", near=near[0])
        if not letters:
            return Phrase("notation.expected.name", names=", ".join(names))
        return Phrase("notation.expected.letter", names=", ".join(names), letters="".join(letters))
