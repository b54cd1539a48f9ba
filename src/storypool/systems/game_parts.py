"""The parts of a game besides its moves, as types: what its `dice`, `result`, `odds` and `stakes`
have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from storypool.engine.bag import Bag
    from storypool.engine.dice import Axes, Die, Rolled
    from storypool.engine.notation import Notation
    from storypool.engine.table import Check, Table
    from storypool.odds.question import Question, Reckoned


class Dice(Protocol):
    """The module `dice` of a game: its dice without its moves, quick to import."""

    DICE: tuple[Die, ...]
    AXES: Axes
    NOTATION: Notation


class Result(Protocol):
    """The module `result` of a game, which reads a roll without a table."""

    def result(
        self, pool: Mapping[str, int], rolled: Sequence[Rolled], language: Language = ENGLISH
    ) -> tuple[bool | None, Bag, str]:
        """Return whether a roll succeeds (None if the game does not say), its net symbols, its
        result in words.
        """
        ...


Judge = Callable[[Sequence["Rolled"]], tuple[bool | None, "Bag", str]]
"""Reads a roll: returns whether it succeeds, its net symbols, and its result in words."""


class Odds(Protocol):
    """The module `odds` of a game, which computes the odds of its pools."""

    def reckon(self, question: Question, /) -> Reckoned:
        """Return the odds of a pool under the given terms, or of a contest of two pools.

        `Refused` for an unknown term, and for too many dice.
        """
        ...


class Stakes(Protocol):
    """The module `stakes` of a game: the odds of an open action, and what spending points does to
    them.

    A game may also have `further` and `scene` there, which the functions of these names in
    `game_stakes` describe.
    """

    def question(self, table: Table, check: Check, /) -> Question | None:
        """Return the question whose odds are those of this action as it is, or None when it has
        none.
        """
        ...
