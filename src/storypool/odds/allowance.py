"""Allowance: how much counting whoever has a deadline allows, spent by what each count costs, before it is begun."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def allowing(microseconds: int) -> Iterator[None]:
    """Where rows are counted while that costs no more than this altogether.

    What would go beyond is refused with `TooManyDice` before it is begun. The costs are those that are known before
    any work is done, see `Distribution.cost`, so the same questions are answered on a slow day as on a quick one; rows
    that were counted before cost nothing. It holds for whatever is asked within, in this thread or task.
    """
    token = _left.set([microseconds])
    try:
        yield
    finally:
        _left.reset(token)


def taken(microseconds: int) -> int | None:
    """Take so much from the allowance, if there is one; where less is left, what is left, and nothing is taken."""
    left = _left.get()
    if left is None:
        return None
    if microseconds > left[0]:
        return left[0]
    left[0] -= microseconds
    return None
