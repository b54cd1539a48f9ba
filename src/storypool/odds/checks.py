"""Checks: whether rows, weights and names are what they should be; `Misused` says what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain
from numbers import Rational, Real
from typing import TypeVar

from storypool.engine.dice import Misused, told

Row = tuple[int, ...]
Part = TypeVar("Part")


def names_of(axes: Iterable[str]) -> tuple[str, ...]:
    """Names of axes as a tuple."""
    if not isinstance(axes, str) and isinstance(axes, Iterable):
        found = tuple(axes)
        if all(isinstance(name, str) for name in found) and len(set(found)) == len(found):
            return found
    right = f"[{axes!r}]" if isinstance(axes, str) else "['hit', 'miss']"
    raise Misused(f"Axes are a list of different names, such as {right}, not {told(axes)}.")


def check_row(row: object) -> None:
    """Refuse what is no row."""
    if type(row) is not tuple or not all(isinstance(n, int) for n in row):
        right = f"({told(row)},)" if isinstance(row, int) else "(2,) or (2, 0)"
        raise Misused(f"A row is a tuple of whole numbers, one for each axis, such as {right}, not {told(row)}.")


def row_of(made: object, axes: int) -> Row:
    """What a function made, as a row on so many axes; on one axis it may be a number."""
    if axes == 1 and isinstance(made, int):
        return (int(made),)
    check_row(made)
    return made  # type: ignore[return-value]


def check_weights(axes: int, weights: object) -> None:
    """Refuse what is no dict of rows on so many axes and their weights, of which one is above 0."""
    if not isinstance(weights, Mapping):
        raise Misused(f"Outcomes are a dict of rows and their weights, {{(1,): 5, (2,): 1}}, not {told(weights)}.")
    values = weights.values()
    # By the types that there are, because this is asked for each of thousands of rows.
    if not (set(map(type, weights)) <= {tuple} and set(map(type, chain.from_iterable(weights))) <= {int}):
        for row in weights:
            check_row(row)
    if not set(map(type, values)) <= {int, Fraction}:
        for weight in values:
            check_weight(weight)
    if not set(map(len, weights)) <= {axes} or min(values, default=0) < 0:
        row, weight = next((row, weight) for row, weight in weights.items() if len(row) != axes or weight < 0)
        raise ValueError(f"{row}: {weight} does not fit; give {axes} numbers, and a weight of 0 or more.")


def check_part(kind: type[Part], part: tuple[Part, int | Fraction]) -> tuple[Part, int | Fraction]:
    """Refuse what is no part of a mixture."""
    given: object = part
    if not (isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], kind)):
        raise Misused(f"A mixture has pairs, (distribution, weight), not {told(given)}.")
    check_weight(part[1])
    return part


def check_share(share: Fraction | float) -> None:
    """Refuse what is no share of all rolls."""
    if not _is_real(share):
        raise Misused(f"A share is a number above 0 and at most 1, such as 0.5, not {told(share)}.")
    if not 0 < share <= 1:
        raise ValueError(f"A share is above 0 and at most 1, not {told(share)}.")


def check_number(n: int | Fraction) -> int | Fraction:
    """Refuse what is no number."""
    if type(n) is not int and not _is_real(n):
        raise Misused(f"A function whose mean is asked for gives a number, not {told(n)}.")
    return n


def _is_real(n: object) -> bool:
    return isinstance(n, Real)


def check_weight(weight: object) -> None:
    """Refuse what is no weight."""
    if not isinstance(weight, Rational):
        raise Misused(f"A weight is a whole number or a Fraction, so that odds stay exact, not {told(weight)}.")
