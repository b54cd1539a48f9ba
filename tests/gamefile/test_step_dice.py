"""Dice that step along a ladder as they are used, and what follows at its ends."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import Write, head, mistakes, sit

STEPS = (
    head("steps")
    + """
[dice.d4]
sides = 4
[dice.d8]
sides = 8
[sheet.traits]
title = "Traits"
steps = [4, 6, 8, 9, 10]
entries = { grit = "Grit", wits = "Wits" }
[points.torch]
of = "character"
steps = [0, 4, 6, 8]
start = 6
[points.doom]
of = "gm"
[trait.blade]
word = "Blade"
of = "character"
steps = [0, 4, 6]
[action]
title = "Try"
sized = ["skill", "torch"]
figures = { best = { highest = 1 } }
terms = { more = "max(0, skill - 8)" }
counts = { total = "best + more" }
asks = [{ name = "skill", label = "Skill?", entry = "traits" }]
[[outcome]]
key = "done"
when = "total >= 6"
words = "Done: {total}."
passed = true
[[outcome]]
key = "missed"
words = "Missed: {total}."
passed = false
[[move]]
key = "burn"
title = "Burn"
who = "player"
when = "any time"
do = [{ throw = { torch = 1 }, figures = { n = { highest = 1 } } }, { step = "torch", n = "0 - n" }]
[[move]]
key = "train"
title = "Train"
who = "player"
asks = [
  { name = "which", label = "Which?", entry = "traits" },
  { name = "by", label = "By?", number = [-9, 9] },
]
do = [{ step = "which", n = "by" }, { step = "wits", n = "by" }]
[[move]]
key = "hone"
title = "Hone or blunt"
asks = [
  { name = "what", label = "What?", trait = "blade" },
  { name = "by", label = "By?", number = [-9, 9] },
]
do = [{ step = "what", n = "by" }]
[[move]]
key = "lend"
title = "Lend a hand"
who = "actor"
when = "before the roll"
do = [{ add = "torch" }]
[[whenever]]
on = "empty"
points = "torch"
do = [{ gain = "doom" }]
[[whenever]]
on = "full"
entry = "grit"
do = [{ gain = "doom", n = 10 }]
[[whenever]]
on = "reaches"
reaches = 8
entry = "wits"
do = [{ gain = "doom", n = 100 }]
[[whenever]]
on = "empty"
trait = "blade"
do = [{ gain = "doom", n = 1000 }]
"""
)


@pytest.fixture
def table(write: Write) -> LocalTable:
    """A table of the game."""
    return sit(systems.get(write(STEPS)))


def test_die_of_points_is_thrown_at_its_size(table: LocalTable) -> None:
    """A usage die is what it is now; at the end of its ladder something follows, once."""
    table.make("ann", "move.burn", {"faces": (6,)})
    assert (table.state.balance("torch", "kit"), table.state.balance("doom")) == (0, 1)
    with pytest.raises(Refused):
        table.make("ann", "move.burn", {"faces": (1,)})
    table.make("ann", "move.burn")
    assert table.state.balance("doom") == 1


def test_sizes_are_thrown_as_they_are(table: LocalTable) -> None:
    """The face of a real die is bounded by the size that the die has."""
    table.make("ann", "move.burn", {"faces": (1,)})
    assert table.state.balance("torch", "kit") == 4
    with pytest.raises(Refused, match="d4"):
        table.make("ann", "move.burn", {"faces": (5,)})
    table.make("ann", "check.declare", {"as": "kit", "skill": "grit"})
    (check,) = table.state.checks.values()
    assert check.pool == Bag(d4=2)
    table.make("ann", "move.lend")
    assert table.state.checks[check.id].pool == Bag(d4=3)


def test_number_of_the_sheet_steps(table: LocalTable) -> None:
    """An entry moves along its steps, by a question or by its name; each change follows once."""
    table.make("ann", "move.train", {"which": "grit", "by": 2})
    kit = table.state.characters["kit"]
    assert (8, 8, 100) == (*map(kit.rating, ("grit", "wits")), table.state.balance("doom"))
    table.make("ann", "move.train", {"which": "grit", "by": 9})
    kit = table.state.characters["kit"]
    assert (10, 10, 110) == (*map(kit.rating, ("grit", "wits")), table.state.balance("doom"))
    table.make("ann", "move.train", {"which": "grit", "by": -1})
    assert table.state.characters["kit"].rating("grit") == 9
    table.make("mona", "table.undo")
    assert table.state.characters["kit"].rating("grit") == 10


def test_statement_steps_and_ends(table: LocalTable) -> None:
    """A statement begins at its last step, and at no die it is gone."""
    table.make("mona", "move.blade_new", {"whom": "kit", "text": "A dagger"})
    (blade,) = table.state.of_kind("blade")
    assert blade.rating == 6
    table.make("mona", "move.hone", {"what": blade.id, "by": -1})
    assert [one.rating for one in table.state.of_kind("blade")] == [4]
    table.make("mona", "move.hone", {"what": blade.id, "by": -1})
    assert (table.state.of_kind("blade"), table.state.balance("doom")) == ([], 1000)


def test_paper_lists_the_steps() -> None:
    """The printed sheet shows the dice of each ladder."""
    system = compiled(STEPS).system
    (rows,) = [note.rows for note in system.pages(system) if note.title == "Dice that step"]
    assert rows == (
        ("Traits", "d4, d6, d8, d8+1, d8+2"),
        ("torch", "–, d4, d6, d8"),
        ("Blade", "–, d4, d6"),
    )


@pytest.mark.parametrize(("skill", "die", "more"), [(4, "d4", 0), (8, "d8", 0), (10, "d8", 2)])
def test_odds_of_a_die_as_it_is(skill: int, die: str, more: int) -> None:
    """A size between two dice is the smaller one, and the rest can be a bonus."""
    found = compiled(STEPS).reckon(Question(Bag({die: 1, "d6": 1}), {"skill": str(skill)}))
    rolls = [(a, b) for a in range(1, int(die[1:]) + 1) for b in range(1, 7)]
    passed = Fraction(sum(max(roll) + more >= 6 for roll in rolls), len(rolls))
    assert found.outcomes["pass"] == passed


@pytest.mark.parametrize(
    ("of", "instead", "what"),
    [
        ("[4, 6, 8, 9, 10]", "[6, 4]", "The steps rise, from 0 or more"),
        ("[4, 6, 8, 9, 10]", "[2, 6]", "No die has 2 sides or fewer"),
        ("[4, 6, 8, 9, 10]", "[4, 6]\ndefault = 5", "5 is none of the steps: 4, 6."),
        ("[4, 6, 8, 9, 10]", "[4, 6]\nhigh = 9", "“high” has no effect with “steps”"),
        ("start = 6", "start = 7", "7 is none of the steps"),
        ("start = 6", "cap = 12", "“cap” has no effect with “steps”"),
        ('step = "torch"', 'lose = "torch"', 'write step = "torch", with n = -1'),
        ('step = "wits", n = "by"', 'improve = "wits"', 'write step = "wits"'),
        ('step = "torch"', 'step = "doom"', "“doom” has no steps; give it some"),
        ('step = "torch"', 'step = "tork"', "There is no “tork” here; did you mean “torch”?"),
        ('do = [{ add = "torch" }]', 'do = [{ add = "best" }]', "“best” is read off the dice"),
        ("throw = { torch = 1 }", "throw = { d5 = 1 }", "There is no “d5” here"),
        ("[0, 4, 6]\n[action]", "[0, 4]\ngoal = 4\n[action]", "“goal” has no effect with “steps”"),
        (
            'on = "full"\nentry = "grit"',
            'on = "rolled"\nentry = "grit"',
            "“entry” has no effect with “rolled”",
        ),
        (
            'entry = "grit"\ndo = [{ gain = "doom", n = 10 }]',
            'entry = "grit"\ndo = [{ step = "grit", n = -9 }, { step = "grit", n = 9 }]',
            "This would never end",
        ),
    ],
)
def test_wrong_steps_are_mistakes(of: str, instead: str, what: str) -> None:
    """Each says what to write instead."""
    assert STEPS.count(of) == 1
    found = mistakes(STEPS.replace(of, instead))
    assert any(what in str(one.what) for one in found), found


REROLLED = """
[[move]]
key = "retry"
title = "Again"
who = "actor"
when = "after the roll"
do = [{ again = "1" }]
[[whenever]]
on = "rolled"
when = "total <= 2"
do = [{ step = "torch", n = -1 }]
"""


def rolled_again(table: LocalTable) -> Iterator[Table]:
    """Yield the table after a low roll, a high one in its place, and two more low ones."""
    table.make("ann", "check.declare", {"as": "kit", "skill": "grit"})
    table.make("ann", "check.roll", {"faces": (1, 2)})
    yield table.state
    for faces in ((6, 4), (2, 1), (1, 1)):
        table.make("ann", "move.retry", {"faces": faces})
        yield table.state


def test_reroll_takes_a_step_back(write: Write) -> None:
    """Points that stepped because of a roll step back with it, and follow from the next one."""
    table = sit(systems.get(write(STEPS + REROLLED)))
    assert [one.balance("torch", "kit") for one in rolled_again(table)] == [4, 6, 4, 4]


def test_reroll_leaves_a_stepped_entry(write: Write) -> None:
    """An entry of the sheet that stepped because of a roll stays so, and steps once.

    So does all else in the row; what only moves points or terms is in a row of its own.
    """
    rows = REROLLED.replace('step = "torch", n = -1', 'step = "wits" }, { gain = "doom"')
    table = sit(systems.get(write(STEPS + rows)))
    found = [
        (one.characters["kit"].rating("wits"), one.balance("doom")) for one in rolled_again(table)
    ]
    assert found == [(6, 1)] * 4


def test_stepped_statement_is_not_filled() -> None:
    """A statement with steps does not rise by a number."""
    [mistake] = mistakes(
        STEPS.replace('{ step = "what", n = "by" }', '{ fill = "what", n = "by" }')
    )
    assert "write step" in str(mistake.what)
