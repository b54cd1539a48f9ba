"""How much is tried at random, or by the thousand: all of it, or the share that `dev.py quick` has time for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

ONE_IN = int(os.environ.get("STORYPOOL_ONE_IN", "1"))
"""One in so many of the tries is made; 1 in the whole run, which alone says that the work is done."""


Case = TypeVar("Case")


def sample(whole: Sequence[Case]) -> Sequence[Case]:
    """The cases of a test that this run looks at: each, or one in so many."""
    return whole[::ONE_IN]


def tries(whole: int) -> int:
    """How many of so many tries this run makes, at least one."""
    return max(1, whole // ONE_IN)
