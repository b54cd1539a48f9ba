"""What the odds of an open action are: those of its pool, as the table counts Hope."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.odds import question as answers
from storypool.odds.question import Question, Worth
from storypool.systems.destinydice.dice import NOTATION
from storypool.systems.destinydice.state import Action

TRIED = frozenset(
    {
        "aspect.invoke",
        "check.defend",
        "check.help",
        "check.oppose",
        "pool.add",
        "pool.remove",
        "proposal.accept",
        "stunt.use",
    }
)
"""The moves that can change what an open action rolls."""


def question(table: r.Table, check: r.Check) -> Question | None:
    """What an action asks the odds of as it stands; nothing before it is known what stands against
    it, unless the dice were given by hand.
    """
    if not Action.of(check).difficulty and not Action.of(check).by_hand:
        return None
    stands = table.options.get("hope_success_uncancellable", "no")
    return Question(check.pool, {"hope_success_uncancellable": stands}) if check.pool else None


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """Nothing: whatever points buy here is in the pool."""
    yield from ()


def scene(question: Question) -> str:
    """A player who tries something with this pool, and has an aspect that fits."""
    lines = (
        'aspect.add about=hero text="Aspect"',
        f'check.declare as=hero pool="{NOTATION.show(question.pool)}"',
    )
    return answers.scene("destinydice", "refresh=3", "hero.fate=3 budget=3", *lines)
