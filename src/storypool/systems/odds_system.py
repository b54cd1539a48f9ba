"""A game with the odds of its pools, as `storypool.systems.get` returns it to programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

from storypool.engine.bag import Bag
from storypool.engine.dice import Misused, described
from storypool.engine.game.system import System
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused

if TYPE_CHECKING:
    from storypool.odds import Distribution
    from storypool.odds.question import Question, Reckoned

__all__ = ["OddsSystem"]


@dataclass(frozen=True, kw_only=True)
class OddsSystem(System):
    """A game with `reckon`, for questions about pools; `Refused` if it has no odds."""

    reckon: Callable[[Question], Reckoned]

    @classmethod
    def of(cls, system: System, reckon: Callable[[Question], Reckoned]) -> Self:
        """The game with its odds."""
        return cls(
            **{field.name: getattr(system, field.name) for field in fields(System)}, reckon=reckon
        )

    def odds(self, pool: str | Mapping[str, int], /, **terms: str | int) -> Distribution:
        """The exact odds of a pool: a text in the game's notation, or a mapping.

        `pool` may map dice names to numbers. `terms` are those of `storypool odds`; missing
        ones have the same defaults. `NotationError` for a text that is not a pool;
        `Refused` for an unknown term, for a missing one, and for too many dice. The note of
        each error says what to write instead.

        >>> from storypool.systems import get
        >>> get("starwars").odds("2A1P/2D").mean("success")
        Fraction(13, 12)
        """
        from storypool.odds.question import Question  # only where odds are asked for

        if not isinstance(pool, str | Mapping):
            raise Misused(
                f"A pool of {self.name} is text in its notation, or names of dice, not"
                f" {described(pool)}."
            )
        try:
            if isinstance(pool, str):
                parsed = self.notation.parse(pool)
            else:
                parsed = self._named(pool)
            given = {name: str(value) for name, value in terms.items()}
            return self.reckon(Question(self.notation.thrown(parsed), given)).distribution
        except (NotationError, Refused) as error:
            if isinstance(error, Refused):
                refusal = error.refusal
            else:
                refusal = Refusal.of("argument", error)
            if refusal.remedy:
                error.add_note(refusal.remedy)
            raise

    def _named(self, pool: Mapping[str, int]) -> Bag:
        names = [die.name for die in self.dice]
        for name, n in pool.items():
            number: object = n
            if name not in names or not isinstance(number, int) or n < 0:
                raise Misused(
                    f"A pool has numbers of {', '.join(names)}, not {described(n)} of"
                    f" {described(name)}."
                )
        return Bag(pool)
