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
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import comb
from operator import mul
from typing import NamedTuple

from storypool.odds.polynomial import Polynomial, Row, Split

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

    __slots__ = ("bits", "cuts", "flattest", "inner_first", "kinds", "lows", "splits", "totals")

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
        self.lows = tuple(tuple(split.low[axis] for split in self.splits) for axis in range(axes))
        # What the terms of all dice are shifted by is found for all of them at once: fields of integers again.
        # The one at the end stands for itself, so that no shift of zero is lost as the highest field.
        self.bits = _in_fields([*(bit for split in self.splits for bit in split.bits), 1])
        self.inner_first = tuple(
            (
                axis,
                tuple(split.high[axis] - split.low[axis] for split in self.splits),
                _in_fields(exponent for split in self.splits for exponent in split.columns[place]),
            )
            for place, axis in reversed(list(enumerate(packed)))
        )
        self.cuts = tuple(pairwise(accumulate((len(split.bits) for split in self.splits), initial=0)))

    def pack(self, dice: Mapping[Polynomial, int]) -> Packed:
        """The joint distribution of so many dice of each kind."""
        numbers = [dice[kind] for kind in self.kinds]
        # No coefficient exceeds the largest of one die times the sums of all others.
        peak, total = self.flattest
        most = peak
        for base, n in zip(self.totals, numbers, strict=True):
            most *= base**n
        most //= total
        width = stride = field_width(most)
        packed_shifts = self.bits
        extents = [1] * len(self.lows)
        for axis, spans, column in self.inner_first:
            packed_shifts += stride * column
            extents[axis] = extent = 1 + sum(map(mul, numbers, spans))
            stride *= extent
        shifts = unpacked(packed_shifts, 32)
        powers = [1]
        for n, split, (start, stop) in zip(numbers, self.splits, self.cuts, strict=True):
            own = shifts[start:stop]
            if split.lone:
                powers = [power for base in powers for power in _powers(base, own, n)]
            else:
                powers = [_powers(base, own, n)[n] for base in powers]
        return Packed(self, numbers, width, most, extents, powers)


packing = lru_cache(maxsize=1024)(Packing)
"""The packing of these kinds of dice, by the number of axes and the kinds; kept, since it depends on no pool."""


class Slice(NamedTuple):
    """A part of a joint distribution: `weight` times the fields of `packed`, the first of which stands at `at`."""

    at: Row
    weight: int
    packed: int


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

    def slices(self) -> list[Slice]:
        """The parts of the distribution; no row is in two of them."""
        origin = tuple([sum(map(mul, self.numbers, lows)) for lows in self.packing.lows])
        found = [(origin, 1, 0)]
        for n, split in zip(self.numbers, self.packing.splits, strict=True):
            if split.lone:
                found = [drawn for start in found for drawn in _drawn(n, split, start)]
        return [Slice(at, weight, self.powers[place]) for at, weight, place in found]

    def counts(self, part: Slice) -> list[int]:
        """The counts of a slice in the order of its rows; zeros at the end are left out."""
        if part.weight * self.most >> self.width:
            return [part.weight * count for count in unpacked(part.packed, self.width)]
        return unpacked(part.weight * part.packed, self.width)

    def rows(self) -> Iterator[tuple[Row, int]]:
        """Each result that can come up, with its count; in order within a slice."""
        for part in self.slices():
            spans = (range(at, at + extent) for at, extent in zip(part.at, self.extents, strict=True))
            yield from (found for found in zip(product(*spans), self.counts(part), strict=False) if found[1])


def _powers(base: int, shifts: list[int], n: int) -> list[int]:
    """The base times the 0th to the n-th power of a die; times the 0th alone when it has no term."""
    powers = [base]
    for _ in range(n if shifts else 0):
        grown = 0
        for shift in shifts:
            grown += base << shift
        powers.append(base := grown)
    return powers


def _drawn(n: int, split: Split, start: tuple[Row, int, int]) -> list[tuple[Row, int, int]]:
    """The ways to share n dice among the rest and the lone terms: where that lies, in how many ways, in which power.

    `start` has the same of the dice before, with all of these showing the lowest of their rest.
    """
    at, ways, power = start
    drawn = [(at, ways, n)]
    for weight, step in split.lone:
        drawn = [
            (tuple([a + j * b for a, b in zip(at, step, strict=True)]), ways * comb(left, j) * weight**j, left - j)
            for at, ways, left in drawn
            for j in range(left + 1)
        ]
    if split.total:
        return [(at, ways, power * (n + 1) + left) for at, ways, left in drawn]
    return [(at, ways, power) for at, ways, left in drawn if not left]


def _in_fields(numbers: Iterable[int]) -> int:
    """Numbers in fields of 32 bits, the first one lowest; multiplied and added they act as a vector."""
    return sum(n << 32 * place for place, n in enumerate(numbers))
