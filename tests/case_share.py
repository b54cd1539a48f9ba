"""How much is tried at random, or by the thousand: all, the fifth of this commit, or the share of
`dev.py quick`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

ONE_IN = int(os.environ.get("STORYPOOL_ONE_IN", "1"))
"""One in so many of the tries is made; 1 in the whole run, which alone says that the work is
done.
"""


PARTS = 5
"""In how many parts an exhaustive test is made, one with each commit."""
PART = os.environ.get("STORYPOOL_PART", "")
"""The part of this run, from 0 to 24: a fifth, and a fifth of that; empty where all are made."""


Case = TypeVar("Case")


def part(whole: Sequence[Case], again: bool = False) -> Sequence[Case]:
    """The cases of an exhaustive test that this run looks at: all, or the fifth of this commit; at
    least one.

    The fifth of a fifth is chosen `again`, so that twenty-five commits see all.
    """
    chosen = int(PART or 0) // PARTS if again else int(PART or 0) % PARTS
    return whole[chosen % len(whole) :: PARTS] if PART and whole else whole


def is_due(n: int) -> bool:
    """Whether this run looks at the nth case of an exhaustive test that does not know how many
    there are.
    """
    return not PART or n % PARTS == int(PART) % PARTS


def fifth(n: int) -> pytest.MarkDecorator:
    """Mark a long test that the commits of the nth fifth run, from 0 to 4; the others skip it and
    say so.
    """
    return pytest.mark.skipif(
        not is_due(n), reason="is for the commits of another fifth: `dev.py test --all` runs it"
    )


def sample(whole: Sequence[Case]) -> Sequence[Case]:
    """The cases of a test that this run looks at: each, or one in so many, others with another
    commit; at least one.
    """
    return whole[int(PART or 0) % min(ONE_IN, len(whole) or 1) :: ONE_IN]


def examples(whole: int) -> int:
    """How many examples hypothesis draws where the whole run draws so many: others each time, a
    fifth with a commit.
    """
    return max(20, whole // PARTS) if PART and ONE_IN == 1 else tries(whole)


def tries(whole: int) -> int:
    """How many of so many tries this run makes, at least one."""
    return max(1, whole // ONE_IN)
