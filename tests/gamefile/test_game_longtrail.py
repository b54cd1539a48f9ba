"""The odds of The Long Trail against an enumeration by its written rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from storypool.play import perform, read
from tests.gamefile.conftest import Add

ROLLS = 8
"""The most rolls of one die."""


def exploding(sides: int) -> Iterator[tuple[int, Fraction]]:
    """Each sum of a die that is rolled again at its highest face, with its chance."""
    for n in range(ROLLS):
        for face in range(1, sides + (n == ROLLS - 1)):
            yield n * sides + face, Fraction(1, sides ** (n + 1))


@pytest.mark.parametrize(
    ("sides", "luck", "more", "target"),
    [(4, True, -2, 4), (8, True, 0, 4), (12, True, 2, 6), (6, False, 0, 4), (10, True, -3, 8)],
)
def test_odds_of_a_trait(sides: int, luck: bool, more: int, target: int, added: Add) -> None:
    """The better of both dice as they roll on, against the target; two ones are a ruin."""
    key = added("longtrail")
    pool = Bag({f"d{sides}": 1, "lucky": luck})
    terms = {"more": str(more), "target": str(target), "bonus": "0"}
    found = systems.odds(key).reckon(Question(pool, terms))
    counted: defaultdict[str, Fraction] = defaultdict(Fraction)
    other = exploding(6) if luck else iter([(0, Fraction(1))])
    for (trait, one), (lucky, two) in product(exploding(sides), list(other)):
        total = max(trait, lucky) + more
        ruin = trait == 1 and lucky == 1
        rung = "ruin" if ruin else "short" if total < target else "done"
        counted["more" if rung == "done" and total >= target + 4 else rung] += one * two
    assert dict(counted) == {
        name: chance for name, chance in found.outcomes.items() if chance and name != "pass"
    }
    assert counted["done"] + counted["more"] == found.outcomes["pass"]


SCENE = """table longtrail
seat gm side=gm
seat ann josie: ride=8
seat bo dunn: talk=8
gm turns.begin dice {}
"""


@pytest.mark.parametrize(
    ("faces", "first"), [("3 29", "dunn"), ("1 14", "dunn"), ("53 52", "josie"), ("13 26", "dunn")]
)
def test_cards_order_the_turns(faces: str, first: str, added: Add) -> None:
    """A higher rank acts first, of equal ranks the higher suit, and the wild card before all."""
    added("longtrail")
    table = perform(read(SCENE.format(faces))).table
    [now] = table.of_kind("slot", at="now")
    assert first == now.terms["who"]
