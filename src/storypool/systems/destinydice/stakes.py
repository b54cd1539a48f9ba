"""What the odds of an open action are: those of its pool, as the table counts Hope."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.odds.worth import Worth
from storypool.systems import answers
from storypool.systems.answers import Question
from storypool.systems.destinydice.dice import NOTATION
from storypool.table import Check, Table


def question(table: Table, check: Check) -> Question | None:
    """What an action asks the odds of as it stands."""
    stands = table.options.get("hope_success_uncancellable", "no")
    return Question(check.pool, {"hope_success_uncancellable": stands}) if check.pool else None


def further(table: Table, check: Check) -> Iterator[Worth]:
    """Nothing: whatever points buy here is in the pool."""
    yield from ()


def scene(question: Question) -> str:
    """A player who tries something with this pool, and has an aspect that fits."""
    lines = ('aspect.add about=hero text="Aspect"', f'check.declare as=hero pool="{NOTATION.show(question.pool)}"')
    return answers.scene("destinydice", "refresh=3", "hero.fate=3 budget=3", *lines)
