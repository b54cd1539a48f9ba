"""Conditions: what a question may ask of one axis, and how a function says which axes it looks at."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import NamedTuple


class Interval(NamedTuple):
    """The whole numbers from `low` to `high`, both included; `None` leaves that side open.

    >>> [n for n in range(6) if between(2, 4).holds(n)]
    [2, 3, 4]
    """

    low: int | None = None
    high: int | None = None

    def holds(self, n: int) -> bool:
        """Whether the number lies in the interval."""
        return (self.low is None or self.low <= n) and (self.high is None or n <= self.high)


Condition = Interval | int | Callable[[int], bool]
"""What is asked of one axis: an interval, the very number, or a function that says yes or no to a number."""


def ge(n: int) -> Interval:
    """At least n."""
    return Interval(n, None)


def le(n: int) -> Interval:
    """At most n."""
    return Interval(None, n)


def eq(n: int) -> Interval:
    """Exactly n."""
    return Interval(n, n)


def between(low: int, high: int) -> Interval:
    """From low to high, both included; no number at all when low is above high."""
    return Interval(low, high)


def test_of(condition: Condition) -> Callable[[int], bool]:
    """The condition as a function of the number."""
    if isinstance(condition, Interval):
        return condition.holds
    return condition if callable(condition) else eq(condition).holds


def axes_of(function: Callable[..., object], axes: tuple[str, ...]) -> tuple[str, ...]:
    """The axes that a function looks at: the names of its parameters without a default, or all for `*row`.

    >>> axes_of(lambda hit, miss, least=2: hit >= least + miss, ("hit", "miss", "star"))
    ('hit', 'miss')
    """
    parameters = signature(function).parameters.values()
    if any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in parameters):
        return axes
    return tuple(parameter.name for parameter in parameters if parameter.default is Parameter.empty)
