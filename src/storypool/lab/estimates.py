"""Means of measures over evenings with confidence intervals, and paired differences."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

LEVEL = 0.95
"""The confidence level of the intervals."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `n` evenings; with confidence `LEVEL` the true mean is within `margin` of it.

    The margin is None where fewer than two evenings were counted.
    """

    mean: float
    margin: float | None
    n: int

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - (self.margin or 0)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + (self.margin or 0)

    @property
    def differs(self) -> bool:
        """Whether the interval excludes 0, so that there is a difference."""
        return self.margin is not None and not self.low <= 0 <= self.high


def estimate(values: Sequence[float]) -> Estimate | None:
    """The mean of independent numbers with its interval; None without numbers.

    >>> found = estimate([1, 2, 3, 4])
    >>> round(found.mean, 2), round(found.margin, 2)
    (2.5, 2.05)
    """
    n = len(values)
    if not n:
        return None
    mean = sum(values) / n
    if n < 2:
        return Estimate(mean, None, n)
    spread = sum((one - mean) ** 2 for one in values) / (n - 1)
    return Estimate(mean, quantile(n - 1) * sqrt(spread / n), n)


def quantile(freedom: int, level: float = LEVEL) -> float:
    """Student's two-sided t quantile, by the Cornish-Fisher expansion of the normal one.

    Accurate to a thousandth from 3 degrees of freedom on; with fewer it is somewhat too small.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / freedom + g2 / freedom**2 + g3 / freedom**3 + g4 / freedom**4


def at(values: Sequence[float], share: float) -> float:
    """The smallest of these numbers such that at least this share of them does not exceed it.

    >>> at([3, 1, 2, 4], 0.5), at([3, 1, 2, 4], 0.9)
    (2, 4)
    """
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]
