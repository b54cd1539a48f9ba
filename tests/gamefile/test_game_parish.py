"""The odds of The Lower Parish against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes

Add = Callable[[str | Path], str]
PASSES = {"fifth", "half", "full"}


def rung(roll: int, skill: int, demand: str, luck: int) -> str:
    """The result of a roll for a skill and difficulty, with this much luck spent."""
    if roll == 100 or (skill < 50 and roll > 95):
        return "fumble"
    number = max(1, roll - luck)
    if number == 1 or number * 5 <= skill:
        return "fifth"
    if number * 2 <= skill and demand in ("half", "full"):
        return "half"
    if number <= skill:
        return "full" if demand == "full" else "short"
    return "failed"


@pytest.mark.slow
@pytest.mark.parametrize("skill", [1, 4, 25, 49, 50, 63, 99])
@pytest.mark.parametrize("demand", ["full", "half", "fifth"])
@pytest.mark.parametrize("luck", [0, 7])
def test_skill_bands(skill: int, demand: str, luck: int, added: Add) -> None:
    """Each of the hundred numbers is in its band."""
    terms = {"skill": str(skill), "demand": demand, "lowered": str(luck)}
    found = systems.odds(added("parish")).reckon(Question(Bag(d100=1), terms))
    counted = Counter(rung(roll, skill, demand, luck) for roll in range(1, 101))
    for name in ("fumble", "fifth", "half", "full", "short", "failed"):
        assert found.outcomes[name] == Fraction(counted[name], 100), name
    assert found.outcomes["pass"] == Fraction(sum(counted[name] for name in PASSES), 100)


SCENE = """
table parish
seat gm side=gm
seat ann edith: look={skill}
ann check.declare as=edith skill=look
gm check.decide demand={demand}
"""


@pytest.mark.parametrize(("skill", "demand"), [(60, "full"), (60, "half"), (30, "fifth")])
def test_retry_odds_before_the_roll(skill: int, demand: str, added: Add) -> None:
    """The open action is weighed under its own terms."""
    key = added("parish")
    table = perform(read(SCENE.format(skill=skill, demand=demand))).table
    [check] = table.checks.values()
    found = game_stakes.stakes(key)
    question = found.question(table, check) if found else None
    assert question is not None
    counted = sum(rung(roll, skill, demand, 0) in PASSES for roll in range(1, 101))
    assert systems.odds(key).reckon(question).outcomes["pass"] == Fraction(counted, 100)
