"""Packing: the joint distribution of dice that hang together, as a few big integers.

The method. A polynomial in several variables is written into one integer, a field of fixed width for each cell
(Kronecker substitution), so that multiplying by a die is one shift and one addition for each of its terms. An axis
that one term of one kind of die moves, and no other die touches, is not packed: such a die is R + c*m*z, and its
n-th power is the binomial sum of C(n, j) * c**j * m**j * z**j * R**(n - j), whose powers of R are made one from the
other anyway. What multiplies a whole integer (C(n, j) * c**j) and what shifts it (m**j) is kept beside it.

Sources: L. Kronecker, Grundzüge einer arithmetischen Theorie der algebraischen Grössen (1882), section 4; D. Harvey,
Faster polynomial multiplication via multipoint Kronecker substitution (2009).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import comb, prod
from operator import add, mul
from typing import NamedTuple

from storypool.odds.polynomial import Polynomial, Row, Split

SMALL = 8192
_CODES = {array(code).itemsize * 8: code for code in "QIHB"}


def field_width(most: int) -> int:
    """The bits of a field that holds 0 to `most` and can be read as machine words: 8, 16, 32, or a multiple of 64."""
    bits = most.bit_length()
    return -(-bits // 64) * 64 if bits > 32 else 32 if bits > 16 else 16 if bits > 8 else 8


def unpacked(packed: int, width: int) -> list[int]:
    """The fields of a packed integer, the lowest first.

    >>> unpacked(3 + (5 << 8), 8)
    [3, 5]
    """
    size = -(-packed.bit_length() // width) * width // 8
    words = array(_CODES[min(width, 64)], packed.to_bytes(size, sys.byteorder))
    if sys.byteorder == "big":
        words.reverse()
    if width <= 64:
        return words.tolist()
    limbs = width // 64
    fields = words[limbs - 1 :: limbs].tolist()
    for limb in reversed(range(limbs - 1)):
        fields = [high << 64 | low for high, low in zip(fields, words[limb::limbs], strict=True)]
    return fields


class Packing:
    """How dice of these kinds are packed, whatever their numbers; made once for each set of kinds."""

    __slots__ = ("_multipliers", "bits", "columns", "cuts", "flattest", "inner_first", "kinds", "lows", "splits", "totals")

    def __init__(self, axes: int, kinds: frozenset[Polynomial]) -> None:
        touched = shared = lone = 0
        for kind in kinds:
            shared |= touched & kind.touched
            touched |= kind.touched
            lone |= kind.lone
        sparse = lone & ~shared
        # The last packed axis is the innermost, so that the fields of a slice are in the order of its rows.
        packed = tuple(axis for axis in range(axes) if (touched & ~sparse) >> axis & 1)
        # Dice that own an axis come last, so that the others are multiplied once; else the order is that of terms.
        self.kinds = sorted(kinds, key=lambda kind: (bool(kind.split(sparse, packed).lone), kind.terms))
        self.splits = tuple(kind.split(sparse, packed) for kind in self.kinds)
        self.totals = tuple(split.total or 1 for split in self.splits)
        peaks = [(split.peak, split.total) for split in self.splits if split.total]
        self.flattest = min(peaks, key=lambda pair: pair[0] / pair[1], default=(1, 1))
        lows = (tuple(split.low[axis] for split in self.splits) for axis in range(axes))
        self.lows = tuple(low if any(low) else () for low in lows)
        # What the terms of all dice are shifted by is found for all of them at once: fields of integers again.
        # The one at the end stands for itself, so that no shift of zero is lost as the highest field.
        self.bits = _in_fields([*(bit for split in self.splits for bit in split.bits), 1])
        places = list(enumerate(packed))[::-1]
        self.inner_first = tuple(
            (axis, tuple(split.high[axis] - split.low[axis] for split in self.splits)) for _, axis in places
        )
        self.columns = tuple(
            _in_fields(exponent for split in self.splits for exponent in split.columns[place]) for place, _ in places
        )
        self.cuts = tuple(pairwise(accumulate((len(split.bits) for split in self.splits), initial=0)))
        self._multipliers: dict[tuple[int, ...], tuple[int, ...]] = {}

    def pack(self, dice: Mapping[Polynomial, int]) -> Packed:
        """The joint distribution of so many dice of each kind."""
        numbers = [dice[kind] for kind in self.kinds]
        # No coefficient exceeds the largest of one die times the sums of all others.
        peak, total = self.flattest
        most = prod(map(pow, self.totals, numbers)) * peak // total
        width = stride = field_width(most)
        strides, extents = [], [1] * len(self.lows)
        for axis, spans in self.inner_first:
            strides.append(stride)
            extents[axis] = extent = 1 + sum(map(mul, numbers, spans))
            stride *= extent
        powers = [1]
        if stride <= SMALL:
            for n, split, die in zip(numbers, self.splits, self.multipliers(tuple(strides)), strict=True):
                if split.lone:
                    powers = [power for base in powers for power in accumulate([base] + [die] * n, mul)]
                else:
                    factor = die**n
                    powers = [base * factor for base in powers]
        else:
            for n, split, shifts in zip(numbers, self.splits, self.shifts(strides), strict=True):
                powers = [power for base in powers for power in _powers(base, shifts, n)[0 if split.lone else n :]]
        return Packed(self, numbers, width, most, extents, powers)

    def shifts(self, strides: Sequence[int]) -> list[list[int]]:
        """By how much each bit of each die's rest is shifted, where steps on the packed axes are so long, inner first."""
        shifts = unpacked(self.bits + sum(map(mul, strides, self.columns)), 32)
        return [shifts[start:stop] for start, stop in self.cuts]

    def multipliers(self, strides: tuple[int, ...]) -> tuple[int, ...]:
        """The rest of each die as one integer, where steps on the packed axes are so long, inner first; kept."""
        found = self._multipliers.get(strides)
        if found is None:
            found = tuple(sum(1 << shift for shift in shifts) for shifts in self.shifts(strides))
            self._multipliers[strides] = found
        return found


