"""The odds of Moth and Candle against an enumeration of its dice by its written rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add

GOOD = [(0, 0), (1, 0), (1, 0), (1, 0), (1, 1), (2, 0)]
"""The sparks and flares on each face of a bright die; a grim one has as much soot and smoke."""


@pytest.mark.parametrize(("bright", "grim"), [(1, 0), (0, 1), (1, 1), (3, 2), (2, 3), (4, 1)])
def test_sparks_and_soot_cancel(bright: int, grim: int, added: Add) -> None:
    """One spark suffices, three are brilliant, none is flat, soot is worse; others stay apart."""
    counted: Counter[tuple[int, int, int]] = Counter()
    for faces in product(GOOD, repeat=bright + grim):
        mine, theirs = faces[:bright], faces[bright:]
        spark = sum(one for one, _ in mine) - sum(one for one, _ in theirs)
        counted[spark, sum(one for _, one in mine), sum(one for _, one in theirs)] += 1
    rolls = 6 ** (bright + grim)
    found = systems.odds(added("mothcandle")).reckon(Question(Bag(bright=bright, grim=grim)))
    read: Counter[tuple[int, int, int]] = Counter()
    for row, ways in found.distribution.row_counts.items():
        net = dict(zip(found.distribution.axes, row, strict=True))
        read[net["spark"], net["flare"], net["smoke"]] += ways
    assert {key: Fraction(n, found.distribution.total) for key, n in read.items() if n} == {
        key: Fraction(n, rolls) for key, n in counted.items()
    }

    def share(low: int, high: int) -> Fraction:
        return Fraction(
            sum(n for (spark, _, _), n in counted.items() if low <= spark <= high), rolls
        )

    assert found.outcomes["brilliant"] == share(3, 99)
    assert found.outcomes["done"] == share(1, 2)
    assert found.outcomes["flat"] == share(0, 0)
    assert found.outcomes["failed"] == share(-99, -1)
