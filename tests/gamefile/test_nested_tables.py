"""Tables of effects of a game file that consult tables again."""

from __future__ import annotations

import pytest

from storypool.engine.story import transcript
from storypool.gamefile.compiled import compiled
from storypool.play import LocalTable
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed

AGAIN = '{ consult = "tide", n = "more" },'
EBB = """at = 1
words = "It ebbs."
do = [{ gain = "coin", of = "each" }]

[[effects.tide]]
"""
WRECK = 'do = [{ gain = "coin", of = "each", n = 10 }]'
ROLLED = "{ throw = { d6 = 1 }, figures = { more = { highest = 1 } } },\n    "


def waited(*faces: int) -> LocalTable:
    """A table on which the GM waited for the tide, whose dice show these faces in turn."""
    table = sit(compiled(HARBOUR).system)
    coming = iter(faces)
    table._randint = lambda low, high: next(coming)
    table.make("mona", "move.wait")
    assert not list(coming)
    return table


@pytest.mark.parametrize(
    ("faces", "coins"),
    [((1,), 1), ((6, 2), 11), ((3, 4, 1), 21), ((6, 6, 6, 6, 6, 6), 40)],
)
def test_rows_roll_again_up_to_a_depth(faces: tuple[int, ...], coins: int) -> None:
    """Each new die reads both tables, five inside each other at most."""
    table = waited(*faces)
    assert coins == table.state.balance("coin", "kit")
    assert len(faces) - 1 == transcript(table.records, table.system).count("It turns, and turns.")
    table.make("mona", "table.undo")
    assert 0 == table.state.balance("coin", "kit")


def test_typed_faces_are_those_of_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real dice are typed for the move; the program throws those of a table."""
    table = sit(compiled(HARBOUR).system)
    monkeypatch.setattr(table, "_randint", lambda low, high: 1)
    table.make("mona", "move.wait", {"faces": [5]})
    assert 11 == table.state.balance("coin", "kit")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (ROLLED + AGAIN, AGAIN.replace("more", "3"), "no dice are thrown on the way"),
        (WRECK, 'do = [{ consult = "wreck", n = 3 }]', "the row leads back to “wreck”"),
        (EBB, "", "each row of “tide” consults it again"),
        ("at = 3", "at = 1", "each begins at a higher number"),
        (WRECK, 'do = [{ consult = "storm" }]', "There is no “storm” here"),
    ],
)
def test_endless_tables_are_refused(old: str, new: str, why: str) -> None:
    """A table that could not end is refused at its line, with the way out."""
    text = changed(old, new)
    found = [one for one in mistakes(text) if why in str(one.what)]
    assert found
    assert all(1 < one.line <= text.count("\n") for one in found)


def test_deep_tables_are_refused() -> None:
    """More than five tables inside each other are refused where the first consults."""
    deep = "".join(
        f'[[effects.t{n}]]\nat = 1\nwords = "Down."\ndo = [{{ consult = "t{n + 1}" }}]\n'
        for n in range(6)
    )
    deep += '[[effects.t6]]\nat = 1\nwords = "Ground."\n'
    text = HARBOUR.replace(WRECK, 'do = [{ consult = "t0" }]') + deep
    assert any("5 are the most" in str(one.what) for one in mistakes(text))
