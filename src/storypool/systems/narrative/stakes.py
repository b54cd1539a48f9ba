"""What the odds of an open narrative check are: those of its pool."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.odds.worth import Worth
from storypool.systems.answers import Question
from storypool.table import Check, Table


def question(table: Table, check: Check) -> Question | None:
    """What a check asks the odds of as it stands: its pool tells everything."""
    return Question(check.pool) if check.pool else None


def further(table: Table, check: Check) -> Iterator[Worth]:
    """Nothing: whatever points buy here is in the pool."""
    yield from ()
