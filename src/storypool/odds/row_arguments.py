"""Validation of arguments: rows, weights and names; `Misused` suggests what to write instead."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Rational, Real
from types import TracebackType
from typing import TypeVar

from storypool.engine.dice import Misused, described
from storypool.words import BadValue

Row = tuple[int, ...]
_ROWS, _WHOLE, _WEIGHTS = {tuple}, {int}, {int, Fraction}
AnyRow = TypeVar("AnyRow", bound=tuple[int, ...] | int)
Part = TypeVar("Part")


def names_of(axes: Iterable[str]) -> tuple[str, ...]:
    """The names of axes as a tuple; `Misused` for anything else."""
    if not isinstance(axes, str) and isinstance(axes, Iterable):
        found = tuple(axes)
        if set(map(type, found)) <= {str} and len(set(found)) == len(found):
            return found
    right = f"[{axes!r}]" if isinstance(axes, str) else "['hit', 'miss']"
    raise Misused(f"Axes are a list of different names, such as {right}, not {described(axes)}.")


def check_row(row: object) -> None:
    """Raise `Misused` unless this is a row."""
    if type(row) is not tuple or not all(isinstance(n, int) for n in row):
        right = f"({described(row)},)" if isinstance(row, int) else "(2,) or (2, 0)"
        raise Misused(
            f"A row is a tuple of whole numbers, one for each axis, such as {right}, not"
            f" {described(row)}."
        )


def row_of(made: object, axes: int) -> Row:
    """The result of a function as a row on this number of axes; on one axis, also a number."""
    if axes == 1 and isinstance(made, int):
        return (int(made),)
    check_row(made)
    return made  # type: ignore[return-value]


def check_weights(axes: int, weights: object) -> dict[Row, int | Fraction]:
    """The weights of rows on this number of axes; on one axis a row may be a number.

    `Misused` for anything but weights, `ValueError` for a row of another length.
    """
    if not isinstance(weights, Mapping):
        raise Misused(
            "Outcomes are a dict of rows and their weights, {(1,): 5, (2,): 1}, not"
            f" {described(weights)}."
        )
    # Check types as sets, as there may be thousands of rows; a row is whole if its sum is.
    if not set(map(type, weights)) <= _ROWS:
        weights = {row_of(row, axes): weight for row, weight in weights.items()}
    if not _are_whole(weights):
        for row in weights:
            check_row(row)
    values = weights.values()
    if not set(map(type, values)) <= _WEIGHTS:
        for weight in values:
            check_weight(weight)
    if not set(map(len, weights)) <= {axes} or min(values, default=0) < 0:
        row, weight = next(
            (row, weight) for row, weight in weights.items() if len(row) != axes or weight < 0
        )
        raise BadValue(
            f"{row}: {weight} does not fit; give {axes} numbers, and a weight of 0 or more."
        )
    return weights  # type: ignore[return-value]


class _MakingRows:
    """A context for functions that make rows: `Misused` for a bad row; other errors pass."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is TypeError and trace is not None and trace.tb_next is None:
            raise Misused(
                f"A row is a tuple of whole numbers, such as (2,) or (2, 0), but here: {error}."
            ) from None


MAKING_ROWS = _MakingRows()


def check_parts(
    kind: type[Part], parts: list[tuple[Part, int | Fraction]]
) -> list[tuple[Part, int | Fraction]]:
    """The parts of a mixture; `Misused` or `ValueError` for anything else."""
    types: set[tuple[type, ...]]
    try:
        types = {(type(made), type(weight)) for made, weight in parts}
    except (TypeError, ValueError):
        types = {(object, object)}
    if (
        types <= {(kind, int), (kind, Fraction)}
        and min([weight for _, weight in parts], default=0) >= 0
    ):
        return parts
    for part in parts:
        given: object = part
        if not (isinstance(given, tuple) and len(given) == 2):
            raise Misused(f"A mixture has pairs, (distribution, weight), not {described(given)}.")
        if not isinstance(given[0], kind):
            raise Misused(f"A roll is wanted, such as odds(d(6)), not {described(given[0])}.")
        check_weight(given[1])
        if given[1] < 0:
            raise BadValue(
                f"A part of a mixture has a weight of 0 or more, not {described(given[1])}."
            )
    return parts


def check_share(share: object) -> Fraction:
    """A share above 0 and at most 1; `Misused` or `ValueError` for anything else."""
    if not isinstance(share, int | float | Fraction):
        raise Misused(
            f"A share is a number above 0 and at most 1, such as 0.5, not {described(share)}."
        )
    if not 0 < share <= 1:
        raise BadValue(f"A share is above 0 and at most 1, not {described(share)}.")
    # The float 0.9 is a little more than nine tenths, and 1 - 1/7 a little more than 6/7: take the
    # simple fraction next to it.
    exact = Fraction(share)
    near = exact.limit_denominator(1_000_000)
    is_meant = isinstance(share, float) and 0 < near and abs(near - exact) < Fraction(1, 1 << 50)
    return near if is_meant else exact


def _are_whole(rows: Iterable[tuple[int, ...]]) -> bool:
    try:
        return set(map(type, map(sum, rows))) <= _WHOLE
    except TypeError:
        return False


def check_number(n: int | Fraction) -> int | Fraction:
    """A number; `Misused` for anything else."""
    if type(n) is not int and not _is_real(n):
        raise Misused(f"A function whose mean is asked for gives a number, not {described(n)}.")
    return n


def _is_real(n: object) -> bool:
    return isinstance(n, Real)


def check_weight(weight: object) -> None:
    """Raise `Misused` unless this is a whole number or a `Fraction`."""
    if not isinstance(weight, Rational):
        raise Misused(
            "A weight is a whole number or a Fraction, so that odds stay exact, not"
            f" {described(weight)}."
        )
