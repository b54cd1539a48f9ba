"""What a move asks for: typed questions whose choices are read from the table, so every front end can put them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Value
from storypool.engine.turn import Turn
from storypool.words import said

Kind = Literal["choice", "text", "number", "flag", "faces", "pool", "sheet"]
"""The kinds of questions, by the names that front ends know them by."""

Choices = Callable[[Turn], Iterable["Choice"]]
"""Gives the answers that there are, read from the table and from the answers before it."""

LONGEST_TEXT = 400
"""Characters of a text argument."""
LONGEST_OWN = 60
"""Characters of an answer of the player's own to a choice."""
MOST_FACES = 60
"""Faces typed in by hand at once."""
MOST_ENTRIES = 80
"""Entries of a sheet given at once."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a choice: its value, its label, and a few words beside it."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One typed argument of a move: a class for each kind.

    `default` and `shown` may look at the table and at the answers before it. A question that is not `needed` may stay
    unanswered; a `quiet` one is never put to people: its default counts.
    """

    kind: ClassVar[Kind]

    name: str
    label: str
    _: KW_ONLY
    default: Value | Callable[[Turn], Value | None] | None = None
    needed: bool = True
    shown: Callable[[Turn], bool] | None = None
    quiet: bool = False

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The answers to choose from as things stand; none for a kind that lists none."""
        return ()

    def bounds(self) -> tuple[int, int]:
        """The least and the largest number that may be answered."""
        return 0, 99

    def unasked(self, turn: Turn, choices: tuple[Choice, ...]) -> Value | None:
        """What counts where nothing is answered, or None."""
        return self.default(turn) if callable(self.default) else self.default

    def read(self, turn: Turn, raw: object) -> Value:
        """An answer as a value; `Refused` says what was expected and what came."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ChoiceAsk(Ask):
    """One of several answers, by its value or its label; `free` takes an answer of the player's own as well."""

    kind = "choice"

    choices: Choices
    _: KW_ONLY
    free: bool = False

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The answers to choose from as things stand."""
        return tuple(self.choices(turn))

    def unasked(self, turn: Turn, choices: tuple[Choice, ...]) -> Value | None:
        """The default; where there is none and one choice alone, that one."""
        if callable(self.default):
            return self.default(turn)
        if self.default is None and self.needed and len(choices) == 1 and not self.free:
            return choices[0].value
        return self.default

    def read(self, turn: Turn, raw: object) -> str:
        """The value of a choice, or the player's own words where they may have some."""
        choices = self.offered(turn)
        text = str(raw).strip()
        if any(text == choice.value for choice in choices):
            return text
        for choice in choices:
            if text.casefold() == choice.label.casefold():
                return choice.value
        if self.free and isinstance(raw, str) and plain(text) and len(text) <= LONGEST_OWN:
            return plain(text)
        if not choices:
            raise _bad(turn, self, "none")
        listed = ", ".join(choice.value for choice in choices[:12]) + (" ..." if len(choices) > 12 else "")
        raise _bad(turn, self, "choice", got=_short(raw), choices=listed)


@dataclass(frozen=True, slots=True)
class TextAsk(Ask):
    """Words of the player's own, on one line."""

    kind = "text"

    def read(self, turn: Turn, raw: object) -> str:
        """The text on one line, without anything that does not print."""
        if not isinstance(raw, str) or len(raw) > LONGEST_TEXT:
            raise _bad(turn, self, "text", most=LONGEST_TEXT)
        return plain(raw)


@dataclass(frozen=True, slots=True)
class NumberAsk(Ask):
    """A whole number from `low` to `high`."""

    kind = "number"

    _: KW_ONLY
    low: int = 0
    high: int = 99

    def bounds(self) -> tuple[int, int]:
        """The least and the largest number that may be answered."""
        return self.low, self.high

    def read(self, turn: Turn, raw: object) -> int:
        """The number; a text of digits will do."""
        text = str(raw).strip()
        number = not isinstance(raw, bool) and len(text) <= 12 and text.removeprefix("-").isdecimal()
        if not number or not self.low <= int(text) <= self.high:
            raise _bad(turn, self, "number", got=_short(raw), low=self.low, high=self.high)
        return int(text)


@dataclass(frozen=True, slots=True)
class FlagAsk(Ask):
    """Yes or no."""

    kind = "flag"

    def read(self, turn: Turn, raw: object) -> bool:
        """Yes or no, in any of the ways in which programs and people write it."""
        if raw in (True, "yes", "true", "on", 1, "1"):
            return True
        if raw in (False, "no", "false", "off", 0, "0"):
            return False
        raise _bad(turn, self, "flag", got=_short(raw))


