"""What the odds of an open action are, and what a push is worth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lantern.moves import dark
from lantern.odds import distribution
from storypool.engine import rules as r
from storypool.odds import ge
from storypool.odds import question as asking
from storypool.odds.question import Question, Worth

TRIED = frozenset({"dread.dim", "pool.add", "proposal.accept"})
"""The moves that can change what an open action rolls."""


def question(table: r.Table, check: r.Check) -> Question | None:
    """The question whose odds are those of an action as it is."""
    return Question(check.pool, {"push": "no"})


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """What a push is worth: before the roll on the whole pool, after it on the dice that would be
    picked up.
    """
    if check.phase == "build":
        before, after = (
            distribution(check.pool, pushed).p(success=ge(1)) for pushed in (False, True)
        )
        yield Worth("check.push", {}, {"pass": before}, {"pass": after})
    elif check.outcome is not None and not check.outcome.passed and dark(check):
        short = 1 - check.outcome.margin
        chance = distribution(r.Bag(light=len(dark(check))), False).p(success=ge(short))
        yield Worth("check.push", {}, {"pass": Fraction(0)}, {"pass": chance})


def scene(question: Question) -> str:
    """A play in which a player is about to roll this pool."""
    light, shade = question.pool["light"], question.pool["shade"]
    lines = ["check.declare as=hero with=body"]
    return asking.scene("lantern", f"body={light}", f"dread={shade}", *lines)
