"""The best dice of a roll to roll again, for the highest mean of one number.

The method. Dice are alike when they are of one kind and show the same row, so multisets of dice are
counted and never permutations. The worth of rolling some again at once depends only on their number
of each kind and on the sum of the others, so each such pair is valued once. Single re-rolls, each
chosen after the last one is known, are a Markov decision process with a finite horizon, solved
backwards.

Source: R. Bellman, Dynamic Programming (1957), chapter 3.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import comb, lcm, prod
from operator import add

from storypool.odds.distribution import Distribution

MAX_KEPT = 100_000
"""The most cached values of each sort, for further questions about the same dice and number."""

Row = tuple[int, ...]
Counts = tuple[int, ...]
"""The number of dice on each slot, or of each kind."""

Number = int | Fraction


class Slots:
    """The faces of these kinds of dice: a slot for each row of each kind, in the order of rows.

    A kind is the distribution of a single die; all are on the axes of `nothing`, the odds of no
    dice.
    """

    def __init__(self, nothing: Distribution, kinds: tuple[Distribution, ...]) -> None:
        self.nothing, self.kinds = nothing, kinds
        self.all = [(kind, row) for kind in kinds for row in kind.row_counts]
        self.place = {slot: place for place, slot in enumerate(self.all)}
        self.kind_at = [place for place, kind in enumerate(kinds) for _ in kind.row_counts]
        self.sides_most = max((len(kind.row_counts) for kind in kinds), default=0)
        self._rolled: dict[Counts, Distribution] = {}

    def sides(self, kind: Distribution) -> list[tuple[int, Row, int]]:
        """Each slot of a kind with its row and its count, out of the total of the kind."""
        return [(self.place[kind, row], row, count) for row, count in kind.row_counts.items()]

    def after(self, at: Row, places: Iterable[int], taken: Iterable[int]) -> tuple[Counts, Row]:
        """The number of dice taken of each kind, and the sum of the others; `at` is that of all."""
        numbers = [0] * len(self.kinds)
        for slot, n in zip(places, taken, strict=True):
            if n:
                numbers[self.kind_at[slot]] += n
                at = tuple([a - n * b for a, b in zip(at, self.all[slot][1], strict=True)])
        return tuple(numbers), at

    def rolled(self, numbers: Counts) -> Distribution:
        """The odds of this number of dice of each kind."""
        found = self._rolled.get(numbers)
        if found is None:
            if len(self._rolled) >= MAX_KEPT:
                self._rolled.clear()
            dice = (kind for kind, n in zip(self.kinds, numbers, strict=True) for _ in range(n))
            found = self._rolled[numbers] = reduce(add, dice, self.nothing)
        return found

    def throws(self, numbers: Counts) -> Iterator[tuple[Counts, Row, int]]:
        """Each result of this number of dice of each kind: dice on each slot, sum, and count."""
        sides = [tuple(kind.row_counts.values()) for kind in self.kinds]
        for parts in product(
            *[list(shared(n, counts)) for n, counts in zip(numbers, sides, strict=True)]
        ):
            held = tuple([n for part, _ in parts for n in part])
            at: Row = (0,) * len(self.nothing.axes)
            for n, (_, row) in zip(held, self.all, strict=True):
                if n:
                    at = tuple([a + n * b for a, b in zip(at, row, strict=True)])
            yield held, at, prod(ways for _, ways in parts)

    # Upper bounds, found without computing the results.

    def results(self, numbers: Counts) -> int:
        """An upper bound of the rows that at most this number of dice of each kind adds up to."""
        found = 1
        for axis in range(len(self.nothing.axes)):
            extent = 1
            for n, kind in zip(numbers, self.kinds, strict=True):
                values = [0, *(row[axis] for row in kind.row_counts)]
                extent += n * (max(values) - min(values))
            found *= extent
        # Each multiset of slots has one row; a die that is left out is on a slot of its own.
        multisets = (
            comb(n + len(kind.row_counts), n) for n, kind in zip(numbers, self.kinds, strict=True)
        )
        return min(found, prod(multisets))

    def shares(self, numbers: Counts, parts: int = 1) -> int:
        """The number of results of these numbers of dice, with `parts` parts per slot."""
        return prod(
            comb(n + parts * len(kind.row_counts) - 1, n)
            for n, kind in zip(numbers, self.kinds, strict=True)
        )


class Policy:
    """The best dice to roll again, for the highest mean of `number` of the sum."""

    def __init__(self, slots: Slots, number: Callable[[Row], Number]) -> None:
        self.slots, self.number = slots, number
        self.scale = lcm(*(kind.total for kind in slots.kinds))
        self._worth: dict[Row, Number] = {}
        self._mean: dict[tuple[Counts, Row], Number] = {}
        self._taken: dict[tuple[Counts, Row, int], Counts] = {}
        self._next: dict[tuple[Counts, Row, int], tuple[Number, int, int | None]] = {}

    def forget(self) -> None:
        """Clear each cache that has grown too large; called between questions, never within one."""
        for kept in (self._worth, self._mean, self._taken, self._next):
            if len(kept) > MAX_KEPT:
                kept.clear()

    def worth(self, row: Row) -> Number:
        """The number of a row."""
        found = self._worth.get(row)
        if found is None:
            found = self._worth[row] = self.number(row)
        return found

    def mean(self, numbers: Counts, kept: Row) -> Number:
        """The mean worth if `numbers` of each kind are rolled and the others add up to `kept`."""
        found = self._mean.get((numbers, kept))
        if found is None:
            rolled = self.slots.rolled(numbers)
            total = sum(
                count * self.worth(plus(kept, row)) for row, count in rolled.row_counts.items()
            )
            found = self._mean[numbers, kept] = Fraction(total) / rolled.total
        return found

    def taken(self, held: Counts, at: Row, most: int) -> Counts:
        """The dice of each slot to roll again together, at most `most`; all add up to `at`."""
        found = self._taken.get((held, at, most))
        if found is None:
            value, fewest = self.worth(at), 0
            places = [slot for slot, n in enumerate(held) if n]
            choice: Counts = (0,) * len(places)
            for some in parts(tuple([held[slot] for slot in places]), most):
                now, n = self.mean(*self.slots.after(at, places, some)), sum(some)
                if now > value or (now == value and n < fewest):
                    value, fewest, choice = now, n, some
            taken = dict(zip(places, choice, strict=True))
            found = tuple([taken.get(slot, 0) for slot in range(len(held))])
            self._taken[held, at, most] = found
        return found

    def next(self, held: Counts, at: Row, left: int) -> tuple[Number, int, int | None]:
        """The worth with `left` single re-rolls, the mean number made, and the slot of the first.

        Worth and number are times `scale` to the power of `left`, so that they stay whole. The slot
        is None where it is best to stop.
        """
        found = self._next.get((held, at, left))
        if found is None:
            whole = self.scale**left
            value, made, chosen = self.worth(at) * whole, 0, None
            for slot in [slot for slot, n in enumerate(held) if n and left]:
                now, more = self._after(held, at, left, slot)
                if now > value or (now == value and more + whole < made):
                    value, made, chosen = now, more + whole, slot
            found = self._next[held, at, left] = value, made, chosen
        return found

    def _after(self, held: Counts, at: Row, left: int, slot: int) -> tuple[Number, int]:
        """The worth and the number of later re-rolls if a die of this slot is the next one."""
        kind, row = self.slots.all[slot]
        kept, share = minus(at, row), self.scale // kind.total
        value: Number = 0
        made = 0
        for other, step, count in self.slots.sides(kind):
            then, later, _ = self.next(moved(held, slot, other), plus(kept, step), left - 1)
            value, made = value + share * count * then, made + share * count * later
        return value, made


def plus(row: Row, step: Row) -> Row:
    """Two rows added up."""
    return tuple([a + b for a, b in zip(row, step, strict=True)])


def minus(row: Row, step: Row) -> Row:
    """One row less another."""
    return tuple([a - b for a, b in zip(row, step, strict=True)])


def moved(held: Counts, slot: int, other: int) -> Counts:
    """The dice with one moved from a slot to the other."""
    counts = list(held)
    counts[slot] -= 1
    counts[other] += 1
    return tuple(counts)


def shared(n: int, weights: Sequence[int]) -> Iterator[tuple[Counts, int]]:
    """Each result of n dice of one kind: the dice on each weighted side, and the count.

    >>> list(shared(2, [1, 3]))
    [((0, 2), 9), ((1, 1), 6), ((2, 0), 1)]
    """
    if len(weights) == 1:
        yield (n,), weights[0] ** n
        return
    for first in range(n + 1):
        ways = comb(n, first) * weights[0] ** first
        for rest, others in shared(n - first, weights[1:]):
            yield (first, *rest), ways * others


def parts(held: Counts, most: int) -> Iterator[Counts]:
    """Each choice of at most `most` of the dice.

    >>> list(parts((2, 1), 2))
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    """
    if not held:
        yield ()
        return
    for n in range(min(held[0], most) + 1):
        for rest in parts(held[1:], most - n):
            yield (n, *rest)


# Cache the slots of each set of kinds and the decisions about them for the next question.
slots = lru_cache(maxsize=64)(Slots)
