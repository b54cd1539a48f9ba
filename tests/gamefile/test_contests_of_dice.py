"""Dice of two sides compared die by die: the highest first, and of equal ones the next."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from storypool.engine.bag import Bag
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from tests.gamefile.conftest import head, mistakes

DUEL = (
    head("duel")
    + """
[dice.foe]
sides = 4
hinders = true
[action]
pool = { d6 = 2, foe = 2 }
figures = { won = { of = ["d6"], against = ["foe"] }, best = { highest = 1, of = ["d6"] } }
[[outcome]]
key = "won"
when = "won > 0"
words = "Won with {best}."
passed = true
[[outcome]]
key = "draw"
when = "won == 0"
words = "A draw."
[[outcome]]
key = "lost"
words = "Lost."
passed = false
"""
)
ALONE = DUEL.replace(', best = { highest = 1, of = ["d6"] }', "").replace(" with {best}", "")


def winner(mine: Sequence[int], theirs: Sequence[int], over: int = 0) -> str:
    """The result of a contest, die by die; a die above `over` wins against none."""
    mine = sorted((n for n in mine if n > over), reverse=True)
    theirs = sorted((n for n in theirs if n > over), reverse=True)
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return "won" if a > b else "lost"
    if len(mine) == len(theirs):
        return "draw"
    return "won" if len(mine) > len(theirs) else "lost"


@pytest.mark.parametrize("text", [DUEL, ALONE, ALONE.replace('["foe"] }', '["foe"], over = 2 }')])
@pytest.mark.parametrize("pool", [(2, 2), (3, 1), (1, 3), (3, 3)])
def test_odds_of_a_contest(text: str, pool: tuple[int, int]) -> None:
    """The chance of each result is that of every combination of faces."""
    d6, foe = pool
    found = compiled(text).reckon(Question(Bag(d6=d6, foe=foe)))
    results = []
    for mine in product(range(1, 7), repeat=d6):
        for theirs in product(range(1, 5), repeat=foe):
            results.append(winner(mine, theirs, over=2 if "over = 2" in text else 0))
    for key in ("won", "draw", "lost"):
        assert found.outcomes[key] == Fraction(results.count(key), len(results)), key


def test_odds_of_many_dice_against_many() -> None:
    """Equal dice of both sides have no part in it, so large pools take few steps."""
    found = compiled(ALONE.replace("sides = 4", "sides = 6")).reckon(Question(Bag(d6=5, foe=5)))
    assert found.outcomes["won"] == found.outcomes["lost"]
    assert sum(found.outcomes[key] for key in ("won", "draw", "lost")) == 1


@pytest.mark.parametrize(
    ("instead", "what"),
    [
        ('against = ["foe"]', "write both, with no die in both"),
        ('of = ["d6", "foe"], against = ["foe"]', "write both, with no die in both"),
        ('of = ["d6"], against = ["fo"]', "There is no “fo” here; did you mean “foe”?"),
        ('of = ["d6"], against = ["foe"], next = 1', "A figure has one of"),
    ],
)
def test_wrong_contests_are_mistakes(instead: str, what: str) -> None:
    """A contest needs the dice of two sides."""
    found = mistakes(DUEL.replace('of = ["d6"], against = ["foe"]', instead, 1))
    assert any(what in str(one.what) for one in found), found
