"""The number of dice of each kind on named axes, and ways to count the results."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import log2, prod
from operator import add
from typing import NamedTuple

from storypool.odds.allowance import Allowance, current, pay
from storypool.odds.intervals import Interval
from storypool.odds.packing import field_width, packing, unpacked
from storypool.odds.polynomial import Polynomial, Row

MAX_PACKED = 1_000_000
"""The most results that are packed into one number; rows farther apart are added one by one."""

CHEAP = 2_000_000
"""Microseconds up to which a question about one axis is free, whatever is allowed."""


class Line(NamedTuple):
    """The counts on one axis in fields of `width` bits, from value `low` up, and their `total`."""

    low: int
    width: int
    fields: int
    total: int

    def count(self, wanted: Interval) -> int:
        """The number of ways in which the axis is in the interval."""
        fields = self.fields
        if wanted.high is not None:
            fields &= (1 << max(0, wanted.high + 1 - self.low) * self.width) - 1
        if wanted.low is not None:
            fields >>= max(0, wanted.low - self.low) * self.width
        # Casting out: a number and the sum of its digits leave the same remainder by the base less
        # one. The fields are digits in base 2**width, and their sum is below that.
        return fields % ((1 << self.width) - 1)


class Pool:
    """Dice by kind on some axes; `onto` gives the pool on fewer axes, which is cheaper to count."""

    def __init__(
        self,
        axes: tuple[str, ...],
        dice: dict[Polynomial, int],
        allowance: Allowance | None = None,
    ) -> None:
        self.axes, self.dice, self.allowance = axes, dice, allowance
        self.number = sum(dice.values())
        self.limits.check_dice(self.number)
        self._lines: dict[int, Line] = {}

    @property
    def limits(self) -> Allowance:
        """The limits of these dice: their own, or those of the context."""
        return self.allowance or current()

    @cached_property
    def total(self) -> int:
        """The sum of all counts; `TooManyDice` where its digits alone would take too long."""
        if self.bits > 64 * CHEAP:
            self._pay(self.bits // 64)
        return prod(kind.total**n for kind, n in self.dice.items())

    @property
    def bits(self) -> int:
        """The binary digits of the total, found without computing it."""
        if self.number > MAX_PACKED:
            return sum(n * kind.total.bit_length() for kind, n in self.dice.items())
        return int(sum(n * log2(kind.total) for kind, n in self.dice.items())) + 1

    def __add__(self, other: Pool) -> Pool:
        """The dice of both pools, which have the same axes."""
        dice = {
            kind: self.dice.get(kind, 0) + other.dice.get(kind, 0)
            for kind in self.dice | other.dice
        }
        return Pool(self.axes, dice, self.allowance or other.allowance)

    def times(self, n: int) -> Pool:
        """N pools like this, added up."""
        dice = {kind: n * of_it for kind, of_it in self.dice.items() if n}
        return Pool(self.axes, dice, self.allowance)

    def scaled(self, factor: int) -> Pool:
        """The same dice with each step multiplied by `factor`."""
        found: dict[Polynomial, int] = {}
        for kind, n in self.dice.items():
            scaled = kind.scaled(factor)
            found[scaled] = found.get(scaled, 0) + n
        return Pool(self.axes, found, self.allowance)

    def mean(self, axis: int) -> Fraction:
        """The mean on one axis: the sum of the means of the dice."""
        return sum((n * kind.mean(axis) for kind, n in self.dice.items()), Fraction(0))

    def onto(self, kept: Row) -> Pool:
        """This pool on some of its axes, by index, in that order."""
        seen: dict[Polynomial, int] = {}
        for kind, n in self.dice.items():
            shown = kind.onto(kept)
            seen[shown] = seen.get(shown, 0) + n
        return Pool(tuple([self.axes[axis] for axis in kept]), seen, self.allowance)

    def span(self, axis: int) -> range:
        """The range from the least to the highest value of an axis."""
        low = sum(n * kind.low[axis] for kind, n in self.dice.items())
        return range(low, sum(n * kind.high[axis] for kind, n in self.dice.items()) + 1)

    @property
    def results(self) -> int:
        """An upper bound of the number of results, found without computing one."""
        return prod(self._extent(axis) for axis in range(len(self.axes)))

    def _extent(self, axis: int) -> int:
        # A `len` is at most 2**63.
        whole = self.span(axis)
        return whole.stop - whole.start

    @property
    def cost(self) -> int:
        """An upper estimate of the time of `rows`, in microseconds, made without counting.

        Each result is named and counted, and each die moves every cell, in words of 64 bits, about
        once for a term. The factors are measured, not reasoned: from 5 to 100 dice of six games it
        takes a tenth of that or up to all.
        """
        words = -(-self.bits // 64)
        most = self.results * (40 + self.number * words) // 50
        if len(self.axes) > 1 or most < CHEAP:
            return most
        # One axis is counted by multiplying; for long numbers that takes longer than the moves.
        return max(most, multiplied(self.results * self.bits))

    def _pay(self, cost: int) -> None:
        pay(cost, ", ".join(self.axes), self.allowance)

    def rows(self) -> Iterator[tuple[Row, int]]:
        """Each possible result with its count, in no order.

        `TooManyDice` when there may be too many, and when that costs more than is allowed.
        """
        if self.number == 1:  # its faces are its results
            return iter(next(iter(self.dice)).terms)
        self.limits.check_results(self.axes, self.results)
        self._pay(self.cost)
        if len(self.axes) == 1:
            line = self.along(0)
            return (
                ((n,), count)
                for n, count in enumerate(unpacked(line.fields, line.width), line.low)
                if count
            )
        found = [
            packing(len(self.axes), group).pack(self.dice).rows()
            for group in _groups(frozenset(self.dice))
        ]
        return found[0] if len(found) == 1 else _combined(len(self.axes), found)

    def along(self, axis: int) -> Line:
        """The odds on one axis alone, by index; the others are not computed."""
        found = self._lines.get(axis)
        if found is None:
            cost = multiplied(self._extent(axis) * self.bits)
            if cost > CHEAP:
                pay(cost, self.axes[axis], self.allowance)
            low, total = 0, 1
            for kind, n in self.dice.items():
                alone = kind.alone[axis]
                low += n * alone.low[0]
                total *= alone.total**n
            packed, width = 1, field_width(total + 1)
            for kind, n in self.dice.items():
                packed *= kind.alone[axis].fields[width] ** n
            found = self._lines[axis] = Line(low, width, packed, total)
        return found


def multiplied(bits: int) -> int:
    """The microseconds to multiply up to a number of this length, as measured.

    Python multiplies in digits of 30 bits, by Karatsuba's way.
    """
    return int((bits / 30) ** 1.585 / 200) if bits < 1 << 60 else bits


@lru_cache(maxsize=1024)
def _groups(kinds: frozenset[Polynomial]) -> tuple[frozenset[Polynomial], ...]:
    """The kinds of dice grouped by the axes they share; the groups are independent."""
    groups: list[tuple[int, frozenset[Polynomial]]] = []
    for kind in kinds:
        if not kind.touched:
            continue
        touched, together = kind.touched, frozenset([kind])
        for other in [group for group in groups if group[0] & kind.touched]:
            groups.remove(other)
            touched, together = touched | other[0], together | other[1]
        groups.append((touched, together))
    return tuple(group for _, group in groups) or (frozenset(),)


def _combined(axes: int, found: list[Iterator[tuple[Row, int]]]) -> Iterator[tuple[Row, int]]:
    """The combined results of independent groups; each moves its own axes, so rows add up."""
    for parts in product(*found):
        row, count = (0,) * axes, 1
        for at, ways in parts:
            row, count = tuple(map(add, row, at)), count * ways
        yield row, count
