"""Odds by complete enumeration: small random pools, with every combination of faces.

The plain arithmetic here shares no code with the odds, except the faces. A game's
`tests/enumerated.py` gives endless requests by `asked(key, draw)` and their results by `rolled(key,
request)`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from storypool import systems
from storypool.engine.bag import Bag

Row = tuple[int, ...]
Odds = Mapping[Any, Fraction]


@dataclass(frozen=True)
class Request:
    """A pool, its terms, and the other side's pool in a contest."""

    pool: Bag
    terms: Mapping[str, str] = field(default_factory=dict)
    against: Bag | None = None

    def key(self) -> object:
        """The identity of a request."""
        return self.pool, tuple(sorted(self.terms.items())), self.against


@dataclass(frozen=True)
class Rolled:
    """The result: the odds of each row on the answer's axes, and of each outcome."""

    joint: Odds
    outcomes: Odds


@cache
def faces(key: str, die: str) -> tuple[Bag, ...]:
    """The faces of a game's die."""
    return next(one.faces for one in systems.dice(key).DICE if one.name == die)


def singles(pool: Mapping[str, int]) -> list[str]:
    """The dice of a pool one by one, in alphabetical order."""
    return [name for name in sorted(pool) for _ in range(pool[name])]


def shares(tally: Mapping[Any, int]) -> Odds:
    """Counts as odds."""
    total = sum(tally.values())
    return {row: Fraction(n, total) for row, n in tally.items() if n}


def chance(joint: Odds, holds: Callable[..., bool]) -> Fraction:
    """The odds of the rows that satisfy a condition."""
    return sum((odds for row, odds in joint.items() if holds(*row)), Fraction(0))


@cache
def symbols(key: str, dice: tuple[str, ...], read: tuple[str, ...]) -> Counter[Row]:
    """The number of ways for each count of these symbols, over every face of every die."""
    shown = [[tuple(face[symbol] for symbol in read) for face in faces(key, die)] for die in dice]
    zero = (0,) * len(read)
    return Counter(tuple(map(sum, zip(zero, *roll, strict=True))) for roll in product(*shown))


def some(draw: random.Random, names: Sequence[str], most: int) -> Bag:
    """One to `most` dice, drawn again each time."""
    return Bag(draw.choices(names, k=draw.randint(1, most)))
