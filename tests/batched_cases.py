"""One test of many short cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def together(cases: Iterable[Case]) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """One test of all cases, which names each failure and its reason.

    Collecting and reporting a thousand tests of a millisecond takes several seconds.
    """
    tried = list(cases)

    def decorated(test: Callable[[Case], None]) -> Callable[[], None]:
        def test_all() -> None:
            wrong = []
            for case in tried:
                try:
                    test(case)
                except AssertionError as error:
                    wrong.append(f"{case}: {error}")
            assert tried
            assert not wrong, "\n\n".join(wrong)

        test_all.__name__, test_all.__doc__, test_all.__module__ = (
            test.__name__,
            test.__doc__,
            test.__module__,
        )
        return test_all

    return decorated
