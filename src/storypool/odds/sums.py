"""Independent rolls added up, subtracted, repeated, multiplied and compared."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import accumulate
from operator import add
from typing import Self, TypeVar

from storypool.engine.dice import Die, Misused, described
from storypool.odds.intervals import Comparison, Interval, Question, eq, ge, gt, le, lt
from storypool.odds.polynomial import Polynomial, Row, gathered
from storypool.odds.pool import MAX_PACKED, Pool
from storypool.odds.ranked import Ranked
from storypool.words import BadValue

Pairing = Callable[[Row, Row], Row | int]
"""Makes a new row from the rows of two rolls, or the number on the only new axis."""


class Summed:
    """Odds that add up; a subclass gives named axes, and rows with counts or a pool."""

    __slots__ = ("_kind",)

    axes: tuple[str, ...]
    _pool: Pool | None
    _kind: Polynomial | None

    def __init__(self, axes: tuple[str, ...], source: Pool | Mapping[Row, int]) -> None:
        raise NotImplementedError

    def map(self, axes: Iterable[str], function: Callable[..., Row | int]) -> Self:
        """The odds on new axes."""
        raise NotImplementedError

    def combine(self, other: Self, axes: Iterable[str], function: Pairing) -> Self:
        """The odds on new axes of two rolls."""
        raise NotImplementedError

    @property
    def row_counts(self) -> Mapping[Row, int]:
        """Each row with its count."""
        raise NotImplementedError

    def on(self, *axes: str) -> Self:
        """The odds on some of the axes."""
        raise NotImplementedError

    def p(self, question: Question = None, /) -> Fraction:
        """The probability that a condition holds."""
        raise NotImplementedError

    def then(self, function: Callable[..., Self]) -> Self:
        """The odds of a second roll that depends on this one."""
        raise NotImplementedError

    def _only(self) -> str:
        raise NotImplementedError

    def _rows(self) -> Iterable[tuple[Row, int]]:
        raise NotImplementedError

    def __add__(self, other: Self | int) -> Self:
        """Both rolls added up axis by axis, or a number added; `ValueError` if the axes differ."""
        if isinstance(other, int):
            self._only()
            return type(self)(self.axes, {(n + other,): count for (n,), count in self._rows()})
        if self.axes != check_roll(other).axes:
            raise BadValue(
                f"Only the same axes add, not {', '.join(self.axes)} and {', '.join(other.axes)}."
            )
        both = self._as_pool() + other._as_pool()
        # Widely spaced rows are cheaper to add one by one than to pack.
        if both.results > MAX_PACKED and not (self._pool and other._pool):
            return self.combine(
                other, self.axes, lambda mine, theirs: tuple(map(add, mine, theirs))
            )
        return type(self)(self.axes, both)

    __radd__ = __add__

    def __floordiv__(self, divisor: int) -> Self:
        """Each number divided by a whole number and rounded down, as `//` does in Python."""
        divisor = _divisor("//", divisor)
        return self.map(self.axes, lambda *row: tuple([n // divisor for n in row]))

    def __mod__(self, divisor: int) -> Self:
        """The rest of each number divided by a whole number, as `%` gives it in Python."""
        divisor = _divisor("%", divisor)
        return self.map(self.axes, lambda *row: tuple([n % divisor for n in row]))

    def __abs__(self) -> Self:
        """Each number without its sign."""
        return self.map(self.axes, lambda *row: tuple(map(abs, row)))

    def __neg__(self) -> Self:
        """Each row with its signs changed."""
        return -1 * self

    def __sub__(self, other: Self | int) -> Self:
        """One roll less another, axis by axis; or less a number."""
        return self + (-other if isinstance(other, int) else -check_roll(other))

    def __rsub__(self, other: int) -> Self:
        return -self + other

    def __mul__(self, factor: int | Self) -> Self:
        """Each row multiplied by a number, or a roll by another, independent one on one axis."""
        if isinstance(factor, Summed):
            axis = self._only()
            if self.axes != factor.axes:
                raise BadValue(
                    f"Only the same axes multiply, not {axis} and {', '.join(factor.axes)}."
                )
            return self.combine(factor, self.axes, lambda mine, theirs: mine[0] * theirs[0])
        if not isinstance(factor, int):
            right = "map makes any other number"
            raise Misused(
                f"A roll is multiplied by a whole number, as in 3 * roll, not {described(factor)};"
                f" {right}."
            )
        scaled = self._as_pool().scaled(factor)
        if scaled.results > MAX_PACKED:  # widely spaced rows are not packed
            return self.map(self.axes, lambda *row: tuple([factor * n for n in row]))
        return type(self)(self.axes, scaled)

    __rmul__ = __mul__

    def __rmatmul__(self, n: int) -> Self:
        """The roll made n times and added up."""
        given: object = n
        if not isinstance(given, int) or n < 0:
            raise Misused(
                f"A roll is made 0 or more times, as in 3 @ roll, not {described(n)} times."
            )
        if n == 1:
            return self
        times = self._as_pool().times(n)
        if self._pool is None and times.results > MAX_PACKED:
            half = (n // 2) @ self
            return half + half + self if n % 2 else half + half
        return type(self)(self.axes, times)

    def __matmul__(self, other: Self) -> Self:
        """The other roll, made as often as this one shows: `d6 @ d6`, or the damage of a hit.

        >>> from storypool import d6, d20
        >>> ((d20 >= 10) @ (2 @ d6 + 3)).mean()
        Fraction(11, 2)
        """
        self._only()
        check_roll(other)
        return self.then(lambda *row: row[0] @ other)

    def highest(self, times: int, kept: int = 1) -> Self:
        """The sum of the `kept` highest of a number of such rolls; of all if there are no more.

        `keep` takes different dice, and keeps from both ends.

        >>> from storypool import d6, d20
        >>> d20.highest(2).mean(), d6.highest(4, 3).mean()
        (Fraction(553, 40), Fraction(15869, 1296))
        """
        return self._kept(times, kept, 1)

    def lowest(self, times: int, kept: int = 1) -> Self:
        """The sum of the `kept` lowest of a number of such rolls; of all if there are no more.

        >>> from storypool import d20, ge
        >>> d20.lowest(2).p(ge(11))
        Fraction(1, 4)
        """
        return self._kept(times, kept, -1)

    def _kept(self, times: int, kept: int, end: int) -> Self:
        """The sum of the highest or lowest of some such rolls."""
        self._only()
        for given, least in ((times, 0), (kept, 1)):
            if type(given) is not int or given < least:
                raise Misused(
                    "The highest 3 of 4 rolls are roll.highest(4, 3), in whole numbers, not"
                    f" {described(given)}."
                )
        ranked = Ranked(self.axes, {self.kind: times} if times else {})
        some = min(kept, times)
        return type(self)(self.axes, ranked.kept(*((some, 0) if end > 0 else (0, some))))

    def __ge__(self, other: Self | int) -> Self:
        """How often this roll is at least a number or another, independent roll: 0 or 1 times.

        The comparisons `>=`, `>`, `<=`, `<`, `eq` and `ne` give a roll on the axis `times`: its
        mean is the probability, and `5 @ (roll >= 3)` counts how many of five rolls hold.
        """
        return self._times(other, ge, (1, 2))

    def __gt__(self, other: Self | int) -> Self:
        return self._times(other, gt, (2,))

    def __le__(self, other: Self | int) -> Self:
        return self._times(other, le, (0, 1))

    def __lt__(self, other: Self | int) -> Self:
        return self._times(other, lt, (0,))

    def eq(self, other: Self | int) -> Self:
        """How often this roll equals a number or another, independent roll: 0 or 1 times.

        `==` instead compares whole distributions, so that they can be keys.
        """
        return self._times(other, eq, (1,))

    def ne(self, other: Self | int) -> Self:
        """How often this roll differs from a number or another, independent roll: 0 or 1 times."""
        return 1 - self.eq(other)

    def __bool__(self) -> bool:
        """Always refused, because `if roll >= 3` has no answer before the roll."""
        raise Misused("A roll is neither true nor false; roll.p(ge(3)) is a probability.")

    def compare(self, other: Self, axis: str | None = None) -> Comparison:
        """The probability to be less than, equal to or greater than an independent roll."""
        check_roll(other)
        axis = axis or self._only()
        mine, theirs = self.on(axis).row_counts, other.on(axis).row_counts
        rows, up_to = list(theirs), [0, *accumulate(theirs.values())]
        less = greater = 0
        for row, ways in mine.items():
            greater += ways * up_to[bisect_left(rows, row)]
            less += ways * (up_to[-1] - up_to[bisect_right(rows, row)])
        total = sum(mine.values()) * up_to[-1]
        parts = (less, total - less - greater, greater)
        return Comparison(*(Fraction(part, total) for part in parts))

    def _times(
        self, other: Self | int, condition: Callable[[int], Interval], signs: Iterable[int]
    ) -> Self:
        """The roll that is 1 where the condition, or one of these parts of `compare`, holds."""
        self._only()
        if isinstance(other, Summed | Die):
            compared = self.compare(other)
            share = sum((compared[sign] for sign in signs), Fraction(0))
        else:
            share = self.p(condition(other))
        ways, total = share.as_integer_ratio()
        counts = {(0,): total - ways, (1,): ways}
        return type(self)(("times",), {row: count for row, count in counts.items() if count})

    @property
    def kind(self) -> Polynomial:
        """The whole roll as a single die, so that rolls with known odds add up as dice do."""
        if self._kind is None and self._pool is not None and self._pool.number == 1:
            [self._kind] = self._pool.dice
        if self._kind is None:
            self._kind = gathered(len(self.axes), self._rows(), False)
        return self._kind

    def _as_pool(self) -> Pool:
        return Pool(self.axes, {self.kind: 1}) if self._pool is None else self._pool


def _divisor(sign: str, given: object) -> int:
    """A divisor; `Misused` or `BadValue` for anything but a whole number that is not 0."""
    if not isinstance(given, int):
        raise Misused(
            f"A roll is divided by a whole number, as in roll {sign} 2, not {described(given)}; map"
            " and combine make any other number."
        )
    if not given:
        raise BadValue(f"A roll is not divided by 0, but by a whole number, as in roll {sign} 2.")
    return given


Roll = TypeVar("Roll", bound=Summed)


def check_roll(given: Roll) -> Roll:
    """A roll; `Misused` for anything else."""
    if not isinstance(given, Summed):
        raise Misused(f"A roll is wanted, such as d6 or odds(d(6)), not {described(given)}.")
    return given
