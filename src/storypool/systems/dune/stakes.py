"""What the odds of an open test are, and what rolling again is worth after it."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.odds.worth import Worth
from storypool.systems.answers import Question
from storypool.systems.dune.terms import number, numbers, text
from storypool.systems.twod20.dice import D20, ONE
from storypool.table import Check, Table


def question(table: Table, check: Check) -> Question | None:
    """What a test asks the odds of, as far as it is agreed by now: nothing before its target number is known.

    An opponent's roll asks against their own Difficulty; before they have rolled a contest has none to ask about.
    """
    waits = check.against in table.characters and "opposed" not in check.terms and text(check, "kind") != "oppose"
    if "target" not in check.terms or "difficulty" not in check.terms or waits:
        return None
    helpers = zip(numbers(check, "helper_targets"), numbers(check, "helper_criticals"), strict=True)
    told = {
        "target": number(check, "target"),
        "focus": number(check, "critical", 1),
        "difficulty": number(check, "difficulty") + max(0, number(check, "rival")),
        "range": number(check, "range", 1),
    }
    terms = {key: str(n) for key, n in told.items()}
    if assist := ",".join(f"{target}:{twice}" for target, twice in helpers):
        terms["assist"] = assist
    return Question(check.pool.only([D20.name, ONE.name]), terms)


def further(table: Table, check: Check) -> Iterator[Worth]:
    """What rolling again is worth."""
    yield from ()
