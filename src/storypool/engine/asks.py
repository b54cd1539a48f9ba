"""What a move asks for: typed questions whose choices are read from the table, so every front end can put them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn

from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Value
from storypool.engine.turn import Turn

Kind = Literal["choice", "text", "number", "flag", "faces", "pool", "sheet"]
LONGEST_TEXT = 400
"""Characters of a text argument."""
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
    """One typed argument of a move.

    `choices`, `default`, `low`, `high` and `shown` may look at the table and at the answers before it. `free` lets a
    choice take an answer of the player's own. Of `faces` the choices are the dice that are thrown, each by its name and
    in their order, where they are not those of the open action. A question that is not `needed` may stay unanswered;
    a `quiet` one is never put to people: its default counts.
    """

    name: str
    kind: Kind
    label: str
    choices: Callable[[Turn], Iterable[Choice]] | None = None
    default: Value | Callable[[Turn], Value | None] | None = None
    needed: bool = True
    low: int = 0
    high: int = 99
    free: bool = False
    shown: Callable[[Turn], bool] | None = None
    quiet: bool = False


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
        choices = tuple(ask.choices(turn)) if ask.choices else ()
        default = _default(turn, ask, choices)
        views.append(
            AskView(ask.name, ask.kind, worded(turn, ask), choices, default, ask.needed, ask.low, ask.high, ask.free)
        )
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
            raise _bad(
                turn,
                name,
                "argument.unknown",
                name=name,
                known=", ".join(sorted(known - {"check"})) or turn.system.words["list.none"],
            )
    turn.args = {"check": turn.args["check"]} if "check" in turn.args else {}
    for ask in asks:
        if ask.name == "check":
            continue
        raw = given.get(ask.name)
        shown = ask.shown is None or ask.shown(turn)
        if raw is None or raw == "":
            choices = tuple(ask.choices(turn)) if ask.choices and ask.default is None and ask.needed else ()
            value = _default(turn, ask, choices) if shown else None
            if value is None and ask.needed and shown:
                _missing(turn, ask)
        else:
            value = _value(turn, ask, raw)
            if value == "" and ask.kind == "text":
                value = _missing(turn, ask) if ask.needed else None
        if value is not None:
            turn.args[ask.name] = value
    return turn.args


def plain(text: str) -> str:
    """Text on one line, without anything that does not print."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _missing(turn: Turn, ask: Ask) -> NoReturn:
    raise _bad(turn, ask.name, "argument.missing", name=worded(turn, ask))


def _default(turn: Turn, ask: Ask, choices: tuple[Choice, ...]) -> Value | None:
    if callable(ask.default):
        return ask.default(turn)
    if ask.default is None and ask.kind == "choice" and ask.needed and len(choices) == 1 and not ask.free:
        return choices[0].value
    return ask.default


def _value(turn: Turn, ask: Ask, raw: object) -> Value:
    match ask.kind:
        case "choice":
            return _choice(turn, ask, raw)
        case "text":
            if not isinstance(raw, str) or len(raw) > LONGEST_TEXT:
                raise _bad(turn, ask.name, "argument.text", name=worded(turn, ask), most=LONGEST_TEXT)
            return plain(raw)
        case "number":
            return _number(turn, ask, raw)
        case "flag":
            if raw in (True, "yes", "true", "on", 1, "1"):
                return True
            if raw in (False, "no", "false", "off", 0, "0"):
                return False
            raise _bad(turn, ask.name, "argument.flag", name=worded(turn, ask), got=_short(raw))
        case "faces":
            return _faces(turn, ask, raw)
        case "pool":
            try:
                return turn.show(turn.system.notation.parse(str(raw), turn.table.options.get("scheme") or None))
            except NotationError as error:
                raise Refused(Refusal("argument", str(error), field=ask.name)) from None
        case "sheet":
            return _sheet(turn, ask, raw)


def _choice(turn: Turn, ask: Ask, raw: object) -> str:
    choices = tuple(ask.choices(turn)) if ask.choices else ()
    text = str(raw).strip()
    if any(text == choice.value for choice in choices):
        return text
    for choice in choices:
        if text.casefold() == choice.label.casefold():
            return choice.value
    if ask.free and isinstance(raw, str) and plain(text) and len(text) <= 60:
        return plain(text)
    if not choices:
        raise _bad(turn, ask.name, "argument.none", name=worded(turn, ask))
    listed = ", ".join(choice.value for choice in choices[:12]) + (" ..." if len(choices) > 12 else "")
    raise _bad(turn, ask.name, "argument.choice", name=worded(turn, ask), got=_short(raw), choices=listed)


def _number(turn: Turn, ask: Ask, raw: object) -> int:
    text = str(raw).strip()
    if isinstance(raw, bool) or len(text) > 12 or not text.removeprefix("-").isdecimal():
        raise _bad(
            turn, ask.name, "argument.number", name=worded(turn, ask), got=_short(raw), low=ask.low, high=ask.high
        )
    if not ask.low <= int(text) <= ask.high:
        raise _bad(
            turn, ask.name, "argument.number", name=worded(turn, ask), got=_short(raw), low=ask.low, high=ask.high
        )
    return int(text)


def _faces(turn: Turn, ask: Ask, raw: object) -> tuple[int, ...]:
    parts = raw.replace(",", " ").split() if isinstance(raw, str) else raw
    if not isinstance(parts, (list, tuple)) or len(parts) > MOST_FACES:
        raise _bad(turn, ask.name, "argument.faces", name=worded(turn, ask), got=_short(raw))
    faces = [str(part).strip() for part in parts]
    if not all(face.isdecimal() and len(face) <= 3 for face in faces):
        raise _bad(turn, ask.name, "argument.faces", name=worded(turn, ask), got=_short(raw))
    return tuple(int(face) for face in faces)


def _sheet(turn: Turn, ask: Ask, raw: object) -> str:
    """A sheet in one line, `key=number key=number`, whether it came as that or as an object."""
    if isinstance(raw, str):
        pairs = [part.partition("=")[::2] for part in raw.split()]
    elif isinstance(raw, Mapping):
        pairs = [(str(key), str(value)) for key, value in raw.items()]
    else:
        raise _bad(turn, ask.name, "argument.sheet", name=worded(turn, ask), got=_short(raw))
    if len(pairs) > MOST_ENTRIES:
        raise _bad(turn, ask.name, "argument.sheet.most", name=worded(turn, ask), most=MOST_ENTRIES)
    entries = {entry.key: entry for entry in turn.system.sheet}
    for key, value in pairs:
        entry = entries.get(key)
        if not key or len(key) > 40 or not all(c.isalnum() or c in "-_" for c in key):
            raise _bad(turn, ask.name, "argument.sheet", name=worded(turn, ask), got=_short(key))
        low, high = (entry.low, entry.high) if entry else (0, 99)
        if not value.isdecimal() or len(value) > 4 or not low <= int(value) <= high:
            raise _bad(turn, ask.name, "argument.entry", key=key, got=_short(value), low=low, high=high)
    return " ".join(f"{key}={int(value)}" for key, value in pairs)


def _short(raw: object) -> str:
    text = str(raw)
    return text if len(text) <= 30 else text[:30] + "..."


def _bad(turn: Turn, field: str, reason: str, /, **values: object) -> Refused:
    return turn.refused("argument", reason, field, **values)
