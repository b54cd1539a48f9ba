"""Exact odds of any pool of dice: `odds(dice, axes)` gives a `Distribution`, which answers questions.

>>> from storypool.engine.bag import Bag
>>> from storypool.engine.dice import Axes, Die
>>> axes = Axes({"hit": Bag(hit=1), "miss": Bag(hit=-1), "star": Bag(hit=1, star=1)}, {"hit": "miss"})
>>> sword = Die("sword", (Bag(), Bag(hit=1), Bag(hit=2), Bag(star=1)))
>>> shield = Die("shield", (Bag(), Bag(miss=1)))
>>> d = odds({sword: 2, shield: 1}, axes)
>>> d.p(hit=ge(1)), d.p(hit=ge(1), star=ge(1)), d.p(lambda hit, star: star > hit)
(Fraction(13, 16), Fraction(3, 8), Fraction(1, 8))
>>> d.on("hit").counts
mappingproxy({(-1,): 1, (0,): 5, (1,): 10, (2,): 10, (3,): 5, (4,): 1})
>>> d.mean("hit"), d.variance("hit"), d.quantile("hit", 0.5)
(Fraction(3, 2), Fraction(5, 4), 1)
>>> d.given(star=0).p(hit=ge(1))
Fraction(7, 9)

Which dice to roll again is asked of `storypool.odds.rerolls`, and samples are drawn in bulk with
`storypool.odds.sampling`, which alone needs numpy; both are imported where they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from storypool.engine.dice import Axes, Die
from storypool.odds.allowance import allowing
from storypool.odds.distribution import Comparison, Distribution, UnknownAxis
from storypool.odds.intervals import Condition, Interval, between, eq, ge, le
from storypool.odds.polynomial import MOST_FACES, Polynomial, Reading
from storypool.odds.pool import MOST_DICE, MOST_RESULTS, MOST_TOLD, Pool, TooManyDice

__all__ = [
    "MOST_DICE",
    "MOST_FACES",
    "MOST_RESULTS",
    "Comparison",
    "Condition",
    "Distribution",
    "Interval",
    "TooManyDice",
    "UnknownAxis",
    "allowing",
    "between",
    "eq",
    "ge",
    "le",
    "odds",
]

_MOST_READINGS = 256
_readings: dict[int, Reading] = {}
_MOST_POOLS = 256
_pools: dict[tuple[tuple[str, ...], frozenset[tuple[Polynomial, int]]], Distribution] = {}


def odds(dice: Mapping[Die, int] | Iterable[Die | tuple[Die, int]], axes: Axes) -> Distribution:
    """The exact joint odds of a pool on the axes, in the order of `axes.names`; an axis no die moves stays at 0.

    `dice` counts dice, or lists them singly or as pairs of die and number, in any order. Nothing is computed before
    a question is asked, and a question about some axes computes those only; what that takes is known before, see
    `Distribution.cost`. The same pool gives the same object.
    `TooManyDice` above `MOST_DICE` dice, and when rows are asked for that may be more than `MOST_RESULTS`;
    `ValueError` for a number below 0, a die without faces or with more than `MOST_FACES`, and a symbol that moves no
    axis. Whoever has a deadline sets an allowance, see `allowing`.
    """
    reading = _readings.get(id(axes)) or _read(axes)
    known = reading.known
    pool: dict[Polynomial, int] = {}
    for item in dice.items() if hasattr(dice, "items") else dice:
        die, n = (item, 1) if isinstance(item, Die) else item
        if n > 0:
            kind, _ = known.get(id(die)) or reading.read(die)
            pool[kind] = pool.get(kind, 0) + n
        elif n:
            told = n if -n <= MOST_TOLD else "so few"
            raise ValueError(f"A pool cannot hold {told} {die.name} dice; give 0 or more.")
    key = reading.names, frozenset(pool.items())
    found = _pools.get(key)
    if found is None:
        # What is kept is bounded: so many pools, none with more rows than `distribution.MOST_KEPT`.
        if len(_pools) >= _MOST_POOLS:
            _pools.clear()
        found = _pools.setdefault(key, Distribution(reading.names, Pool(reading.names, pool)))
    return found


def _read(axes: Axes) -> Reading:
    # By identity, as for dice: a reading keeps its axes, so that their id stays their own.
    if len(_readings) >= _MOST_READINGS:
        _readings.clear()
    reading = _readings[id(axes)] = Reading(axes)
    return reading
