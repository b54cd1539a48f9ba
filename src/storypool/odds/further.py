"""Dice that explode or are rolled again, depending on the result.

The choice of the best dice to roll again is in `rerolls`.

Which dice are best rolled again is another question, see `rerolls`.

>>> from storypool.odds import d, le
>>> explode(d(6), times=1).p(12), reroll(d(6), le(2), times=1).mean()
(Fraction(1, 36), Fraction(25, 6))
>>> (2 @ explode(d(6), times=3)).mean()
Fraction(1813, 216)
"""

from collections.abc import Iterable, Mapping
from operator import add

from storypool.engine.dice import Die, Misused, described
from storypool.odds.distribution import Distribution
from storypool.odds.intervals import Condition, Question
from storypool.odds.polynomial import Row
from storypool.odds.rollable import odds
from storypool.words import BadValue


def explode(
    roll: Die | Distribution,
    question: Question = None,
    /,
    *,
    times: int = 10,
    **conditions: Condition,
) -> Distribution:
    """The odds of an exploding die: another roll is added while it meets the condition.

    Conditions are as for `Distribution.p`; by default the only axis is at its highest. Nothing is
    rounded or cut off: the last roll is kept whatever it shows. For several dice, `3 @
    explode(d(6))`. `ValueError` for `times` below 0.
    """
    of = _single_roll(roll, "explode")
    _check_times(times)
    if question is None and not conditions:
        question = max(of.at_least())
    every, again = of.row_counts, of.holding(question, **conditions)
    rest = [(row, count) for row, count in every.items() if row not in again]
    so_far: dict[Row, int] = {(0,) * len(of.axes): 1}
    found: dict[Row, int] = {}
    for left in range(times, 0, -1):
        _spread(so_far, rest, found, of.total**left)
        following: dict[Row, int] = {}
        _spread(so_far, again.items(), following, 1)
        so_far = following
    _spread(so_far, every.items(), found, 1)
    return Distribution(of.axes, found)


def reroll(
    roll: Die | Distribution,
    question: Question = None,
    /,
    *,
    times: int | None = None,
    **conditions: Condition,
) -> Distribution:
    """The odds of a die that is rolled again while it meets the condition, at most `times` times.

    Conditions are as for `Distribution.p`. The last roll counts, whatever it shows. `ValueError`
    for `times` below 0, and for a condition that is always met without `times`.
    """
    of = _single_roll(roll, "reroll")
    if question is None and not conditions:
        raise Misused(
            "Say what is rolled again, as in reroll(d(6), le(2)) or reroll(d(6), pips=1)."
        )
    again = of.holding(question, **conditions)
    ways = sum(again.values())
    if times is None:
        if ways == of.total:
            raise BadValue(
                "That always holds, so it would be rolled again without end; say how often:"
                " times=1."
            )
        return Distribution(
            of.axes, {row: n for row, n in of.row_counts.items() if row not in again}
        )
    _check_times(times)
    last = ways**times
    first = sum(ways**n * of.total ** (times - n) for n in range(times + 1))
    weights = {row: count * first for row, count in of.row_counts.items()}
    weights |= {row: of.row_counts[row] * last for row in again}
    return Distribution(of.axes, weights)


def _single_roll(roll: Die | Distribution, verb: str) -> Distribution:
    """The odds of one die or one roll."""
    given: object = roll
    if isinstance(given, Distribution):
        return given
    if not isinstance(given, Die):
        raise Misused(
            f"One die is wanted, as in {verb}(d(6), ...), not {described(given)}; for several, 3 @"
            f" {verb}(...)."
        )
    return odds(given)


def _check_times(times: int) -> None:
    if type(times) is not int or times < 0:
        raise BadValue(
            f"A die is rolled again 0 or more times, as in times=1, not {described(times)}."
        )


def _spread(
    so_far: Mapping[Row, int], rolled: Iterable[tuple[Row, int]], found: dict[Row, int], weight: int
) -> None:
    """Add each row plus one more roll, weighted, to `found`."""
    rolled = list(rolled)
    for at, ways in so_far.items():
        for row, count in rolled:
            end = tuple(map(add, at, row))
            found[end] = found.get(end, 0) + ways * count * weight
