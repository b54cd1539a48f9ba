"""Pool notation: one parser for every front end, and a printer that turns a pool back into text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property

from storypool.engine.bag import Bag
from storypool.words import Phrase, StorypoolError
from storypool.words.folding import alike, composed, plain_places

__all__ = ["Notation", "NotationError"]

LONGEST_TEXT = 200
"""The most characters of notation that are parsed, so that no request takes long."""
AGAINST = ("vs", "v", "versus", "against")
"""The words that mean the slash between the two sides, with or without a stop."""
TIMES = ("×", "*", "x", "✕", "✖")
"""The signs that may stand between a count and its die."""
COMPARED = (
    r"(?:[<>=≤≥≦≧]+|(?<![^\W\d_])(?i:{words})\.?(?![^\W\d_]))\s*[=:]?\s*(\d{{1,4}})(?![^\W_])"
)
"""A number to reach, as other programs write it: `<=12`, `tl12`, `target 12`."""
GOALS = ("target", "difficulty", "tl", "tn", "dc")


class NotationError(StorypoolError, ValueError):
    """Raised for an invalid pool: the place of the mistake in `text`, from 0, and the reason.

    The reason is a phrase with a sentence of its own for each kind of mistake; its remedy is
    `ID.remedy`.
    """

    def __init__(self, text: str, place: int, reason: Phrase) -> None:
        self.text, self.place, self.reason = text, place, reason
        super().__init__(reason)


@dataclass(frozen=True)
class Notation:
    """The written form of the pools of one game.

    `helping` and `hindering` list the dice in printed order, before and after "vs". `schemes` maps
    the name of a scheme to the compact letters people type. `after_slash` holds letters that mean
    another die after the slash, and `words_after_slash` such names. `words` maps further names of a
    die, such as its plural. A pool holds at most `most` dice. A pool without dice stands for
    `empty`, such as two dice that count the lower. `goal` is the term for the number to reach,
    where the game has one.

    >>> letters = {"A": "ability", "D": "difficulty"}
    >>> notation = Notation(("ability",), ("difficulty",), {"letters": letters})
    >>> notation.parse("2 ability vs difficulty")
    Bag(ability=2, difficulty=1)
    >>> notation.parse("2 abil vs diff") == notation.parse("２Ａ／Ｄ")
    True
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
    _: KW_ONLY
    words_after_slash: Mapping[str, str] = field(default_factory=dict)
    most: int = 60
    empty: Bag = field(default_factory=Bag)
    goal: str = ""

    def thrown(self, pool: Bag) -> Bag:
        """The dice that are thrown for a pool: its own, or the game's for an empty one.

        >>> Notation(("edge", "low"), empty=Bag(low=2)).thrown(Bag())
        Bag(low=2)
        """
        return pool if any(pool.values()) else self.empty

    def parse(self, text: str, scheme: str | None = None) -> Bag:
        """Parse a pool; `NotationError` says what is wrong, where, and what to write instead.

        Without a scheme, each is tried in order, and the first that can parse the whole text wins.
        After a slash or "vs", no die may help; before it, one may hinder. A word that begins one
        die's name alone is that die.
        """
        text = composed(text)
        if not (self.helping or self.hindering) and text.strip().lower() != "no dice":
            raise NotationError(text[:LONGEST_TEXT], 0, Phrase("notation.dice"))
        if len(text) > LONGEST_TEXT:
            long = Phrase("notation.long", most=LONGEST_TEXT, found=text[:20])
            raise NotationError(text[:LONGEST_TEXT], LONGEST_TEXT, long)
        names = (scheme,) if scheme else tuple(self.schemes) or ("",)
        if scheme and scheme not in self.schemes:
            unknown = Phrase("notation.scheme", scheme=scheme[:20], known=", ".join(self.schemes))
            raise NotationError(text, 0, unknown)
        first: NotationError | None = None
        # Letters come first: "pr" may be two colours, and begins a word only where it is nothing
        # else.
        for shortened in (False, True):
            first = None
            for name in names:
                try:
                    return self._read(
                        text, self.schemes.get(name, {}), self.after_slash.get(name, {}), shortened
                    )
                except NotationError as error:
                    if first is None or error.place > first.place:
                        first = error
        assert first is not None
        compared = self._compared(text)
        raise compared if compared is not None and compared.place <= first.place else first

    def show(self, pool: Mapping[str, int]) -> str:
        """The pool as text, in printed order; parsing it gives the same pool."""

        def listed(side: Sequence[str]) -> str:
            return " ".join(f"{pool[n]} {n}" for n in side if pool.get(n, 0))

        left, right = listed(self.helping), listed(self.hindering)
        return f"{left} vs {right}".strip() if right else left or "no dice"

    def compact(self, pool: Mapping[str, int], scheme: str) -> str:
        """The pool in the letters of one scheme, such as `2A1P/2D`."""
        letters = {die: letter for letter, die in self.schemes[scheme].items()}

        def listed(side: Sequence[str]) -> str:
            return "".join(f"{pool[n]}{letters[n]}" for n in side if pool.get(n, 0))

        left, right = listed(self.helping), listed(self.hindering)
        return f"{left}/{right}" if right else left

    def _read(
        self, text: str, letters: Mapping[str, str], after: Mapping[str, str], shortened: bool
    ) -> Bag:
        plain, places = plain_places(text)
        if plain.strip().lower() == "no dice":
            return Bag()
        counts: dict[str, int] = {}
        place, slash, count, sign, counted, signed = 0, "", None, "", 0, 0

        def wrong(at: int, key: str, **values: object) -> NotationError:
            return NotationError(
                text, places[at], Phrase(f"notation.{key}", place=places[at] + 1, **values)
            )

        def add(die: str, n: int, at: int) -> None:
            if slash and die in self.helping:
                raise wrong(at, "helps", die=die, slash=slash)
            counts[die] = counts.get(die, 0) + n
            if sum(counts.values()) > self.most:
                raise wrong(at, "most", most=self.most, found=written(counted, at + 1)[:20])

        def written(start: int, end: int) -> str:
            return text[places[start] : places[end]]

        for match in self._tokens.finditer(plain):
            token, place = match.group(), match.start()
            if not token.strip() or (count is not None and self._times(token, letters)):
                continue
            counted = place if count is None else counted
            is_slash = token == "/" or (
                self._letter(token, letters, after) is None and _is_against(token)
            )
            if (is_slash or token in ",+") and count is not None:
                raise wrong(place, "count", n=count)
            if is_slash and slash:
                raise wrong(place, "slash", slash=token)
            if is_slash and not self.hindering:
                raise wrong(place, "one_side", slash=token)
            if (token in ",+" and (sign or not counts)) or (is_slash and sign):
                raise wrong(place, "sign", sign=sign or token)
            if is_slash:
                slash = token
            elif token in ",+":
                sign, signed = token, place
            elif token.isdecimal():
                count = self._count(token, place, count, wrong)
            else:
                replaced = after if slash else {}
                dice = [self._letter(char, letters, replaced) for char in token]
                known = self._word(token)
                if known is None and shortened and None in dice:
                    known = self._shortened(token, wrong, place)
                if known and slash:
                    known = self.words_after_slash.get(known, known)
                if known:
                    add(known, count or 1, place)
                else:
                    for i, die in enumerate(dice):
                        if die is None:
                            at, end = place + i, place + i + 1
                            # A long token was meant as a word, so the error quotes all of it.
                            if i == 0 or len(token) > 4 or token[1:].isdecimal():
                                at, end = place, place + len(token[:20])
                            key, known_dice = self._unknown(letters, plain[at:end])
                            raise wrong(at, key, found=written(at, end), **known_dice)
                        # The count is that of the first letter.
                        add(die, count or 1, place + i)
                        count = None
                count, sign = None, ""
        if count is not None:
            found = written(signed, len(plain)).strip()[:20]
            raise wrong(len(plain), "modifier" if sign == "+" else "count", n=count, found=found)
        if sign:
            raise wrong(len(plain), "sign", sign=sign)
        if not counts:
            raise wrong(place, "empty" if slash else "none", found=slash)
        return Bag({n: counts[n] for n in (*self.helping, *self.hindering) if n in counts})

    def _count(
        self, token: str, place: int, before: int | None, wrong: Callable[..., NotationError]
    ) -> int:
        """The count that a token of digits stands for."""
        if before is not None:
            raise wrong(place, "numbers", first=before, second=token[:12])
        if not int(token[:LONGEST_TEXT]):
            raise wrong(place, "zero")
        if len(token) > 1 and not int(token[0]):
            raise wrong(place, "leading", token=token[:12], n=str(int(token))[:12])
        if len(token) > 3:
            raise wrong(place, "most", most=self.most, found=token[:20])
        return int(token)

    def _compared(self, text: str) -> NotationError | None:
        """The mistake of a number to reach that is written among the dice, if there is one."""
        goals = [word for word in GOALS if word not in self.helping and word not in self.hindering]
        words = "|".join([*goals, *(() if self.hindering else AGAINST)])
        plain, places = plain_places(text)
        found = re.search(COMPARED.format(words=words), plain)
        if found is None:
            return None
        place = places[found.start()]
        values = {
            "found": text[place : places[found.end()]],
            "n": found[1],
            "goal": self.goal,
            "place": place + 1,
        }
        key = "notation.goal" if self.goal else "notation.compared"
        return NotationError(text, place, Phrase(key, **values))

    def _shortened(self, token: str, wrong: Callable[..., NotationError], place: int) -> str | None:
        """The die whose name or word starts with a token; an error for an ambiguous one."""
        word = alike(token)
        names = {name: name for name in (*self.helping, *self.hindering)} | dict(self.words)
        if len(word) < 2:
            return None
        found = {die: None for name, die in names.items() if name.startswith(word)}
        if len(found) > 1 and word.isalpha():
            raise wrong(place, "near", found=token, near=", ".join(found))
        return next(iter(found), None) if word.isalpha() else None

    def _times(self, token: str, letters: Mapping[str, str]) -> bool:
        return token in TIMES and self._letter(token, letters, {}) is None

    def _word(self, token: str) -> str | None:
        word = alike(token)
        return word if word in self.helping or word in self.hindering else self.words.get(word)

    @cached_property
    def _tokens(self) -> re.Pattern[str]:
        """The token pattern: a name that ends in digits, such as d20, is one token.

        A game with such a name has no other of that form, so a d6 is one token too, and an unknown
        die.
        """
        numbered = [
            re.escape(die) for die in (*self.helping, *self.hindering) if die[-1].isdecimal()
        ]
        names = [*(f"(?i:{die})" for die in numbered), r"(?i:d)\d+(?![^\W_])"] if numbered else []
        against = r"(?i:vs?|versus|against)\.(?!\w)"
        return re.compile("|".join([*names, against, r"\s+|[,+]|/|\d+|[^\W\d]+(?:-[^\W\d]+)*|."]))

    @staticmethod
    def _letter(char: str, letters: Mapping[str, str], after: Mapping[str, str]) -> str | None:
        for form in (char, char.lower(), char.upper()):
            if form in after or form in letters:
                return after.get(form) or letters[form]
        return None

    def _unknown(self, letters: Mapping[str, str], found: str) -> tuple[str, dict[str, str]]:
        """The sentence about an unknown die, and the dice that it proposes."""
        from difflib import get_close_matches  # slow to import, and only needed for an error

        if found == "-":
            return "negative", {}
        names = (*self.helping, *self.hindering)
        near = (
            get_close_matches(found.lower(), [*names, *self.words], 1, 0.7)
            if len(found) > 2
            else []
        )
        if near:
            return "near", {"near": near[0]}
        known = {"names": ", ".join(names)}
        return ("letter", known | {"letters": "".join(letters)}) if letters else ("unknown", known)


def _is_against(token: str) -> bool:
    return token.removesuffix(".").lower() in AGAINST
