"""The odds of an open narrative check: those of its pool."""

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
"""The moves that can change the roll of an open check; each game adds those for points."""


def question(table: r.Table, check: r.Check) -> Question | None:
    """The question about a check's pool, once its difficulty is known or its dice are typed."""
    attempt = Attempt.of(check)
    if check.pool and (attempt.difficulty or attempt.by_hand):
        return Question(check.pool)
    return None


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """Nothing: points here only change the pool."""
    yield from ()


def scene(system: str, notation: r.Notation, points: str, question: Question) -> str:
    """A player's open check with this pool."""
    return answers.scene(
        system, "brawn=2", points, f'check.declare as=hero pool="{notation.show(question.pool)}"'
    )
