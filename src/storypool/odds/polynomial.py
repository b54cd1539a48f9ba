"""One die on one set of axes, as exponents per axis and coefficients that count faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import gcd
from operator import sub
from typing import NamedTuple

Row = tuple[int, ...]
"""One value for each axis."""

Lone = tuple[tuple[int, Row], ...]
"""Terms that own their axes: the weight of each, and its step."""


class Split(NamedTuple):
    """A die as `rest + weight * step + ...`: a packed rest, and lone terms that own their axes.

    A lone term is its weight and its step, counted from `low`, the lowest of the rest. `bits` and
    `columns` are the rest as powers of two: one entry for each binary digit of each coefficient, so
    that multiplying by the die is a sum of shifts. `columns` has the exponents, counted from `low`,
    one tuple for each packed axis; `high` and `low` are their bounds on all axes. An empty rest has
    `total` 0.
    """

    lone: Lone
    bits: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    low: Row
    high: Row
    total: int
    peak: int


class Polynomial:
    """A die as its generating function: `terms` has each step on the axes and its weight.

    A weight that all terms share is divided out. Two dice that make the same steps are one
    polynomial, so they are counted together; it is compared and hashed by identity. `touched` and
    `lone` are sets of axes as bits: those on which any term moves, and those on which exactly one
    does.
    """

    __slots__ = (
        "_onto",
        "_splits",
        "alone",
        "axes",
        "fields",
        "high",
        "lone",
        "low",
        "terms",
        "total",
        "touched",
    )

    def __init__(self, axes: int, terms: tuple[tuple[Row, int], ...]) -> None:
        self.axes, self.terms = axes, terms
        self.total = sum(weight for _, weight in terms)
        columns = list(zip(*[step for step, _ in terms], strict=True))
        self.low: Row = tuple(map(min, columns))
        self.high: Row = tuple(map(max, columns))
        moves = [len(terms) - column.count(0) for column in columns]
        self.touched = sum(1 << axis for axis, n in enumerate(moves) if n)
        self.lone = sum(1 << axis for axis, n in enumerate(moves) if n == 1)
        self._onto: dict[Row, Polynomial] = {}
        self._splits: dict[tuple[int, Row], Split] = {}
        self.alone = (self,) if axes == 1 else tuple(self.onto((axis,)) for axis in range(axes))
        self.fields = Fields(self)

    def mean(self, axis: int) -> Fraction:
        """The mean of its steps on one axis."""
        return Fraction(sum(step[axis] * weight for step, weight in self.terms), self.total)

    def scaled(self, factor: int) -> Polynomial:
        """This die with each step multiplied by `factor`."""
        terms = []
        for step, weight in self.terms:
            terms.append((tuple([factor * n for n in step]), weight))
        return gathered(self.axes, terms)

    def onto(self, kept: Row) -> Polynomial:
        """This die on some of its axes only, by index."""
        found = self._onto.get(kept)
        if found is None:
            terms = []
            for step, weight in self.terms:
                terms.append((tuple([step[axis] for axis in kept]), weight))
            found = self._onto[kept] = gathered(len(kept), terms)
        return found

    def split(self, sparse: int, packed: Row) -> Split:
        """The lone terms on the axes of bit set `sparse`, and the rest on `packed` as shifts."""
        found = self._splits.get((sparse, packed))
        if found is None:
            found = self._splits[sparse, packed] = self._split(sparse, packed)
        return found

    def _split(self, sparse: int, packed: Row) -> Split:
        own = {axis for axis in range(self.axes) if sparse >> axis & 1}
        alone, rest = [], []
        for step, weight in self.terms:
            if any(step[axis] for axis in own):
                alone.append((step, weight))
            else:
                rest.append((step, weight))
        steps = [step for step, _ in rest] or [(0,) * self.axes]
        low = tuple(map(min, zip(*steps, strict=True)))
        high = tuple(map(max, zip(*steps, strict=True)))
        digits = [(bit, step) for step, weight in rest for bit in _set_bits(weight)]
        columns = []
        for axis in packed:
            least = low[axis]
            columns.append(tuple(step[axis] - least for _, step in digits))
        return Split(
            tuple((weight, tuple(map(sub, step, low))) for step, weight in alone),
            tuple(bit for bit, _ in digits),
            tuple(columns),
            low=low,
            high=high,
            total=sum(weight for _, weight in rest),
            peak=max((weight for _, weight in rest), default=0),
        )


def _set_bits(n: int) -> Iterator[int]:
    return (bit for bit in range(n.bit_length()) if n >> bit & 1)


class Fields(dict[int, int]):
    """A die of one axis as one integer, by field width: one field per exponent, lowest first."""

    __slots__ = ("die",)

    def __init__(self, die: Polynomial) -> None:
        self.die = die

    def __missing__(self, width: int) -> int:
        low = self.die.low[0]
        found = self[width] = sum(
            weight << (step[0] - low) * width for step, weight in self.die.terms
        )
        return found


def gathered(axes: int, steps: Iterable[tuple[Row, int]], kept: bool = True) -> Polynomial:
    """The polynomial of these steps, equal ones added and the common weight divided out.

    With `kept`, equal steps give the same object.
    """
    weights: dict[Row, int] = {}
    for step, weight in steps:
        weights[step] = weights.get(step, 0) + weight
    common = gcd(*weights.values())
    made = _interned if kept else Polynomial
    return made(axes, tuple(sorted((step, weight // common) for step, weight in weights.items())))


_interned = lru_cache(maxsize=4096)(Polynomial)
