"""The odds of The Far Shore against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes
from tests.gamefile.conftest import Add

TWENTY = range(1, 21)


def rung(natural: int, target: int) -> str:
    """The result of a d20 against a target."""
    if natural >= target:
        return {20: "great", 19: "fine"}.get(natural, "done")
    return "turned" if natural == 1 else "missed"


@pytest.mark.parametrize(
    ("level", "skill", "helps", "eased"),
    [(3, 0, 0, 0), (5, 2, 1, 1), (4, -1, 0, 0), (2, 1, 1, 1), (7, 0, 0, 0), (10, 2, 2, 3)],
)
def test_odds_of_a_level(level: int, skill: int, helps: int, eased: int, added: Add) -> None:
    """The target is three times the level that is left; without one, any face will do."""
    given = {"level": level, "skill": skill, "helps": helps, "eased": eased}
    terms = {name: str(n) for name, n in given.items()}
    found = systems.odds(added("farshore")).reckon(Question(Bag(d20=1), terms))
    target = 3 * max(0, level - skill - helps - eased)
    counted = Counter(rung(natural, target) for natural in TWENTY)
    assert {name: Fraction(n, 20) for name, n in counted.items()} == {
        name: chance for name, chance in found.outcomes.items() if chance and name != "pass"
    }
    passing = sum(natural >= target for natural in TWENTY)
    assert Fraction(passing, 20) == found.outcomes["pass"]


def test_worth_of_an_insight(added: Add) -> None:
    """Rolling a failure again is worth what one more die makes of it."""
    key = added("farshore")
    scene = """table farshore
seat gm side=gm
seat ann ivo: climb=1
points ivo.insight=1
ann check.declare as=ivo stat=pace skill=climb level=4
gm check.agree
"""
    table = perform(read(scene)).table
    [check] = table.checks.values()
    [worth] = [one for one in game_stakes.further(key, table, check) if one.move == "move.reroll"]
    assert Fraction(12, 20) == worth.before["pass"]