@dataclass(frozen=True, slots=True)
class FacesAsk(Ask):
    """The faces that real dice show.

    `dice` are those that are thrown, each by its name and in their order, where they are not those of the open action.
    """

    kind = "faces"

    _: KW_ONLY
    dice: Choices | None = None

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The dice that are thrown, where they are not those of the open action."""
        return tuple(self.dice(turn)) if self.dice else ()

    def read(self, turn: Turn, raw: object) -> tuple[int, ...]:
        """The printed faces in the order of the dice, from a list or from a text with blanks or commas between."""
        parts = raw.replace(",", " ").split() if isinstance(raw, str) else raw
        if not isinstance(parts, (list, tuple)) or len(parts) > MOST_FACES:
            raise _bad(turn, self, "faces", got=_short(raw))
        faces = [str(part).strip() for part in parts]
        if not all(face.isdecimal() and len(face) <= 3 for face in faces):
            raise _bad(turn, self, "faces", got=_short(raw))
        return tuple(int(face) for face in faces)


@dataclass(frozen=True, slots=True)
class PoolAsk(Ask):
    """A pool of dice in the notation of the game."""

    kind = "pool"

    def read(self, turn: Turn, raw: object) -> str:
        """The pool as the game writes it."""
        try:
            return turn.show(turn.system.notation.parse(str(raw), turn.table.options.get("scheme") or None))
        except NotationError as error:
            raise Refused(Refusal("argument", said(error, turn.system.words), field=self.name)) from None


@dataclass(frozen=True, slots=True)
class SheetAsk(Ask):
    """The numbers of a character."""

    kind = "sheet"

    def read(self, turn: Turn, raw: object) -> str:
        """A sheet in one line, `key=number key=number`, whether it came as that or as an object."""
        if isinstance(raw, str):
            pairs = [part.partition("=")[::2] for part in raw.split()]
        elif isinstance(raw, Mapping):
            pairs = [(str(key), str(value)) for key, value in raw.items()]
        else:
            raise _bad(turn, self, "sheet", got=_short(raw))
        if len(pairs) > MOST_ENTRIES:
            raise _bad(turn, self, "sheet.most", most=MOST_ENTRIES)
        entries = {entry.key: entry for entry in turn.system.sheet}
        for key, value in pairs:
            entry = entries.get(key)
            if not key or len(key) > 40 or not all(c.isalnum() or c in "-_" for c in key):
                raise _bad(turn, self, "sheet", got=_short(key))
            low, high = (entry.low, entry.high) if entry else (0, 99)
            if not value.isdecimal() or len(value) > 4 or not low <= int(value) <= high:
                raise turn.refused(
                    "argument", "argument.entry", self.name, key=key, got=_short(value), low=low, high=high
                )
        return " ".join(f"{key}={int(value)}" for key, value in pairs)


@dataclass(frozen=True, slots=True)
class AskView:
    """A question as it stands now: its choices and its default worked out."""

    name: str
    kind: Kind
    label: str
    choices: tuple[Choice, ...]
    default: Value | None
    needed: bool
    low: int
    high: int
    free: bool


def ask_views(turn: Turn, asks: Iterable[Ask]) -> tuple[AskView, ...]:
    """The questions that a move puts now, given the answers so far."""
    views = []
    answered = dict(turn.args)
    for ask in asks:
        if ask.quiet or (ask.shown is not None and not ask.shown(turn)):
            continue
        choices = ask.offered(turn)
        default = ask.unasked(turn, choices)
        free = isinstance(ask, ChoiceAsk) and ask.free
        low, high = ask.bounds()
        views.append(AskView(ask.name, ask.kind, worded(turn, ask), choices, default, ask.needed, low, high, free))
        if default is not None and ask.name not in turn.args:
            turn.args[ask.name] = default
    turn.args = answered
    return tuple(views)


def worded(turn: Turn, ask: Ask) -> str:
    """The question in words: its label, unless the catalogue has another for this move, as another language does."""
    return turn.system.words.get(f"ask.{turn.key}.{ask.name}", ask.label)


def parsed(turn: Turn, asks: Iterable[Ask], given: Mapping[str, object]) -> dict[str, Value]:
    """The arguments as values; raises `Refused` that names the field, what was found and what was expected."""
    asks = tuple(asks)
    known = {ask.name for ask in asks} | {"check"}
    for name in given:
        if name not in known:
            listed = ", ".join(sorted(known - {"check"})) or turn.system.words["list.none"]
            raise turn.refused("argument", "argument.unknown", name, name=name, known=listed)
    turn.args = {"check": turn.args["check"]} if "check" in turn.args else {}
    for ask in asks:
        if ask.name == "check":
            continue
        raw = given.get(ask.name)
        shown = ask.shown is None or ask.shown(turn)
        if raw is None or raw == "":
            choices = ask.offered(turn) if ask.default is None and ask.needed else ()
            value = ask.unasked(turn, choices) if shown else None
            if value is None and ask.needed and shown:
                raise _bad(turn, ask, "missing")
        else:
            value = ask.read(turn, raw)
            if value == "" and ask.kind == "text":
                if ask.needed:
                    raise _bad(turn, ask, "missing")
                value = None
        if value is not None:
            turn.args[ask.name] = value
    return turn.args


def plain(text: str) -> str:
    """Text on one line, without anything that does not print."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _short(raw: object) -> str:
    text = str(raw)
    return text if len(text) <= 30 else text[:30] + "..."


def _bad(turn: Turn, ask: Ask, reason: str, /, **values: object) -> Refused:
    return turn.refused("argument", f"argument.{reason}", ask.name, name=worded(turn, ask), **values)
