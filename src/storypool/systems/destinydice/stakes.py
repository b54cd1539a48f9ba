"""The odds of an open action: those of its pool, with the table's rule for Hope."""

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
"""The moves that can change the roll of an open action."""


def question(table: r.Table, check: r.Check) -> Question | None:
    """The question of an action, once its opposition is known or its dice are typed."""
    if not Action.of(check).difficulty and not Action.of(check).by_hand:
        return None
    stands = table.options.get("hope_success_uncancellable", "no")
    if check.pool:
        return Question(check.pool, {"hope_success_uncancellable": stands})
    return None


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """Nothing: points here only change the pool."""
    yield from ()


def scene(question: Question) -> str:
    """A player's open action with this pool, with a fitting aspect."""
    lines = (
        'aspect.add about=hero text="Aspect"',
        f'check.declare as=hero pool="{NOTATION.show(question.pool)}"',
    )
    return answers.scene("destinydice", "refresh=3", "hero.fate=3 budget=3", *lines)
