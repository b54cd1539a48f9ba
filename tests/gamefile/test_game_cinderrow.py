"""The odds of Cinder Row against an enumeration of two dice by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add


@pytest.mark.parametrize("trait", range(4))
@pytest.mark.parametrize("bonus", [-1, 0, 1, 2])
def test_two_dice_and_a_trait(trait: int, bonus: int, added: Add) -> None:
    """10 and more is full success, 7 to 9 partial, and less is failure."""
    counted: Counter[str] = Counter()
    for one, other in product(range(1, 7), repeat=2):
        score = one + other + trait + bonus
        counted["whole" if score >= 10 else "part" if score >= 7 else "miss"] += 1
    question = Question(Bag(d6=2), {"trait": str(trait), "bonus": str(bonus)})
    found = systems.odds(added("cinderrow")).reckon(question)
    for key in ("whole", "part", "miss"):
        assert found.outcomes[key] == Fraction(counted[key], 36), key
    assert found.outcomes["pass"] == Fraction(36 - counted["miss"], 36)
