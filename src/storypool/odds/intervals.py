"""Conditions on an axis, and the axes that a function names as its parameters."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import Parameter, signature
from math import ceil, floor
from numbers import Real
from operator import index
from re import fullmatch
from typing import NamedTuple

from storypool.engine.dice import Misused, described


class Interval(NamedTuple):
    """The whole numbers from `low` to `high`, both included; `None` leaves that side open.

    >>> [n for n in range(6) if between(2, 4).holds(n)]
    [2, 3, 4]
    """

    low: int | None = None
    high: int | None = None

    def holds(self, n: int) -> bool:
        """Whether the number is in the interval."""
        return (self.low is None or self.low <= n) and (self.high is None or n <= self.high)


class Comparison(NamedTuple):
    """The probabilities of one roll against an independent one; the three add up to 1."""

    less: Fraction
    equal: Fraction
    greater: Fraction


Condition = Interval | int | Callable[[int], bool]
"""A condition on one axis: an interval, a number, or a predicate of a number."""

Question = Callable[..., bool] | Interval | int | None
"""A question about a roll: a function that names axes; on a single axis, also a condition."""

Of = str | Callable[..., int | Fraction] | None
"""An axis by name, or a number computed from some axes; None for the only axis."""


def ge(n: int) -> Interval:
    """At least n."""
    return Interval(n if type(n) is int else _whole("ge", n, ceil), None)


def gt(n: int) -> Interval:
    """More than n."""
    return Interval((n if type(n) is int else _whole("gt", n, floor)) + 1, None)


def le(n: int) -> Interval:
    """At most n."""
    return Interval(None, n if type(n) is int else _whole("le", n, floor))


def lt(n: int) -> Interval:
    """Less than n."""
    return Interval(None, (n if type(n) is int else _whole("lt", n, ceil)) - 1)


def eq(n: int) -> Interval:
    """Exactly n."""
    n = n if type(n) is int else _whole("eq", n, round)
    return Interval(n, n)


def between(low: int, high: int) -> Interval:
    """From low to high, both included; no number at all when low is above high."""
    low = low if type(low) is int else _whole("between", low, ceil)
    return Interval(low, high if type(high) is int else _whole("between", high, floor))


def interval_of(condition: Interval | int) -> Interval:
    """The interval of a condition that is not a function."""
    if isinstance(condition, Interval):
        return condition
    return Interval(condition, condition) if type(condition) is int else eq(_number(condition))


def named(
    question: Question, conditions: Mapping[str, Condition], axes: tuple[str, ...]
) -> tuple[Callable[..., bool] | None, Mapping[str, Condition]]:
    """The function, and the conditions by axis; a condition on the only axis gets its name."""
    if callable(question):
        return question, conditions
    if isinstance(question, Interval | int) and len(axes) == 1 and not conditions:
        return None, {axes[0]: question}
    right = f"{_example(axes)}={hinted(question)}"
    raise Misused(
        f"What is asked is a function, or a condition for each axis, as in {right}, not"
        f" {described(question)}."
    )


def test_of(condition: Condition) -> Callable[[int], bool]:
    """The condition as a function of the number."""
    if isinstance(condition, Interval):
        return condition.holds
    return condition if callable(condition) else interval_of(condition).holds


def axes_of(function: Callable[..., object], axes: tuple[str, ...]) -> tuple[str, ...]:
    """The axes that a function reads: its parameters without a default, or all for `*row`.

    `Misused` for anything but a function, and for one without a signature.

    >>> axes_of(lambda hit, miss, least=2: hit >= least + miss, ("hit", "miss", "star"))
    ('hit', 'miss')
    """
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        raise Misused(f"What is wanted is {_naming(axes)}, not {described(function)}.") from None
    forms = {parameter.kind for parameter in parameters}
    if Parameter.VAR_POSITIONAL in forms:
        return axes
    if not forms <= _PLACED:
        raise Misused(
            f"What is wanted is {_naming(axes)}; axes are given by their places, so write them"
            " before any *."
        )
    return tuple(
        [parameter.name for parameter in parameters if parameter.default is Parameter.empty]
    )


_PLACED = {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}


def _naming(axes: tuple[str, ...]) -> str:
    return f"a function that names axes, such as lambda {_example(axes)}: ..."


def _example(axes: tuple[str, ...]) -> str:
    """An axis to name in an example."""
    return axes[0] if axes else "pips"


_COMPARED = {">=": "ge", ">": "gt", "<=": "le", "<": "lt", "=": "eq", "==": "eq"}


def hinted(condition: object) -> str:
    """The replacement to suggest for an invalid condition."""
    if isinstance(condition, Interval):
        return "ge(3)" if condition.low is None else f"ge({described(condition.low)})"
    if isinstance(condition, str):
        if found := fullmatch(r"\s*([<>]=?|==?)?\s*(-?\d{1,9})\s*", condition):
            return f"{_COMPARED[found[1] or '=']}({found[2]})"
    elif isinstance(condition, list | set | frozenset | tuple | range):
        return f"lambda n: n in {described(condition)}"
    return "ge(3)"


def _number(condition: object) -> int:
    """A condition that must be a number, as one; `Misused` for anything else."""
    if isinstance(condition, Real):
        return condition  # type: ignore[return-value]  # eq refuses it
    try:
        return index(condition)  # type: ignore[arg-type]
    except TypeError:
        raise Misused(
            "A condition is ge(3), le(3), between(1, 3), a whole number or a function, "
            f"not {described(condition)}; write {hinted(condition)}."
        ) from None


def _whole(name: str, n: object, nearest: Callable[[float], int]) -> int:
    """An integer of any type as an int; otherwise `Misused`, naming the nearest."""
    try:
        return index(n)  # type: ignore[arg-type]
    except TypeError:
        pass
    try:
        near = nearest(float(n))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        example = "between(1, 3)" if name == "between" else f"{name}(3)"
        raise Misused(f"{name} takes whole numbers, as in {example}, not {described(n)}.") from None
    right = f"{near} there" if name == "between" else f"{name}({near})"
    raise Misused(
        f"{name} takes whole numbers, because every result is one, not {described(n)}; write"
        f" {right}."
    )
