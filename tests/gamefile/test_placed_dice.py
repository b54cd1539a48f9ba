"""Rolled dice that a player keeps, or puts at a place, by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import Write, head, mistakes, sit

KEEP = (
    head("keep")
    + """
explodes = 6
[points.luck]
of = "table"
[action]
title = "Try"
pool = { d6 = 4 }
places = { kept = "Kept" }
figures = { sum = { highest = 2, at = "kept" }, best = { highest = 1 } }
[[outcome]]
key = "done"
when = "sum >= 9"
words = "Done: {sum}."
passed = true
[[outcome]]
key = "missed"
words = "Missed: {sum}."
passed = false
[[move]]
key = "keep"
title = "Keep two"
who = "actor"
when = "after the roll"
asks = [
  { name = "one", label = "Which?", rolled = true },
  { name = "two", label = "And which?", rolled = true, needed = false },
]
do = [{ put = "one", at = "kept" }, { put = "two", at = "kept" }, { gain = "luck", n = "one" }]
[[move]]
key = "retry"
title = "Roll again"
who = "actor"
when = "after the roll"
do = [{ again = "face == 1" }]
"""
)
SEVERAL = KEEP.replace('"Kept" }', '"Kept", lost = "Lost" }').replace(
    "best = { highest = 1 }", 'best = { highest = 1, at = "lost" }'
)


@pytest.fixture
def table(write: Write) -> LocalTable:
    """A table with four rolled dice: 4, 1, 13 (two sixes and a 1), and 2."""
    found = sit(systems.get(write(KEEP)))
    found.make("ann", "check.declare", {"as": "kit"})
    faces = iter((4, 1, 6, 2, 6, 1))
    vars(found)["_randint"] = lambda low, high: next(faces)
    found.make("ann", "check.roll")
    return found


def numbers(table: LocalTable) -> tuple[int, int, str]:
    """The kept sum, the best die, and the result of the one action."""
    (check,) = table.state.checks.values()
    assert check.outcome is not None
    return check.outcome.net["sum"], check.outcome.net["best"], check.outcome.words


def test_dice_are_kept_by_hand(table: LocalTable) -> None:
    """All dice count until one is kept; then only those, each with all of its rolls."""
    assert numbers(table) == (17, 13, "Done: 17.")
    offer = table.offer("ann", "move.keep", {"one": "0"})
    shown = [[one.label for one in ask.choices] for ask in offer.asks[:2]]
    assert shown == [["d6 4", "d6 1", "d6 13", "d6 2"], ["d6 1", "d6 13", "d6 2"]]
    table.make("ann", "move.keep", {"one": "0", "two": "3"})
    assert numbers(table) == (6, 13, "Missed: 6.")
    assert table.state.balance("luck") == 4
    notes = [one.note for one in table.offer("ann", "move.keep").asks[0].choices]
    assert notes == ["Kept", "", "", "Kept"]
    table.make("mona", "table.undo")
    assert numbers(table)[0] == 17


def test_same_die_is_not_meant_twice(table: LocalTable) -> None:
    """Two questions of one move mean two dice."""
    with pytest.raises(Refused):
        table.make("ann", "move.keep", {"one": "0", "two": "0"})


def test_reroll_takes_dice_from_places(table: LocalTable) -> None:
    """A re-roll takes the dice from their places."""
    table.make("ann", "move.keep", {"one": "1"})
    assert numbers(table)[0] == 1
    table.make("ann", "move.retry", {"faces": (5,)})
    assert numbers(table)[0] == 18


def test_odds_of_the_best_choice_and_of_none() -> None:
    """With one place the odds are those of the best dice; with several they say what is missing."""
    text = KEEP.replace("explodes = 6\n", "")
    found = compiled(text).reckon(Question(Bag(d6=4)))
    rolls = list(product(range(1, 7), repeat=4))
    passed = sum(sum(sorted(roll)[2:]) >= 9 for roll in rolls)
    assert (found.outcomes["pass"], found.without) == (Fraction(passed, len(rolls)), "")
    found = compiled(SEVERAL).reckon(Question(Bag(d6=4)))
    assert (found.outcomes["pass"], found.without) == (Fraction(0), "placed")


@pytest.mark.parametrize(
    ("of", "instead", "what"),
    [
        (
            'at = "kept" }, best',
            'at = "kep" }, best',
            "There is no place “kep” here; there are kept",
        ),
        ('at = "kept" }, best', "over = 1 }, best", "Nothing reads the dice at “kept”"),
        ('put = "one", at = "kept"', 'put = "one", at = "goal"', "There is no place “goal” here"),
        ('put = "one", at = "kept"', 'put = "one"', "There is no place “at” here"),
        ('put = "one"', 'put = "sum"', "There is no “sum” here; there are one, two"),
        ('gain = "luck", n = "one" }', 'gain = "luck", at = "kept" }', "“at” has no effect"),
        (
            'when = "after the roll"\nasks',
            'when = "before the roll"\nasks',
            'a move "after the roll"',
        ),
        (
            "places = {",
            'asks = [{ name = "x", label = "X", rolled = true }]\nplaces = {',
            'in a move "after the roll"',
        ),
        (
            'gain = "luck", n = "one" }',
            'throw = { d6 = 1 }, figures = { a = { highest = 1, at = "kept" } } }',
            "“at” has no effect with “throw”",
        ),
    ],
)
def test_wrong_places_are_mistakes(of: str, instead: str, what: str) -> None:
    """Each is named with what to write instead."""
    assert KEEP.count(of) == 1
    found = mistakes(KEEP.replace(of, instead))
    assert any(what in str(one.what) for one in found), found
