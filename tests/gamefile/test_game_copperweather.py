"""The odds of Copper Weather against an enumeration of four Fate dice by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add


@pytest.mark.parametrize("dice", [1, 2, 4])
@pytest.mark.parametrize(
    ("skill", "difficulty", "bonus"), [(0, 2, 0), (3, 2, 0), (3, 6, 2), (1, 0, 4)]
)
def test_fate_dice_and_a_skill(
    dice: int, skill: int, difficulty: int, bonus: int, added: Add
) -> None:
    """A tie suffices, and three more than the difficulty is style."""
    counted: Counter[str] = Counter()
    totals: Counter[int] = Counter()
    for faces in product((-1, 0, 1), repeat=dice):
        total = sum(faces) + skill + bonus
        totals[total] += 1
        counted[
            "style" if total >= difficulty + 3 else "done" if total >= difficulty else "failed"
        ] += 1
    terms = {"skill": str(skill), "difficulty": str(difficulty), "bonus": str(bonus)}
    found = systems.odds(added("copperweather")).reckon(Question(Bag(fate=dice), terms))
    for key in ("style", "done", "failed"):
        assert found.outcomes[key] == Fraction(counted[key], 3**dice), key
    shares: Counter[int] = Counter()
    for row, ways in found.distribution.row_counts.items():
        shares[dict(zip(found.distribution.axes, row, strict=True))["total"]] += ways
    assert {n: Fraction(ways, found.distribution.total) for n, ways in shares.items() if ways} == {
        n: Fraction(ways, 3**dice) for n, ways in totals.items()
    }
