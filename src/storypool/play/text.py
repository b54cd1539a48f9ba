"""The text of a play: its statements, one per line, and the errors of invalid lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import cast

from storypool.engine.refusal import CODES
from storypool.engine.table import Side
from storypool.words import Phrase, StorypoolError
from storypool.words.folding import STRAIGHT, composed, half_width, key_value
from storypool.words.text_files import plain, visible

WORDS = ("table", "seat", "points", "rewind")
"""Words that begin a statement, and so cannot be names of seats."""
SIDES = ("gm", "player", "spectator")
EXPECTATIONS = Phrase("play.expectations")
OFFER_EXPECTATIONS = Phrase("play.offer_expectations")


class PlayError(StorypoolError):
    """A broken play: the file, the line, the text found, and the text expected."""

    def __init__(self, file: str, line: int, fault: Fault) -> None:
        self.file, self.line, self.found, self.expected = file, line, fault.found, fault.expected
        super().__init__(Phrase("play.broken", file=file, line=line, fault=fault))


class Fault(StorypoolError):
    """An error in one statement: the text found, and the text expected."""

    def __init__(self, found: Phrase, expected: Phrase) -> None:
        self._found, self._expected = found, expected
        super().__init__(Phrase("play.fault", found=found, expected=expected))

    @property
    def found(self) -> str:
        """The text found."""
        return str(self._found)

    @property
    def expected(self) -> str:
        """The text expected."""
        return str(self._expected)


def fault(id: str, /, **values: object) -> Fault:
    """A fault in the words of the catalogue: `play.ID.found` and `play.ID.expected`."""
    for name, value in values.items():
        if isinstance(value, str):
            values[name] = visible(value)
    return Fault(Phrase(f"play.{id}.found", **values), Phrase(f"play.{id}.expected", **values))


@dataclass(frozen=True, slots=True)
class Opening:
    """`table SYSTEM [title=TITLE] [option=value ...]`; opens a session unless the play does."""

    line: int
    text: str
    system: str
    options: Mapping[str, str]
    session: bool = True


@dataclass(frozen=True, slots=True)
class Seating:
    """`seat NAME side=SIDE`, or `seat NAME CHARACTER: key=value ...`."""

    line: int
    text: str
    seat: str
    _: KW_ONLY
    side: Side | None
    character: str
    entries: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pointing:
    """`points NAME=n ...`: sets these balances."""

    line: int
    text: str
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Acting:
    """`SEAT MOVE [key=value ...] [dice F ...] [override] [=> EXPECT, ...]`."""

    line: int
    text: str
    seat: str
    _: KW_ONLY
    move: str
    args: Mapping[str, str]
    dice: tuple[int, ...]
    override: bool
    expects: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Seeing:
    """`SEAT sees TEXT`, or `SEAT not TEXT`."""

    line: int
    text: str
    seat: str
    sees: bool
    words: str


@dataclass(frozen=True, slots=True)
class Offering:
    """`SEAT offers MOVE [key=value ...] [=> EXPECT, ...]`.

    Or `SEAT closed MOVE [because CODE [WORDS]]`.
    """

    line: int
    text: str
    seat: str
    _: KW_ONLY
    offered: bool
    move: str
    args: Mapping[str, str]
    expects: tuple[tuple[str, ...], ...]
    code: str
    words: str


@dataclass(frozen=True, slots=True)
class Rewinding:
    """`rewind LINE`: the table after that line."""

    line: int
    text: str
    to: int


Statement = Opening | Seating | Pointing | Acting | Seeing | Offering | Rewinding


@dataclass(frozen=True, slots=True)
class Play:
    """A parsed play: its file and its statements; the first one opens the table."""

    file: str
    statements: tuple[Statement, ...]


def read(text: str, file: str = "play", headed: bool = True) -> Play:
    """The statements of a play; `PlayError` names the first invalid line.

    The first opens the table, unless the text is only a part of a play, which is not `headed`.

    >>> play = read("table starwars\\nann check.roll dice 2 5 => light 1, passed  # the second try")
    >>> play.statements[1].dice, play.statements[1].expects
    ((2, 5), (('light', '1'), ('passed',)))
    """
    statements: list[Statement] = []
    for line, raw in enumerate(plain(text).split("\n"), 1):
        statement = _cut(raw, "#")[0].strip()
        try:
            if statement:
                statements.append(_statement(line, statement))
                if isinstance(statements[-1], Opening) != (headed and len(statements) == 1):
                    raise fault("table.first", text=statement)
        except Fault as wrong:
            raise PlayError(file, line, wrong) from None
    if not statements:
        raise PlayError(file, 1, fault("empty"))
    opening = statements[0]
    first = next((s.move for s in statements if isinstance(s, Acting)), "")
    if first == "session.begin" and isinstance(opening, Opening):
        statements[0] = Opening(
            opening.line, opening.text, opening.system, opening.options, session=False
        )
    return Play(file, tuple(statements))


def _cut(text: str, mark: str) -> list[str]:
    """The text cut at each mark outside quotes; a # counts only at the start of a word."""
    if mark not in text:
        return [text]
    parts, start, quote, i = [], 0, "", 0
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\" and quote == '"':
                i += 1
            elif char == quote:
                quote = ""
        elif char == "\\":
            i += 1
        elif char in "'\"":
            quote = char
        elif text.startswith(mark, i) and (mark != "#" or i == 0 or text[i - 1].isspace()):
            parts.append(text[start:i])
            start = i + len(mark)
            i = start - 1
        i += 1
    return [*parts, text[start:]]


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise fault("quote", text=text.strip()) from None


