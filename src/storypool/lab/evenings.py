"""Evenings as data: the seats, the attempts scene by scene, and the spends of each side.

They are in `evenings.toml` in the folder of a game, or in the table `evening` of a single-file
game, and each is a table of its own. Keys before the first of them apply to all.

- `title` describes the evening, `table` is the beginning of a play: seats, characters and their
  points. Its last line begins the session.
- `scenes`, and `actions` in each.
- `[EVENING.deeds]` holds the attempts: a line as in a play, `SEAT MOVE key=value ...`, and its
  relative frequency. The seat is a name, or `players` for any player. One of the values between
  bars is drawn each time: `dc=1|2|2|3`.
- `players.spends` and `gm.spends` are moves on which that side may spend points, with answers to
  their questions; values between bars are different ways to spend. `players.policy` and `gm.policy`
  are their default policies: see `storypool.lab.policies`.
- `goes_on` are the moves that answer the waits of the table, in order of preference, with answers
  where they need any.
- `pools` are accounts of characters whose points are part of the economy, besides the accounts of
  the table.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

from storypool import systems
from storypool.engine.refusal import Refusal, Refused
from storypool.words import BadValue, Phrase
from storypool.words.text_files import plain, text_in

FILE = "evenings.toml"


@dataclass(frozen=True)
class MoveLine:
    """A move and the answers to its questions; several answers to one are alternatives."""

    move: str
    args: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> MoveLine:
        """Parse a line.

        >>> MoveLine.read("check.declare title='Over the wall' dc=1|2").args["dc"]
        ('1', '2')
        """
        move, *pairs = shlex.split(text)
        split = (pair.partition("=") for pair in pairs)
        return cls(move, {key: tuple(values.split("|")) for key, _, values in split})

    def drawn(self, chance: Random) -> dict[str, str]:
        """One random answer to each question."""
        found = dict[str, str]()
        for key, values in self.args.items():
            found[key] = values[0] if len(values) == 1 else chance.choice(values)
        return found

    @cached_property
    def ways(self) -> tuple[Mapping[str, str], ...]:
        """Every combination of answers to its questions."""
        return tuple(
            dict(zip(self.args, values, strict=True)) for values in product(*self.args.values())
        )


@dataclass(frozen=True, slots=True)
class ActionKind:
    """A kind of action: its seat, its move, and its frequency relative to the others."""

    who: str
    line: MoveLine
    often: float


@dataclass(frozen=True, slots=True)
class Means:
    """The moves on which a side may spend points, and its default policy."""

    spends: tuple[MoveLine, ...] = ()
    policy: str = "always"


@dataclass(frozen=True, slots=True)
class Evening:
    """One kind of evening of a game; the module describes the parts."""

    system: str
    key: str
    title: str
    _: KW_ONLY
    table: str
    scenes: int
    actions: int
    deeds: tuple[ActionKind, ...]
    players: Means
    gm: Means
    goes_on: tuple[MoveLine, ...] = ()
    pools: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        """The number of actions in the evening."""
        return self.scenes * self.actions

    def means(self, side: str) -> tuple[MoveLine, ...]:
        """The moves on which this side may spend points; none for a spectator."""
        return {"gm": self.gm.spends, "player": self.players.spends}.get(side, ())


def evenings(key: str) -> Mapping[str, Evening]:
    """The evenings that a game brings, by name; `Refused` for a game with none, or invalid ones."""
    name = "evening" if systems.is_file(key) else "evenings"
    try:
        found = _evenings(key, systems.data(key, name))
    except (ValueError, TypeError, AttributeError) as wrong:
        raise _unread(f"[{name}]" if systems.is_file(key) else FILE, wrong) from None
    if not found:
        raise Refused(
            Refusal.of("argument", Phrase("lab.evening.none", system=key, file=FILE), "system")
        )
    return found


def evening(key: str, name: str = "") -> Evening:
    """An evening of a game by its name, or the first of a .toml file; `Refused` if unknown.

    Without a name it is the first that the game brings.
    """
    if name.endswith(".toml"):
        return next(iter(_of_file(key, name).values()))
    found = evenings(key)
    if name and name not in found:
        known = ", ".join(found)
        raise Refused(
            Refusal.of(
                "unknown", Phrase("lab.evening.unknown", evening=name[:40], known=known), "evening"
            )
        )
    if name:
        return found[name]
    return next(iter(found.values()))


def _of_file(key: str, file: str) -> Mapping[str, Evening]:
    try:
        found = read(key, text_in(file))
    except (OSError, ValueError) as wrong:
        raise _unread(file, wrong) from None
    if not found:
        raise Refused(Refusal.of("argument", Phrase("lab.evening.empty", file=file), "evening"))
    return found


def _unread(file: str, why: Exception) -> Refused:
    return Refused(
        Refusal.of("argument", Phrase("lab.evening.file", file=file, why=why), "evening")
    )


def read(key: str, text: str) -> Mapping[str, Evening]:
    """The evenings of a text by name; `ValueError` for a missing or unknown part."""
    return _evenings(key, tomllib.loads(plain(text)))


def _evenings(key: str, parts: Mapping[str, Any]) -> Mapping[str, Evening]:
    own = {name: part for name, part in parts.items() if isinstance(part, dict) and "deeds" in part}
    shared = {name: part for name, part in parts.items() if name not in own}
    return {name: _evening(key, name, {**shared, **part}) for name, part in own.items()}


PARTS: Mapping[str, type] = {
    "title": str,
    "table": str,
    "scenes": int,
    "actions": int,
    "deeds": dict,
    "players": dict,
    "gm": dict,
    "goes_on": list,
    "pools": list,
}
KINDS = {str: "a text", int: "a number", dict: "a table", list: "a list"}


def _evening(system: str, key: str, given: Mapping[str, Any]) -> Evening:
    unknown = [name for name in given if name not in PARTS]
    missing = [name for name in ("title", "table", "scenes", "actions") if name not in given]
    if unknown or missing:
        raise BadValue(
            f"{key}: not known is {unknown}, missing is {missing}; parts are {', '.join(PARTS)}"
        )
    wrong = [name for name, value in given.items() if not isinstance(value, PARTS[name])]
    if wrong:
        kind = KINDS[PARTS[wrong[0]]]
        raise BadValue(f"{key}: {wrong[0]} is {kind}, not {repr(given[wrong[0]])[:40]}")
    return Evening(
        system,
        key,
        given["title"],
        table=given["table"],
        scenes=given["scenes"],
        actions=given["actions"],
        deeds=tuple(_deed(line, often) for line, often in given["deeds"].items()),
        players=_means(given.get("players", {})),
        gm=_means(given.get("gm", {})),
        goes_on=tuple(map(MoveLine.read, given.get("goes_on", ()))),
        pools=tuple(given.get("pools", ())),
    )


def _deed(text: str, often: float) -> ActionKind:
    who, _, line = text.partition(" ")
    return ActionKind(who, MoveLine.read(line), float(often))


def _means(given: Mapping[str, Any]) -> Means:
    policy = str(given.get("policy", "always"))
    if ".py:" in policy:
        raise BadValue(
            f"an evening is data, and {policy[:40]} is a program, which only who plays it can"
            " choose"
        )
    return Means(tuple(map(MoveLine.read, given.get("spends", ()))), policy)
