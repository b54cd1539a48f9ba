"""A budget of counting for callers with a deadline; each count is paid for before it starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def allowing(microseconds: int) -> Iterator[None]:
    """Limit the cost of counting rows in this context, in this thread or task.

    A count beyond the limit is refused with `TooManyDice` before it starts. Costs are estimates
    that do not depend on the speed of the computer, see `Distribution.cost`; rows that are already
    counted cost nothing.
    """
    token = _left.set([microseconds])
    try:
        yield
    finally:
        _left.reset(token)


def taken(microseconds: int) -> int | None:
    """Charge the allowance, if any; return the remainder if that is too small, else None."""
    left = _left.get()
    if left is None:
        return None
    if microseconds > left[0]:
        return left[0]
    left[0] -= microseconds
    return None