packing = lru_cache(maxsize=1024)(Packing)
"""The packing of these kinds of dice, by the number of axes and the kinds; kept, since it depends on no pool."""


class Packed(NamedTuple):
    """A joint distribution, packed.

    Fields are `width` bits wide and none is above `most`. `extents` has the number of values that a slice spans on
    each axis, 1 where an axis is not packed. `powers` has the product of the dice that own no axis, times each
    combination of powers of the rests of those that do: the last owner's power changes fastest.
    """

    packing: Packing
    numbers: list[int]
    width: int
    most: int
    extents: list[int]
    powers: list[int]

    def slices(self) -> Iterator[tuple[Row, list[int]]]:
        """The parts of the distribution: the row at which each begins, and its counts, zeros among them but not last.

        The rows of a slice go on from there by `extents`, the last axis fastest. No row is in two slices.
        """
        parts = [(tuple([sum(map(mul, self.numbers, lows)) if lows else 0 for lows in self.packing.lows]), 1, 0)]
        for n, split in zip(self.numbers, self.packing.splits, strict=True):
            if split.lone:
                parts = [drawn for part in parts for drawn in _drawn(n, split.lone, *part)]
        for at, weight, place in parts:
            if weight * self.most >> self.width:
                yield at, [weight * count for count in unpacked(self.powers[place], self.width)]
            elif packed := weight * self.powers[place]:
                yield at, unpacked(packed, self.width)

    def rows(self) -> Iterator[tuple[Row, int]]:
        """Each result that can come up, with its count; in order within a slice."""
        for start, counts in self.slices():
            spans = (range(at, at + extent) for at, extent in zip(start, self.extents, strict=True))
            yield from (found for found in zip(product(*spans), counts, strict=False) if found[1])


def _powers(base: int, shifts: list[int], n: int) -> list[int]:
    """The base times the 0th to the n-th power of a die."""
    powers = [base]
    for _ in range(n):
        grown = 0
        for shift in shifts:
            grown += base << shift
        powers.append(base := grown)
    return powers


def _drawn(n: int, lone: tuple[tuple[int, Row], ...], at: Row, ways: int, power: int) -> list[tuple[Row, int, int]]:
    """The ways to share n dice among the rest and the lone terms: where that lies, in how many ways, in which power.

    `at`, `ways` and `power` are those of the dice before, with all of these showing the lowest of their rest.
    """
    drawn = [(at, ways, n)]
    for weight, step in lone:
        shared = []
        for at, ways, left in drawn:
            for j in range(left + 1):
                shared.append((at, ways * comb(left, j) * weight**j, left - j))
                at = tuple(map(add, at, step))
        drawn = shared
    return [(at, ways, power * (n + 1) + left) for at, ways, left in drawn]


def _in_fields(numbers: Iterable[int]) -> int:
    """Numbers in fields of 32 bits, the first one lowest; multiplied and added they act as a vector."""
    return sum(n << 32 * place for place, n in enumerate(numbers))
