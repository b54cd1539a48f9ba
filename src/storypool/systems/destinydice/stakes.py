"""What the odds of an open action are: those of its pool, as the table counts Hope."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.odds.worth import Worth
from storypool.systems.answers import Question
from storypool.table import Check, Table


def question(table: Table, check: Check) -> Question | None:
    """What an action asks the odds of as it stands."""
    stands = table.options.get("hope_success_uncancellable", "no")
    return Question(check.pool, {"hope_success_uncancellable": stands}) if check.pool else None


def further(table: Table, check: Check) -> Iterator[Worth]:
    """Nothing: whatever points buy here is in the pool."""
    yield from ()
