"""The fixed set of tests of `dev.py test`; others are `exhaustive` and run with `--all`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")

each_fifth = pytest.mark.parametrize(
    "step",
    [pytest.param(5, id="fifth"), pytest.param(1, id="all", marks=pytest.mark.exhaustive)],
)
"""A test of `cases[::step]`: each fifth case is in the fixed set."""


def cases(
    whole: Iterable[Case],
    fixed: Collection[Case],
    others: pytest.MarkDecorator = pytest.mark.exhaustive,
) -> list[object]:
    """The cases of a test, those outside the fixed set with a mark."""
    return [pytest.param(one, marks=() if one in fixed else others) for one in whole]