def _statement(line: int, text: str) -> Statement:
    move, *promised = _cut(text, "=>")
    words = _words(move)
    verb = words[1] if words[1:] and words[0] not in WORDS else ""
    if len(promised) > 1 or (promised and "." not in verb and verb != "offers"):
        raise fault("arrow")
    match words:
        case ["table", system, *options]:
            return Opening(line, text, system, _pairs(options))
        case ["seat", seat, *rest] if seat not in WORDS and "=" not in seat:
            return _seating(line, text, seat, rest)
        case ["points", _, *_]:
            return Pointing(
                line, text, {name: whole_number(n, name) for name, n in _pairs(words[1:]).items()}
            )
        case ["rewind", to]:
            return Rewinding(line, text, whole_number(to, "rewind"))
        case [("table" | "seat" | "points" | "rewind") as word, *_]:
            raise fault(f"shape.{word}", text=text)
        case [seat, ("sees" | "not") as verb, _, *_]:
            return Seeing(line, text, seat, verb == "sees", " ".join(words[2:]))
        case [seat, "offers", move, *answers]:
            expects = _expectations(promised, OFFER_EXPECTATIONS)
            return Offering(
                line,
                text,
                seat,
                offered=True,
                move=move,
                args=_pairs(answers),
                expects=expects,
                code="",
                words="",
            )
        case [seat, "closed", move]:
            return Offering(
                line, text, seat, offered=False, move=move, args={}, expects=(), code="", words=""
            )
        case [seat, "closed", move, "because", code, *more]:
            return Offering(
                line,
                text,
                seat,
                offered=False,
                move=move,
                args={},
                expects=(),
                code=code,
                words=" ".join(more),
            )
        case [seat, move, *rest] if "." in move:
            return _acting(line, text, seat, move=move, rest=rest, promised=promised)
    raise fault("statement", text=text)


def _seating(line: int, text: str, seat: str, rest: Sequence[str]) -> Seating:
    if rest and rest[0].endswith(":") and len(rest[0]) > 1:
        return Seating(
            line, text, seat, side=None, character=rest[0][:-1], entries=_pairs(rest[1:])
        )
    pairs = _pairs(rest)
    side = pairs.pop("side", "player")
    if pairs or side not in SIDES or not rest:
        raise fault("shape.seat", text=text)
    return Seating(line, text, seat, side=cast(Side, side), character="", entries={})


def _acting(
    line: int, text: str, seat: str, move: str, rest: Sequence[str], promised: Sequence[str]
) -> Acting:
    args: list[str] = []
    dice: list[int] = []
    override = rolling = False
    for word in rest:
        if word == "dice" and not rolling:
            rolling = True
        elif word == "override" and not override:
            override, rolling = True, False
        elif rolling and not key_value(word):
            dice.append(whole_number(word, "dice"))
        elif key_value(word):
            args.append(word)
            rolling = False
        else:
            raise fault("word", word=word)
    if "dice" in rest and not dice:
        raise fault("dice.empty")
    expects = _expectations(promised, EXPECTATIONS)
    for words in expects:
        if words[0] == "refused" or words == ("refused:",):
            raise fault("refused.bare", found=" ".join(words), codes=", ".join(CODES))
    return Acting(
        line,
        text,
        seat,
        move=move,
        args=_pairs(args),
        dice=tuple(dice),
        override=override,
        expects=expects,
    )


def _expectations(promised: Sequence[str], known: Phrase) -> tuple[tuple[str, ...], ...]:
    """The expectations after the arrow, split into words; a `Fault` if one is empty."""
    if promised:
        expects = tuple(tuple(_words(part)) for part in _cut(promised[0], ","))
    else:
        expects = ()
    if not all(expects):
        raise fault("expectation.empty", expectations=known)
    return expects


def _pairs(words: Iterable[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, value = key_value(word) or ("", "")
        if not key:
            raise fault("pair", word=word)
        if key in pairs:
            raise fault("pair.twice", key=key)
        pairs[key] = value
    return pairs


def as_typed(text: str) -> str:
    """A sentence as people type it: plain spaces, straight quotes and composed letters."""
    return composed(text).replace("\N{NO-BREAK SPACE}", " ").translate(STRAIGHT)


def whole_number(word: str, what: str) -> int:
    """A word as a whole number; otherwise a `Fault` that names `what` needs one."""
    digits = half_width(word)
    if not digits.removeprefix("-").isdecimal() or len(digits) > 9:
        raise fault("whole", word=word, what=what)
    return int(digits)
