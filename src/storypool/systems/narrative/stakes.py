"""What the odds of an open narrative check are: those of its pool."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.odds import question as answers
from storypool.odds.question import Question, Worth
from storypool.systems.narrative.attempt import Attempt

TRIED = frozenset(
    {
        "check.assist",
        "check.difficulty",
        "pool.add",
        "pool.downgrade",
        "pool.remove",
        "pool.upgrade",
        "proposal.accept",
    }
)
"""The moves that can change what an open check rolls; each game has more, which cost points."""


def question(table: r.Table, check: r.Check) -> Question | None:
    """Return the question whose odds are those of a check: its pool, once its difficulty is in it
    or by hand.
    """
    attempt = Attempt.of(check)
    return Question(check.pool) if check.pool and (attempt.difficulty or attempt.by_hand) else None


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """Nothing: whatever points buy here is in the pool."""
    yield from ()


def scene(system: str, notation: r.Notation, points: str, question: Question) -> str:
    """A player who tries something with this pool."""
    return answers.scene(
        system, "brawn=2", points, f'check.declare as=hero pool="{notation.show(question.pool)}"'
    )
