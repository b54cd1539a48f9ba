"""The games: one folder each, imported only when somebody asks for it.

In each, `game` has the whole as `SYSTEM`, `dice` and `result` what a roll needs, `odds` reckons, and `stakes` tells
what the odds of an open action are; `demo.play` is a scene under way. What games share lies beside them, in folders
without a `game`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, cast

from storypool.words import Phrase
from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from storypool.engine.bag import Bag
    from storypool.engine.dice import Axes, Die, Rolled
    from storypool.engine.notation import Notation
    from storypool.engine.system import System
    from storypool.engine.table import Check, Table
    from storypool.odds.question import Question, Reckoned, Worth


class UnknownSystem(LookupError):
    """No game has this name; `known` lists those there are."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        self.key, self.known = key, known
        super().__init__(Phrase("no.system", key=key, known=", ".join(known)))


class Dice(Protocol):
    """The dice of a game without its moves: quick to import."""

    DICE: tuple[Die, ...]
    AXES: Axes
    NOTATION: Notation


class Result(Protocol):
    """What says what dice come to, without a table: its module `result`."""

    def result(
        self, pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
    ) -> tuple[bool | None, Bag, str]:
        """Whether the roll succeeds (None where there is no such thing), what it came to, and that in words."""
        ...


class Odds(Protocol):
    """What reckons the odds of a game's pools: its module `odds`."""

    def reckon(self, question: Question, /) -> Reckoned:
        """The odds of a pool under the terms given, or of a contest of two pools.

        `Refused` for a term that is not known, and for too many dice.
        """
        ...


class Stakes(Protocol):
    """What the odds of an open action are, and what points do to them: a game's module `stakes`."""

    def question(self, table: Table, check: Check, /) -> Question | None:
        """What this action asks the odds of as it stands; None where there is nothing to say."""
        ...

    def further(self, table: Table, check: Check, /) -> Iterable[Worth]:
        """What moves are worth that do not change what is rolled, such as rolling again."""
        ...

    def scene(self, question: Question, /) -> str:
        """A play that ends with this question as an open action of a player, `Refused` where there can be none."""
        ...


@cache
def names() -> tuple[str, ...]:
    """The keys of all games, in alphabetical order; none of them is imported."""
    entries = (entry for folder in __path__ for entry in os.scandir(folder) if entry.is_dir())
    return tuple(sorted(entry.name for entry in entries if _is_game(entry.path)))


def get(key: str, language: Language = ENGLISH) -> System:
    """The game with this key in a language, imported now if it was not before; `UnknownSystem` lists those there are.

    `ValueError` where the language has a sentence for it with a blank that nothing fills.
    """
    system: System = import_module(f"{_module(key)}.game").SYSTEM
    return system if language.folder is None else _translated(key, language)


@cache
def _translated(key: str, language: Language) -> System:
    from storypool.engine.catalogue import translated

    return translated(get(key), language.game(key))


def dice(key: str) -> Dice:
    """The dice of a game without its moves; `UnknownSystem` lists the games there are."""
    return cast(Dice, import_module(f"{_module(key)}.dice"))


def result(key: str) -> Result:
    """What says what the dice of a game come to; `UnknownSystem` lists the games there are."""
    return cast(Result, import_module(f"{_module(key)}.result"))


def odds(key: str) -> Odds:
    """What reckons the odds of a game's pools; `UnknownSystem` lists the games there are.

    `Refused` for a game that tells no odds.
    """
    module = f"{_module(key)}.odds"
    if find_spec(module) is None:
        from storypool.odds.question import no_odds

        raise no_odds("none", "system", system=key)
    return cast(Odds, import_module(module))


def stakes(key: str) -> Stakes | None:
    """What the odds of a game's actions are, and what points do to them; None for a game that does not tell."""
    if key not in names() or find_spec(f"{__name__}.{key}.stakes") is None:
        return None
    return cast(Stakes, import_module(f"{__name__}.{key}.stakes"))


def named(key: str) -> Mapping[str, Callable[..., Bag]]:
    """What a game has names for in tables of odds: the dice that follow from numbers of a sheet. Most have none.

    They are `NAMED` of its module `named`, where there is one; `UnknownSystem` lists the games there are.
    """
    module = f"{_module(key)}.named"
    if find_spec(module) is None:
        return {}
    return cast("Mapping[str, Callable[..., Bag]]", import_module(module).NAMED)


def folder(key: str) -> Traversable:
    """The folder of a game, with all that it brings; `UnknownSystem` lists the games there are."""
    return files(_module(key))


def demo(key: str) -> str | None:
    """The play of a game's scene under way, as text; None for a game that brings none."""
    file = folder(key).joinpath("demo.play")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def plays(key: str) -> dict[str, str]:
    """The plays that hold a game's rules, as texts by the name of their file, in alphabetical order."""
    place = folder(key).joinpath("plays")
    found = [file for file in place.iterdir() if file.name.endswith(".play")] if place.is_dir() else []
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(found, key=lambda file: file.name)}


def find() -> dict[str, System]:
    """Every game by its key, all of them imported."""
    return {key: get(key) for key in names()}


def _module(key: str) -> str:
    if key not in names():
        raise UnknownSystem(key, names())
    return f"{__name__}.{key}"


def _is_game(folder: str) -> bool:
    """Whether a folder is a game's, and not one of what games share."""
    return os.path.isfile(os.path.join(folder, "game.py"))
