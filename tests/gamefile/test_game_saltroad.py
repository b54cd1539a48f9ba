"""The odds of Salt Road against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question

Add = Callable[[str | Path], str]
TWENTY = range(1, 21)


@pytest.mark.parametrize(
    ("dice", "value", "craft", "focus", "difficulty"),
    [
        *((1, 4, 0, False, 1), (1, 8, 6, True, 2), (2, 6, 3, True, 2), (2, 4, 1, False, 1)),
        *((2, 8, 0, True, 1), (3, 6, 3, True, 3), (3, 7, 4, False, 2)),
    ],
)
def test_successes_and_complications(
    dice: int, value: int, craft: int, focus: bool, difficulty: int, added: Add
) -> None:
    """At most the sum counts once, at most a focused craft twice, and a 20 complicates."""
    key = added("saltroad")
    target, twice = value + craft, craft if focus else 1
    given = {"target": target, "twice": twice, "difficulty": difficulty}
    terms = {name: str(n) for name, n in given.items()}
    known = {
        name: terms[name]
        for name in systems.odds(key).reckon(Question(Bag(d20=1))).assumed
        if name in terms
    }
    found = systems.odds(key).reckon(Question(Bag(d20=dice), known))
    rows: Counter[tuple[int, ...]] = Counter()
    passed = 0
    for faces in product(TWENTY, repeat=dice):
        successes = sum(2 if face <= twice else 1 if face <= target else 0 for face in faces)
        row = {
            "success": successes,
            "complication": faces.count(20),
            "margin": successes - difficulty,
        }
        rows[tuple(row[name] for name in found.distribution.axes)] += 1
        passed += successes >= difficulty
    assert dict(found.distribution.joint()) == {
        row: Fraction(n, 20**dice) for row, n in rows.items()
    }
    assert found.outcomes["pass"] == found.outcomes["done"] == Fraction(passed, 20**dice)
    assert found.outcomes["failed"] == 1 - Fraction(passed, 20**dice)
