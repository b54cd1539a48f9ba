"""Measures of an axis, or of a number computed from several: centre, spread and quantiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Self

from storypool.odds.intervals import Of
from storypool.odds.row_arguments import Row, check_share

Share = Fraction | float
"""A probability above 0 and at most 1."""


class Measured:
    """Odds that are measured; a subclass gives named axes, rows with counts, and means."""

    __slots__ = ()

    axes: tuple[str, ...]

    @property
    def row_counts(self) -> Mapping[Row, int]:
        """Each row with its count."""
        raise NotImplementedError

    def on(self, *axes: str) -> Self:
        """The odds on some of the axes."""
        raise NotImplementedError

    def mean(self, of: Of = None) -> Fraction:
        """The mean of an axis, or of a function of some axes."""
        raise NotImplementedError

    def _only(self) -> str:
        raise NotImplementedError

    def _values(
        self, of: str | Callable[..., int | Fraction]
    ) -> tuple[Iterable[tuple[int | Fraction, int]], int]:
        raise NotImplementedError

    def variance(self, of: Of = None) -> Fraction:
        """The mean squared distance from the mean, of an axis or of a function of some axes."""
        of = self._only() if of is None else of
        values, total = self._values(of)
        return (
            Fraction(sum(value * value * count for value, count in values)) / total
            - self.mean(of) ** 2
        )

    def standard_deviation(self, of: Of = None) -> float:
        """The square root of the variance, of an axis or of a function of some axes."""
        return sqrt(self.variance(of))

    sd = standard_deviation

    def mode(self, axis: str | None = None) -> tuple[int, ...]:
        """The likeliest numbers of an axis, in order; several if they are equally likely."""
        counts = self.on(axis or self._only()).row_counts
        most = max(counts.values())
        return tuple(n for (n,), count in counts.items() if count == most)

    def median(self, axis: str | None = None) -> Fraction:
        """The middle of an axis: the mean of the two middle numbers where these differ.

        Half of all results are at most the median, and half at least; `quantile(0.5)` is the lower
        of the two middle numbers.

        >>> from storypool.odds import d, odds
        >>> odds(d(6)).median(), odds(2 @ d(6)).median()
        (Fraction(7, 2), Fraction(7, 1))
        """
        axis = axis or self._only()
        counts = self.on(axis).row_counts
        total, so_far = sum(counts.values()), 0
        low = self.quantile(Fraction(1, 2), axis)
        high = next(n for (n,), count in counts.items() if 2 * (so_far := so_far + count) > total)
        return Fraction(low + high, 2)

    def quantile(self, share: Share | str, axis: str | Share | None = None) -> int:
        """The least n such that P(axis <= n) >= `share`, for a share in (0, 1].

        The axis may come first, and may be left out where there is one. A float is the fraction
        that is meant: 0.9 is nine tenths, so that `odds(d(10)).quantile(0.9)` is 9.

        >>> from storypool.odds import d, odds
        >>> odds(3 @ d(6)).quantile(0.9), odds(3 @ d(6)).quantile("pips", 0.9)
        (14, 14)
        """
        if isinstance(share, str) and axis is not None:
            share, axis = axis, share
        probability = check_share(share)
        seen, so_far = self.on(self._only() if axis is None else str(axis)).row_counts, 0
        enough = probability * sum(seen.values())
        return next(n for (n,), count in seen.items() if (so_far := so_far + count) >= enough)

    def at_least(self, axis: str | None = None) -> dict[int, Fraction]:
        """The probability of at least n on the axis, for each n from its least to its most."""
        counts = {n: count for (n,), count in self.on(axis or self._only()).row_counts.items()}
        left = total = sum(counts.values())
        curve = {}
        for n in range(min(counts), max(counts) + 1):
            curve[n] = Fraction(left, total)
            left -= counts.get(n, 0)
        return curve
