"""A character as a file describes it, in the names of its format."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from storypool.words import Phrase, StorypoolError

MOST_BYTES = 4_000_000
"""The most bytes of a file, in which a portrait may be."""
MOST_SENT = 480_000
"""The most letters of a text that is sent to a server; the page leaves portraits out of it."""
MOST_CHARACTERS = 100
"""The most characters of a file."""
MOST_NUMBERS = 120
MOST_TEXTS = 60
"""The most numbers and texts of a character."""
MOST_MARKUP = 20_000
"""The most letters of a text with its tags."""
LONGEST_NAME = 40
LONGEST_TEXT = 400
LONGEST_NOTE = 4000
"""The most letters of a name, of a text, and of the note with the rest."""


class NoCharacter(StorypoolError, ValueError):
    """A file without a character that can be read: one sentence with the reason."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(Phrase(f"imported.{key}", **values))


@dataclass(frozen=True, slots=True)
class BroughtText:
    """A text of a kind, such as a weapon or an aspect.

    `of` is the number that it belongs to, such as a skill, and `numbers` its own, such as its
    damage; both are in the names of the format.
    """

    kind: str
    text: str
    of: str = ""
    numbers: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(slots=True)
class BroughtCharacter:
    """A character of a file: `rest` are titles and texts that only a note has room for.

    `game` is the key of its game where the file names one.
    """

    format: str
    name: str = ""
    is_npc: bool = False
    game: str = ""
    numbers: dict[str, int] = field(default_factory=dict)
    texts: list[BroughtText] = field(default_factory=list)
    rest: list[tuple[str, str]] = field(default_factory=list)

    def count(self, name: str, value: object, least: int = 0) -> None:
        """Add a number; one that is none, or below `least`, is passed over."""
        if (number := whole(value)) is not None and number >= least and name.strip():
            self.numbers.setdefault(name.strip()[:LONGEST_NAME], number)

    def write(self, kind: str, text: object, of: str = "", **numbers: object) -> None:
        """Add a text; an empty one is passed over."""
        if words := plain(text)[:LONGEST_TEXT]:
            known = {key: kept for key, raw in numbers.items() if (kept := _kept(raw)) is not None}
            self.texts.append(BroughtText(kind, words, of.strip()[:LONGEST_NAME], known))

    def note(self, title: str, text: object) -> None:
        """Add something that only a note has room for; an empty text is passed over."""
        if words := plain(text)[:LONGEST_NOTE]:
            self.rest.append((title[:LONGEST_NAME], words))

    def bounded(self) -> "BroughtCharacter":
        """The character within the limits of its parts."""
        self.name = " ".join(plain(self.name).split())[:LONGEST_NAME].strip()
        self.numbers = dict([*self.numbers.items()][:MOST_NUMBERS])
        del self.texts[MOST_TEXTS:]
        return self


def whole(value: object) -> int | None:
    """The whole number of a value, also as text; None where there is none.

    >>> whole("3"), whole(2.0), whole("+1"), whole("2,5"), whole(True), whole("9" * 40)
    (3, 2, 1, None, None, None)
    """
    if isinstance(value, str):
        text = value.strip().removesuffix(".0").removesuffix(",0")
        sign = text[:1] in "+-−" and text[:1] != ""
        digits = text[1:] if sign else text
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 7):
            return None
        return -int(digits) if text[0] in "-−" else int(digits)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if abs(value) < 10**6 and value == int(value) else None


def plain(value: object) -> str:
    """A text without tags, without invisible signs, and without empty lines around it.

    >>> plain("<p>Ann&#39;s <b>ship</b></p><p>old</p>"), plain(None), plain(7)
    ("Ann's ship\\nold", '', '7')
    """
    if not isinstance(value, str):
        return str(value) if type(value) is int else ""
    from storypool.brought.html_tags import without_tags

    lines = map(_visible, without_tags(value[:MOST_MARKUP]).splitlines())
    return "\n".join(filter(None, lines))


def _visible(line: str) -> str:
    """A line with single spaces, without signs that cannot be seen."""
    return "".join(filter(str.isprintable, " ".join(line.split())))


def _kept(value: object) -> int | str | None:
    """A number of a text, or a short text."""
    number = whole(value)
    if number is not None:
        return number
    return plain(value)[:LONGEST_NAME] or None if isinstance(value, str) else None
