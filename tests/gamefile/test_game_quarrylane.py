"""The odds of Quarry Lane against an enumeration of pools of d4 to d12 by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add

POOLS = [(6,), (6, 10), (4, 6, 8), (8, 8, 10), (4, 4, 4, 12), (6, 6, 8, 10), (6, 8, 8, 12)]


def won(faces: tuple[int, ...], sizes: tuple[int, ...], keep: int) -> tuple[int, int]:
    """The total of the highest dice without a 1, and the size of the largest other die.

    It is at least a d4. Of equal dice those with fewer sides count for the total, so the larger is
    left.
    """
    counted = sorted(
        ((face, -size) for face, size in zip(faces, sizes, strict=True) if face > 1), reverse=True
    )
    return sum(face for face, _ in counted[:keep]), max([4, *(-size for _, size in counted[keep:])])


@pytest.mark.slow
@pytest.mark.parametrize("sizes", POOLS)
@pytest.mark.parametrize("third", [0, 1])
def test_highest_total_and_effect_die(sizes: tuple[int, ...], third: int, added: Add) -> None:
    """Two or three dice are kept; a 1 counts as nothing and is a hitch."""
    rolls = list(product(*(range(1, size + 1) for size in sizes)))
    counted: Counter[tuple[int, int, int]] = Counter()
    for faces in rolls:
        counted[(*won(faces, sizes, 2 + third), faces.count(1))] += 1
    odds = systems.odds(added("quarrylane"))
    pool = Bag(f"d{size}" for size in sizes)
    for difficulty in (5, 9, 14):
        terms = {"difficulty": str(difficulty), "third": str(third)}
        found = odds.reckon(Question(pool, terms))
        read: Counter[tuple[int, int, int]] = Counter()
        for row, ways in found.distribution.row_counts.items():
            net = dict(zip(found.distribution.axes, row, strict=True))
            read[net["total"], net["effect"], net["hitch"]] += ways
        total = found.distribution.total
        assert {key: Fraction(n, total) for key, n in read.items() if n} == {
            key: Fraction(n, len(rolls)) for key, n in counted.items()
        }
        passed = sum(n for (score, _, _), n in counted.items() if score > difficulty)
        heroic = sum(n for (score, _, _), n in counted.items() if score >= difficulty + 5)
        assert found.outcomes["pass"] == Fraction(passed, len(rolls))
        assert found.outcomes["heroic"] == Fraction(heroic, len(rolls))
