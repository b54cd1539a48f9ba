"""The odds of The Beacon Road against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add

TWENTY = range(1, 21)


def shown(faces: tuple[int, ...], tilt: int) -> int:
    """The die that counts: the lower one of two with disadvantage, else the higher."""
    return min(faces) if tilt < 0 else max(faces)


@pytest.mark.parametrize("tilt", [-1, 0, 1])
@pytest.mark.parametrize(("bonus", "defence"), [(-1, 11), (5, 13), (7, 27), (12, 10)])
def test_attacks(tilt: int, bonus: int, defence: int, added: Add) -> None:
    """A 20 is critical, a 1 misses, and the rest reaches the defence or not."""
    given = {"action": "attack", "tilt": tilt, "bonus": bonus, "defence": defence}
    terms = {name: str(value) for name, value in given.items()}
    dice = 2 if tilt else 1
    found = systems.odds(added("beaconroad")).reckon(Question(Bag(d20=dice), terms))
    counted: Counter[str] = Counter()
    for faces in product(TWENTY, repeat=dice):
        die = shown(faces, tilt)
        hits = die > 1 and die + bonus >= defence
        counted["critical" if die == 20 else "hit" if hits else "miss"] += 1
    for key in ("critical", "hit", "miss"):
        assert found.outcomes[key] == Fraction(counted[key], 20**dice), key
    assert found.outcomes["pass"] == 1 - Fraction(counted["miss"], 20**dice)


@pytest.mark.parametrize("tilt", [-1, 0, 1])
@pytest.mark.parametrize(("bonus", "difficulty"), [(-1, 13), (5, 20), (3, 30)])
def test_deeds_and_saves(tilt: int, bonus: int, difficulty: int, added: Add) -> None:
    """A deed and a save reach their difficulty; neither knows a natural 20."""
    given = {"action": "try", "tilt": tilt, "bonus": bonus, "difficulty": difficulty}
    terms = {name: str(value) for name, value in given.items()}
    dice = 2 if tilt else 1
    found = systems.odds(added("beaconroad")).reckon(Question(Bag(d20=dice), terms))
    passed = sum(shown(faces, tilt) + bonus >= difficulty for faces in product(TWENTY, repeat=dice))
    assert found.outcomes["pass"] == found.outcomes["done"] == Fraction(passed, 20**dice)
