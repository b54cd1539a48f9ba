"""The odds of The Rime Road against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.gamefile.conftest import Add

SIX, TEN = range(1, 7), range(1, 11)


def rung(score: int, frost: tuple[int, int]) -> str:
    """Both frost dice beaten, one or none, and more than that where they match."""
    beaten = sum(score > die for die in frost)
    if frost[0] == frost[1]:
        return "grace" if beaten else "twist"
    return ("miss", "weak", "strong")[beaten]


@pytest.mark.parametrize(
    ("terms", "added_to_die", "against"),
    [
        ({"stat": "2"}, 2, 0),
        ({"stat": "3", "adds": "2"}, 5, 0),
        ({"stat": "1", "against": "4"}, 1, 4),
        ({"action": "bear", "left": "5", "against": "1"}, 5, 1),
    ],
)
def test_odds_of_a_score(
    terms: Mapping[str, str], added_to_die: int, against: int, added: Add
) -> None:
    """The die and what is added, 10 at most; a die that shows the debt of stride is nothing."""
    found = systems.odds(added("rimeroad")).reckon(Question(Bag(act=1, frost=2), terms))
    counted: Counter[str] = Counter()
    for die, *frost in product(SIX, TEN, TEN):
        score = min(10, (0 if die == against else die) + added_to_die)
        counted[rung(score, (frost[0], frost[1]))] += 1
    chances = {name: chance for name, chance in found.outcomes.items() if name != "pass"}
    assert {name: Fraction(n, 600) for name, n in counted.items()} == {
        name: chance for name, chance in chances.items() if chance
    }
    hits = counted["grace"] + counted["strong"] + counted["weak"]
    assert Fraction(hits, 600) == found.outcomes["pass"]


@pytest.mark.parametrize("boxes", [0, 1, 6, 10])
def test_odds_of_a_track(boxes: int, added: Add) -> None:
    """The full boxes alone stand against both frost dice."""
    terms = {"action": "end", "boxes": str(boxes)}
    found = systems.odds(added("rimeroad")).reckon(Question(Bag(frost=2), terms))
    counted = Counter(rung(boxes, frost) for frost in product(TEN, TEN))
    assert {name: Fraction(n, 100) for name, n in counted.items()} == {
        name: chance for name, chance in found.outcomes.items() if chance and name != "pass"
    }
