"""What the page shows of a game that is one file, as far as it follows from the file."""

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


def test_what_is_shown_has_the_words_of_the_file(added: Add) -> None:
    """The figure shows the terms that `shown` names, the first large, and the odds the mean of its
    numbers.
    """
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


def test_a_number_that_is_read_has_words(added: Add) -> None:
    """What the odds are about is captioned by what `shown` calls it, or by its name without
    underscores.
    """
    look = systems.get(added("quarrylane")).look
    assert ("spare of two", "total") == (look["spare_of_two"].plural, look["total"].plural)


def test_answers_are_shown_by_their_words(added: Add) -> None:
    """An answer that is kept by a key is shown in the words of the file, and a die by its sides."""
    game = systems.get(added("saltroad"))
    assert game.words["term.yes"] == "A focus"
    assert game.look["d20"].outline == "octagon"
    assert systems.get(added("parish")).look["d100"].outline == "pentagon"


def test_the_log_leaves_a_number_without_meaning_alone(added: Add) -> None:
    """A numbered die that shows nothing but its number is not called blank."""
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
        ("saltroad", "menace", "as many dust as there are d20 in the pool, 1 less"),
    ],
)
def test_a_price_is_worded_as_people_say_it(name: str, move: str, text: str, added: Add) -> None:
    """A number that is chosen, and dice that are counted, are not shown as the file writes them."""
    system = systems.get(added(name))
    assert text == price(system, system.by_key[f"move.{move}"])
