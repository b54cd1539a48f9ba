"""The parts of a game apart from its moves, as types: `dice`, `result`, `odds`, and more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Protocol

from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from storypool.engine.bag import Bag
    from storypool.engine.dice import Axes, Die, Rolled
    from storypool.engine.game.turn import Turn
    from storypool.engine.notation import Notation
    from storypool.engine.table import Character, Check, Table
    from storypool.odds.question import Question, Reckoned
    from storypool.systems.supporting_cast.bringing import Casting


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
        """Whether a roll succeeds (None without an answer), its net symbols, and its sentence."""
        ...


Judge = Callable[[Sequence["Rolled"]], tuple[bool | None, "Bag", str]]
"""A reader of rolls: whether it succeeds, its net symbols, and its sentence."""


class Odds(Protocol):
    """The module `odds` of a game, which computes the odds of its pools."""

    def reckon(self, question: Question, /) -> Reckoned:
        """The odds of a pool under the given terms, or of a contest of two pools.

        `Refused` for an unknown term, and for too many dice.
        """
        ...


class Stakes(Protocol):
    """The module `stakes` of a game: the odds of an open action and the effect of points.

    A game may also have `further` and `scene` there: see the functions in `game_stakes`.
    """

    def question(self, table: Table, check: Check, /) -> Question | None:
        """The question of this action in its current state, or None."""
        ...


class Attack(NamedTuple):
    """An attack in a fight as the rules roll it: its chance to hit, and what a hit does on average.

    `harm` is in what `hits` of the game counts: wounds, shifts, Progress.
    """

    chance: Fraction
    harm: Fraction


class Encounters(Protocol):
    """The module `encounters` of a game: its people, and how two would fare in a fight.

    With `SCORES` a side is one target, for its attacks count towards a score.
    """

    CASTING: Casting

    def attacks(self, turn: Turn, who: Character, target: Character, /) -> Iterable[Attack]:
        """The usual attacks of `who` on `target`, nobody spending points; none without numbers."""
        ...

    def hits(self, turn: Turn, target: Character, harm: Fraction, /) -> int:
        """The number of such hits that take `target` out as it is now, 0 if it is out already."""
        ...
