"""The page of a game in one file, as derived from the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract.row_words import price
from storypool.engine import rules as r
from storypool.engine import story
from storypool.engine.table import Table
from storypool.play import perform, read

Add = Callable[[str | Path], str]


def test_display_uses_the_words_of_the_file(added: Add) -> None:
    """The terms in `shown` are displayed, the first large; odds show the mean of its numbers."""
    panels = systems.get(added("saltroad")).panels
    [figure] = [one for one in panels if isinstance(one, r.FigurePanel)]
    [odds] = [one for one in panels if isinstance(one, r.OddsPanel)]
    assert (figure.title, figure.term, figure.beside) == (
        "Difficulty",
        "difficulty",
        ("target", "twice"),
    )
    assert figure.words["target"] == "A success up to"
    assert odds.means == ("success",)


def test_number_has_a_caption(added: Add) -> None:
    """Its caption is the name in `shown`, or its key without underscores."""
    look = systems.get(added("quarrylane")).look
    assert ("spare of two", "total") == (look["spare_of_two"].plural, look["total"].plural)


def test_answers_are_shown_in_words(added: Add) -> None:
    """An answer stored by key has the file's words, and a die its sides."""
    game = systems.get(added("saltroad"))
    assert game.words["term.yes"] == "A focus"
    assert game.look["d20"].outline == "octagon"
    assert systems.get(added("parish")).look["d100"].outline == "pentagon"


def test_log_leaves_plain_numbers_alone(added: Add) -> None:
    """A numbered die without another meaning is not called blank."""
    added("saltroad")
    scene = """
table saltroad
seat gm side=gm
seat ann ysra: faith=6 guide=3
ann check.declare as=ysra value=faith craft=guide
gm check.agree
ann check.roll dice 19 2
"""
    done = perform(read(scene))
    past = {0: Table(), **{record.seq: done.table for record in done.records}}
    lines = list(story.sentences(done.records, systems.get("saltroad"), past.__getitem__))
    assert "ann rolled d20 19, 2 (1 success)." in lines


@pytest.mark.parametrize(
    ("name", "move", "text"),
    [
        ("nightshift", "push", "2 stress"),
        ("parish", "luck", "as many luck as you choose"),
        ("saltroad", "menace", "dust equal to the number of d20 in the pool minus 1"),
    ],
)
def test_price_has_natural_wording(name: str, move: str, text: str, added: Add) -> None:
    """Chosen numbers and counted dice are not shown in the syntax of the file."""
    system = systems.get(added(name))
    assert text == price(system, system.by_key[f"move.{move}"])


def test_conditions_are_listed(added: Add) -> None:
    """Harm is listed with what is true in the scene; a player's aspects are words of a card."""

    def bound(game: str, kind: str) -> list[object]:
        panels = systems.get(added(game)).panels
        return [one.binds.get("traits") for one in panels if one.kind == kind]

    assert [("place", "boost", "compel", "taken_out")] == bound("copperweather", "list")
    assert [("aspect",)] == bound("copperweather", "words")
    assert [None, ("taken_out",), None] == bound("copperweather", "moment")
    assert [("harm", "scar")] == bound("nightshift", "list")
    assert [("scar",), None] == bound("nightshift", "moment")


def test_moves_that_add_a_die_are_in_the_tray(added: Add) -> None:
    """One die on top is a tap next to the pool, and then no other button."""
    panels = systems.get(added("nightshift")).panels
    (tray,) = (one for one in panels if isinstance(one, r.TrayPanel))
    (actions,) = (one for one in panels if isinstance(one, r.ActionsPanel))
    keys = ("move.push", "move.help", "move.gambit", "move.bargain")
    assert keys == tray.moves
    assert tuple(f"{key} risk" for key in keys) == tray.dice
    assert not set(keys) & {*actions.moves, *actions.first}
