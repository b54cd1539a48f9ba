"""What a move of a file stores: what it took and what it did in one event, and no window that
nobody needs.
"""

from __future__ import annotations

from random import Random

import pytest

from storypool import systems
from storypool.engine.events import CheckChanged, DiceRolled, MoveMade, PointsSet
from storypool.engine.waiting import waiting
from storypool.play import LocalTable
from tests.gamefile.conftest import Add


@pytest.fixture
def table(added: Add) -> LocalTable:
    """A table of Lanternlight with 9 Dread, where Ann has declared an action of three light
    dice.
    """
    table = LocalTable(systems.get(added("lanternlight")), Random(1).randint)
    table.sit("Mona", "gm")
    table.sit("Ann")
    table.make("mona", "session.begin")
    table.make("ann", "character.add", {"name": "Ada", "sheet": {"wits": 3}})
    table.make("mona", "points.correct", {"account": "dread", "to": 9, "why": "A dark night"})
    table.make("ann", "check.declare", {"as": "ada", "ability": "wits"})
    return table


def kinds(table: LocalTable, seat: str, move: str, **args: object) -> list[type]:
    """The kinds of the events that a move stores."""
    return [type(one.event) for one in table.make(seat, move, args)]


def test_what_was_paid_is_kept_with_what_it_bought(table: LocalTable) -> None:
    """One event says that the dice have come and what comes back if the action is called off."""
    assert [MoveMade, PointsSet, CheckChanged] == kinds(table, "mona", "move.dim", n=2)
    (check,) = table.state.checks.values()
    assert (2, 2) == (check.pool["shade"], check.spent.total)
    table.make("ann", "check.cancel")
    assert 9 == table.state.balance("dread")


def test_a_roll_after_which_nothing_is_open_is_one_change(table: LocalTable) -> None:
    """Who has nothing left to decide is passed over when the table is read, and no event says
    so.
    """
    table.make("mona", "check.let")
    assert [MoveMade, DiceRolled, CheckChanged] == kinds(
        table, "ann", "check.roll", faces=(1, 6, 6)
    )
    assert ["filed.close"] == [one.id for one in waiting(table.system, table.state, "ann")]
    table.make("mona", "check.close")


def test_who_can_still_decide_ends_the_action(table: LocalTable) -> None:
    """While the dice can be pushed, the GM waits; once they were, the GM may end it too."""
    table.make("mona", "check.let")
    table.make("ann", "check.roll", {"faces": (2, 3, 4)})
    (wait,) = waiting(table.system, table.state, "ann")
    assert ("filed.after", ("move.push", "check.close")) == (wait.id, wait.moves)
    closed = {one.key: one.closed for one in table.offers("mona")}["check.close"]
    assert closed is not None
    assert "only_if" == closed.code
    table.make("ann", "move.push", {"faces": (2, 3, 4)})
    assert ["filed.close"] == [one.id for one in waiting(table.system, table.state, "ann")]
    table.make("mona", "check.close")
    assert not table.state.checks
