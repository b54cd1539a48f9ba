"""The joint distribution of dice that share axes, packed into a few big integers.

The method. A polynomial in several variables is written into one integer, a field of fixed width
for each cell (Kronecker substitution), so that multiplying by a die is one shift and one addition
for each of its terms; where the integers are short, one multiplication by the die, written in the
same way, costs less. An axis that one term of one kind of die moves, and no other die touches, is
not packed: such a die is R + c*m*z, and its n-th power is the binomial sum of C(n, j) * c**j * m**j
* z**j * R**(n - j), whose powers of R are computed one from the other anyway. The factor (C(n, j) *
c**j) and the shift (m**j) of a whole integer are stored separately.

Sources: L. Kronecker, Grundzüge einer arithmetischen Theorie der algebraischen Grössen (1882),
section 4; D. Harvey, Faster polynomial multiplication via multipoint Kronecker substitution (2009).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, compress, pairwise, product
from math import prod
from operator import add, mul
from sys import byteorder
from typing import NamedTuple

from storypool.odds.polynomial import Lone, Polynomial, Row, Split

DENSE_MULTIPLY_BITS = 4096
"""The most bits of a slice for which one multiplication is faster than a shift per term."""

MAX_LAYOUTS = 256
"""The most cached layouts of small pools per set of kinds; they differ in field and row bits."""

_CODES = {array(code).itemsize * 8: code for code in "QIHB"}


def field_width(most: int) -> int:
    """The bits of a field that holds 0 to `most` and is a machine word: 8, 16, 32, or 64 * n."""
    bits = most.bit_length()
    if bits > 32:
        return -(-bits // 64) * 64
    return next(width for width in (8, 16, 32) if bits <= width)


def unpacked(packed: int, width: int) -> list[int]:
    """The fields of a packed integer, the lowest first.

    >>> unpacked(3 + (5 << 8), 8)
    [3, 5]
    """
    size = -(-packed.bit_length() // width) * (width // 8)
    words = array(_CODES.get(width, "Q"), packed.to_bytes(size, byteorder))
    if byteorder == "big":
        words.reverse()
    if width <= 64:
        return words.tolist()
    limbs = width // 64
    fields = words[limbs - 1 :: limbs].tolist()
    for limb in reversed(range(limbs - 1)):
        fields = [high << 64 | low for high, low in zip(fields, words[limb::limbs], strict=True)]
    return fields


class Packing:
    """The packing of dice of these kinds, whatever their numbers; one for each set of kinds."""

    __slots__ = (
        "_bits",
        "_columns",
        "_cuts",
        "_firm",
        "_flattest",
        "_kinds",
        "_layouts",
        "_spans",
        "_totals",
        "lone",
        "lows",
    )

    def __init__(self, axes: int, kinds: frozenset[Polynomial]) -> None:
        touched = shared = lone = 0
        for kind in kinds:
            shared |= touched & kind.touched
            touched |= kind.touched
            lone |= kind.lone
        sparse = lone & ~shared
        # The last packed axis is the innermost, so that the fields of a slice are in the order of
        # its rows.
        packed = tuple(axis for axis in range(axes) if (touched & ~sparse) >> axis & 1)
        # Dice that own an axis come last, so that the others are multiplied once; otherwise sort by
        # terms.
        self._kinds = sorted(kinds, key=lambda kind: (bool(kind.lone & sparse), kind.terms))
        splits = [kind.split(sparse, packed) for kind in self._kinds]
        self.lone = tuple(split.lone for split in splits if split.lone)
        self._firm = len(splits) - len(self.lone)
        self._totals = tuple(split.total or 1 for split in splits)
        peaks = [(split.peak, split.total) for split in splits if split.total]
        self._flattest = min(peaks, key=lambda pair: pair[0] / pair[1], default=(1, 1))
        self.lows = tuple(_lows(splits, axis) for axis in range(axes))
        self._spans, self._columns = list[tuple[int, Row]](), list[int]()
        for place, axis in reversed(list(enumerate(packed))):
            spans = tuple(split.high[axis] - split.low[axis] for split in splits)
            self._spans.append((axis, spans))
            self._columns.append(_in_fields(n for split in splits for n in split.columns[place]))
        # Compute the shifts of all dice at once: fields of integers again. The last one is a
        # sentinel, so that a shift of zero is not lost as the highest field.
        self._bits = _in_fields([*(bit for split in splits for bit in split.bits), 1])
        self._cuts = tuple(pairwise(accumulate((len(split.bits) for split in splits), initial=0)))
        self._layouts: dict[tuple[int, ...], tuple[int, ...]] = {}

    def pack(self, dice: Mapping[Polynomial, int]) -> Packed:
        """The joint distribution of this number of dice of each kind."""
        numbers = [dice[kind] for kind in self._kinds]
        # No coefficient exceeds the largest of one die times the sums of all others.
        peak, total = self._flattest
        most = prod(map(pow, self._totals, numbers)) * peak // total
        width = stride = field_width(most)
        strides, extents = [], [1] * len(self.lows)
        for axis, spans in self._spans:
            strides.append(stride)
            extents[axis] = extent = 1 + sum(map(mul, numbers, spans))
            stride *= extent
        firm = self._firm
        owners = numbers[firm:]
        if stride <= DENSE_MULTIPLY_BITS:
            multipliers = self.laid_out(tuple(strides))
            powers = [prod(map(pow, multipliers[:firm], numbers))]
            for n, die in zip(owners, multipliers[firm:], strict=True):
                powers = [power for base in powers for power in accumulate([base] + [die] * n, mul)]
        else:
            shifts, base = self._shifts(strides), 1
            for n, own in zip(numbers, shifts[:firm], strict=False):
                base = _powers(base, own, n)[n]
            powers = [base]
            for n, own in zip(owners, shifts[firm:], strict=True):
                powers = [power for base in powers for power in _powers(base, own, n)]
        return Packed(self, numbers, owners, extents=extents, width=width, most=most, powers=powers)

    def laid_out(self, strides: tuple[int, ...]) -> tuple[int, ...]:
        """The rest of each die as one integer, by the strides of the packed axes, innermost first.

        Strides are in bits. Cached, since it does not depend on the pool.
        """
        found = self._layouts.get(strides)
        if found is None:
            if len(self._layouts) >= MAX_LAYOUTS:
                self._layouts.clear()
            found = tuple(map(_with_bits, self._shifts(strides)))
            self._layouts[strides] = found
        return found

    @property
    def layouts(self) -> int:
        """The number of cached layouts, at most `MAX_LAYOUTS`."""
        return len(self._layouts)

    def _shifts(self, strides: Iterable[int]) -> list[list[int]]:
        """The shift of each bit of the rest of each die; strides of the packed axes in bits."""
        shifts = unpacked(self._bits + sum(map(mul, strides, self._columns)), 32)
        return [shifts[start:stop] for start, stop in self._cuts]


packing = lru_cache(maxsize=256)(Packing)
"""The packing for a number of axes and a set of kinds; cached for all pools."""


class Packed(NamedTuple):
    """A joint distribution, packed.

    `numbers` counts the dice of each kind, `owners` those at the end that own an axis. `extents`
    has the number of values that a slice spans on each axis, 1 where an axis is not packed. Fields
    are `width` bits wide and none is above `most`. `powers` has the product of the dice that own no
    axis, times each combination of powers of the rests of those that do: the last owner's power
    changes fastest.
    """

    packing: Packing
    numbers: list[int]
    owners: list[int]
    extents: list[int]
    width: int
    most: int
    powers: list[int]

    def slices(self) -> Iterator[tuple[Row, list[int]]]:
        """The parts of the distribution: (first row, counts).

        Only the last count is sure to be above 0.

        The rows of a slice go on from there by `extents`, the last axis fastest. No row is in two
        slices.
        """
        packing, numbers, owners, _, width, most, powers = self
        first = tuple([sum(map(mul, numbers, lows)) for lows in packing.lows])
        parts = [(first, 1, 0)]
        for n, lone in zip(owners, packing.lone, strict=True):
            parts = _drawn(n, lone, parts)
        for at, weight, place in parts:
            if weight * most >> width:
                yield at, [weight * count for count in unpacked(powers[place], width)]
            elif packed := weight * powers[place]:
                yield at, unpacked(packed, width)

    def rows(self) -> Iterator[tuple[Row, int]]:
        """Each possible result with its count; in order within a slice."""
        for start, counts in self.slices():
            spans = [range(at, at + extent) for at, extent in zip(start, self.extents, strict=True)]
            yield from compress(zip(product(*spans), counts, strict=False), counts)


def _powers(base: int, shifts: list[int], n: int) -> list[int]:
    """The base times the 0th to the n-th power of a die."""
    powers = [base]
    for _ in range(n):
        grown = 0
        for shift in shifts:
            grown += base << shift
        powers.append(base := grown)
    return powers


def _drawn(n: int, lone: Lone, parts: list[tuple[Row, int, int]]) -> list[tuple[Row, int, int]]:
    """(offset, ways, packed power) for each split of n dice between rest and lone terms.

    `parts` are those of the earlier dice, with all n of these at the lowest of their rest.
    """
    found = []
    for start, before, power in parts:
        none = power * (n + 1)
        drawn = [(start, before, none + n)]
        for weight, step in lone:
            shared = []
            for at, ways, place in drawn:
                shared.append((at, ways, place))
                left = place - none
                for j in range(left):
                    at, ways = tuple(map(add, at, step)), ways * weight * (left - j) // (j + 1)
                    shared.append((at, ways, place - j - 1))
            drawn = shared
        found += drawn
    return found


def _lows(splits: Sequence[Split], axis: int) -> Row:
    """The lowest steps on an axis; empty if all are 0."""
    low = tuple(split.low[axis] for split in splits)
    return low if any(low) else ()


def _with_bits(places: Iterable[int]) -> int:
    """The integer with these bits set."""
    return sum(1 << place for place in places)


def _in_fields(numbers: Iterable[int]) -> int:
    """Numbers in fields of 32 bits, the first one lowest; they add and multiply as a vector."""
    return sum(n << 32 * place for place, n in enumerate(numbers))
