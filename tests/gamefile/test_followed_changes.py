"""Consequences where points or a clock become full or empty, are lost, or reach a number."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.play import LocalTable
from tests.gamefile.conftest import ONE_DIE, Write, head, mistakes, sit

GAME = (
    head("tides")
    + ONE_DIE
    + """
[sheet.body]
title = "Body"
low = -3
high = 6
entries = { grit = "Grit" }
[points.luck]
of = "character"
start = 3
floor = "-2 - grit"
cap = 5
[points.tide]
of = "gm"
cap = 9
[points.notes]
of = "table"
[trait.clock]
word = "Clock"
goal = [4]
[trait.wound]
word = "Wound"
of = "character"
goal = [3]
[[outcome]]
key = "done"
words = "Done."
[[move]]
key = "spend"
title = "Spend luck"
who = "player"
price = { luck = 2 }
[[move]]
key = "slip"
title = "Slip"
who = "player"
asks = [{ name = "n", label = "How much?", number = [1, 9] }]
do = [{ lose = "luck", n = "n" }]
[[move]]
key = "rise"
title = "Rise"
who = "gm"
asks = [{ name = "n", label = "How much?", number = [-9, 9], default = 1 }]
do = [{ when = "n > 0", gain = "tide", n = "n" }, { when = "n < 0", lose = "tide", n = "-n" }]
"""
)


def follows(on: str, more: str, do: str = '{ gain = "notes" }') -> str:
    """A row that follows a change."""
    return f'[[whenever]]\non = "{on}"\n{more}\ndo = [{do}]\n'


def table_of(write: Write, rows: str) -> LocalTable:
    """A table of the game with these rows, where Ann plays Kit."""
    return sit(systems.get(write(GAME + rows)))


def notes(table: LocalTable) -> int:
    """How often a row has followed."""
    return table.state.balance("notes")


def test_floor_is_empty(write: Write) -> None:
    """A fall to the floor is followed once, also to a floor of the sheet below nought."""
    table = table_of(
        write, follows("empty", 'points = "luck"', '{ gain = "notes", n = "3 + grit" }')
    )
    table.make("ann", "move.spend")
    table.make("ann", "move.slip", {"n": 1})
    assert (0, 0) == (table.state.balance("luck", "kit"), notes(table))
    table.make("ann", "move.slip", {"n": 9})
    assert (-2, 3) == (table.state.balance("luck", "kit"), notes(table))
    table.make("ann", "move.slip", {"n": 9})
    assert 3 == notes(table)


def test_price_is_not_lost(write: Write) -> None:
    """A paid point falls, and is not lost; a correction of the GM is."""
    table = table_of(write, follows("lost", 'points = "luck"'))
    table.make("ann", "move.spend")
    assert 0 == notes(table)
    table.make("ann", "move.slip", {"n": 2})
    table.make("mona", "points.correct", {"account": "kit.luck", "to": -2, "why": "A storm"})
    assert 2 == notes(table)


@pytest.mark.parametrize(
    ("direction", "steps"),
    [("rises", [1, 1, 1, 2, 2]), ("falls", [0, 0, 1, 1, 2]), ("either", [1, 1, 2, 3, 4])],
)
def test_number_is_reached(write: Write, direction: str, steps: list[int]) -> None:
    """A number is reached from either side, also past it, and not again without leaving it."""
    table = table_of(
        write, follows("reaches", f'points = "tide"\nreaches = 5\ndirection = "{direction}"')
    )
    found = []
    for n in (7, 1, -4, 2, -1):
        table.make("mona", "move.rise", {"n": n})
        found.append(notes(table))
    assert steps == found


def test_number_reached_follows_from_the_sheet(write: Write) -> None:
    """The number is read of the character whose points change."""
    rows = follows("reaches", 'points = "luck"\nreaches = "grit"\ndirection = "falls"')
    table = table_of(write, rows)
    table.make("ann", "character.set", {"who": "kit", "sheet": {"grit": -1}})
    table.make("ann", "move.slip", {"n": 3})
    assert 0 == notes(table)
    table.make("ann", "move.slip", {"n": 1})
    assert 1 == notes(table)


def test_segments_of_clocks_are_followed(write: Write) -> None:
    """A clock that is filled, comes to a number, goes back or is empty again."""
    changes = ("full", "empty", "lost")
    rows = "".join(follows(on, 'trait = "clock"') for on in changes)
    table = table_of(write, rows + follows("reaches", 'trait = "clock"\nreaches = 2'))
    table.make("mona", "move.clock_new", {"text": "The flood"})
    found = []
    for n in (1, 2, 1, -2, -3):
        table.make("mona", "move.clock_fill", {"which": "The flood", "n": n})
        found.append(notes(table))
    assert [0, 1, 2, 3, 5] == found


def test_clock_of_a_character_means_them(write: Write) -> None:
    """The mover is the character whom the clock is about."""
    table = table_of(write, follows("full", 'trait = "wound"', '{ lose = "luck", n = 2 }'))
    table.make("mona", "move.wound_new", {"whom": "kit", "text": "A cut"})
    table.make("mona", "move.wound_fill", {"which": "A cut", "n": 3})
    assert 1 == table.state.balance("luck", "kit")


def test_hidden_change_shows_nothing(write: Write) -> None:
    """Consequences of the points or the clock of a hidden character change nothing public."""
    rows = follows("full", 'trait = "wound"') + follows("empty", 'points = "luck"')
    table = table_of(write, rows + '[[npc]]\nkey = "rat"\nname = "Rat"\n')
    table.make("mona", "npc.bring", {"kind": "rat", "secret": True})
    table.make("mona", "points.correct", {"account": "rat.luck", "to": -2, "why": "Fleas"})
    table.make("mona", "move.wound_new", {"whom": "rat", "text": "A cut"})
    table.make("mona", "move.wound_fill", {"which": "A cut", "n": 3})
    assert 0 == notes(table)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (follows("empty", ""), "A row on “empty” has either “points”, “trait” or “entry”"),
        (
            follows("lost", 'points = "luck"\ntrait = "clock"'),
            "has either “points”, “trait” or “entry”",
        ),
        (follows("empty", 'trait = "luck"'), "There is no “luck” here"),
        (follows("points", 'points = "tide"\ntrait = "clock"'), "“trait” has no effect"),
        (follows("full", 'points = "tide"\nreaches = 3'), "“reaches” has no effect with “full”"),
        (follows("lost", 'points = "tide"\ndirection = "falls"'), "“direction” has no effect"),
        (follows("reaches", 'points = "tide"'), "Which number is reached?"),
        (follows("reaches", 'points = "tide"\nreaches = 10'), "“tide” never reaches 10"),
        (follows("reaches", 'trait = "clock"\nreaches = 5'), "“clock” never reaches 5"),
        (follows("reaches", 'points = "tide"\nreaches = "grit"'), "“grit” is a character's"),
        (follows("full", 'points = "notes"', '{ gain = "tide" }'), "“notes” is never full"),
        (follows("full", 'trait = "clock"', '{ gain = "luck" }'), "“gain” needs a character"),
        (follows("empty", 'points = "tide"', '{ lose = "tide" }'), "when “tide” falls, it falls"),
        (
            follows("lost", 'points = "luck"', '{ lose = "tide" }')
            + follows("empty", 'points = "tide"', '{ lose = "luck", of = "each" }'),
            "when “luck” falls, it falls again",
        ),
        (
            follows(
                "reaches",
                'points = "tide"\nreaches = 3\ndirection = "falls"',
                '{ gain = "luck", of = "each" }',
            )
            + follows("full", 'points = "luck"', '{ lose = "tide" }'),
            "when “tide” falls, it falls again",
        ),
    ],
)
def test_wrong_rows_are_mistakes(rows: str, what: str) -> None:
    """Each is described at its line."""
    found = mistakes(GAME + rows)
    assert any(what in str(one.what) for one in found), found
