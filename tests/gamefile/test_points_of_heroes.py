"""Points of a game file that follow from the players, and those of their characters alone."""

from __future__ import annotations

import pytest

from storypool.engine.refusal import Refused
from storypool.gamefile.compiled import compiled
from storypool.play import LocalTable
from storypool.web.prints.printed_sheets import paper_page
from tests.gamefile.conftest import mistakes, sit
from tests.gamefile.small_game import HARBOUR, changed


@pytest.fixture
def table() -> LocalTable:
    """A table with Kit, whose player is Ann, and a guard of the GM's."""
    table = sit(compiled(HARBOUR).system)
    table.make("mona", "npc.bring", {"kind": "guard"})
    return table


def test_gms_points_follow_from_the_players(table: LocalTable) -> None:
    """They begin with two for each player, and their cap rises and falls with the players."""
    assert 2 == table.state.balance("dread")
    dread = table.system.by_account["dread"]
    assert 3 == dread.most(table.state, "")
    table.sit("Bo")
    assert 6 == dread.most(table.state, "")
    table.make("ann", "move.dare")
    table.make("ann", "move.dare")
    assert 6 == table.state.balance("dread")
    table.make("mona", "seat.remove", {"seat": "bo"})
    assert 3 == table.state.balance("dread")


def test_npcs_have_no_points_of_heroes(table: LocalTable) -> None:
    """An NPC has none, gets none, pays with none, and its sheet has no place for them."""
    assert (2, 0) == tuple(table.state.balance("luck", one) for one in ("kit", "a-guard"))
    table.make("mona", "move.bless", {"whom": "a-guard"})
    assert 0 == table.state.balance("luck", "a-guard")
    with pytest.raises(Refused):
        table.make("mona", "move.dare")
    paper = str(paper_page(table.system, table.state)).lower()
    assert 1 == paper.count(">luck")


def test_hero_who_changes_sides(table: LocalTable) -> None:
    """One who goes over to the GM loses them, and an NPC that a player takes begins with them."""
    table.make("mona", "character.give", {"who": "kit"})
    assert 0 == table.state.balance("luck", "kit")
    table.make("mona", "character.give", {"who": "a-guard", "seat": "ann"})
    assert 2 == table.state.balance("luck", "a-guard")
    table.make("mona", "table.undo")
    assert 0 == table.state.balance("luck", "a-guard")


def test_hero_points_of_nobody_are_refused() -> None:
    """A start of the GM's points cannot read them."""
    text = changed('start = "2 * players"', 'start = "luck"')
    assert "“luck” is a character's" in str(mistakes(text)[0].what)
