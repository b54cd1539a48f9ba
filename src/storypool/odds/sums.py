"""Independent rolls added up, subtracted, repeated and multiplied."""

from collections.abc import Callable, Iterable
from operator import add
from typing import Self, TypeVar

from storypool.engine.dice import Misused, described
from storypool.odds.polynomial import Polynomial, Row, gathered
from storypool.odds.pool import MAX_RESULTS, Pool

Pairing = Callable[[Row, Row], Row | int]
"""Makes a new row from the rows of two rolls, or the number on the only new axis."""


class Summed:
    """Odds that add up; a subclass gives named axes, and rows with counts or a pool."""

    __slots__ = ("_kind",)

    axes: tuple[str, ...]
    _pool: Pool | None
    _kind: Polynomial | None

    def __init__(self, axes: tuple[str, ...], source: Pool) -> None:
        raise NotImplementedError

    def map(self, axes: Iterable[str], function: Callable[..., Row | int]) -> Self:
        """The odds on new axes."""
        raise NotImplementedError

    def combine(self, other: Self, axes: Iterable[str], function: Pairing) -> Self:
        """The odds on new axes of two rolls."""
        raise NotImplementedError

    def _only(self) -> str:
        raise NotImplementedError

    def _rows(self) -> Iterable[tuple[Row, int]]:
        raise NotImplementedError

    def __add__(self, other: Self | int) -> Self:
        """Both rolls added up axis by axis, or a number added; `ValueError` if the axes differ."""
        if isinstance(other, int):
            axis = self._only()
            return self.map([axis], lambda *row: (row[0] + other,))
        if self.axes != check_roll(other).axes:
            raise ValueError(
                f"Only the same axes add, not {', '.join(self.axes)} and {', '.join(other.axes)}."
            )
        both = self._as_pool() + other._as_pool()
        # Widely spaced rows are cheaper to add one by one than to pack.
        if both.results > MAX_RESULTS and not (self._pool and other._pool):
            return self.combine(
                other, self.axes, lambda mine, theirs: tuple(map(add, mine, theirs))
            )
        return type(self)(self.axes, both)

    __radd__ = __add__

    def __neg__(self) -> Self:
        """Each row with its signs changed."""
        return -1 * self

    def __sub__(self, other: Self | int) -> Self:
        """One roll less another, axis by axis; or less a number."""
        return self + (-other if isinstance(other, int) else -check_roll(other))

    def __rsub__(self, other: int) -> Self:
        return -self + other

    def __mul__(self, factor: int) -> Self:
        """Each row multiplied by a number."""
        if not isinstance(factor, int):
            right = "combine multiplies two rolls, and map makes any other number"
            raise Misused(
                f"A roll is multiplied by a whole number, as in 3 * roll, not {described(factor)};"
                f" {right}."
            )
        scaled = self._as_pool().scaled(factor)
        if scaled.results > MAX_RESULTS:  # widely spaced rows are not packed
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
        times = self._as_pool().times(n)
        if self._pool is None and times.results > MAX_RESULTS:
            half = (n // 2) @ self
            return half + half + self if n % 2 else half + half
        return type(self)(self.axes, times)

    @property
    def kind(self) -> Polynomial:
        """The whole roll as a single die, so that rolls with known odds add up as dice do."""
        if self._kind is None:
            self._kind = gathered(len(self.axes), self._rows(), False)
        return self._kind

    def _as_pool(self) -> Pool:
        return Pool(self.axes, {self.kind: 1}) if self._pool is None else self._pool


Roll = TypeVar("Roll", bound=Summed)


def check_roll(given: Roll) -> Roll:
    """A roll; `Misused` for anything else."""
    if not isinstance(given, Summed):
        raise Misused(f"A roll is wanted, such as odds(d(6)), not {described(given)}.")
    return given
