"""A file's move stores its payments and effects in one event, without needless windows."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from storypool import systems
from storypool.engine.copies import replace
from storypool.engine.events import CheckChanged, DiceRolled, MoveMade, PointsSet
from storypool.engine.fold import fold
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen, view
from storypool.engine.waiting import waiting
from storypool.log.snapshots import TABLE
from storypool.play import LocalTable
from tests.gamefile.conftest import ONE_DIE, Add, Write, head, sit


@pytest.fixture
def table(added: Add) -> LocalTable:
    """A table of Lanternlight with 9 Dread and Ann's action of three light dice."""
    table = LocalTable(systems.get(added("lanternlight")), Random(1).randint)
    table.sit("Mona", "gm")
    table.sit("Ann")
    table.make("mona", "session.begin")
    table.make("ann", "character.add", {"name": "Ada", "sheet": {"wits": 3}})
    table.make("mona", "points.correct", {"account": "dread", "to": 9, "why": "A dark night"})
    table.make("ann", "check.declare", {"as": "ada", "ability": "wits"})
    return table


def kinds(table: LocalTable, seat: str, move: str, **args: object) -> list[type]:
    """The kinds of a move's stored events."""
    return [type(one.event) for one in table.make(seat, move, args)]


def test_payment_is_stored_with_its_purchase(table: LocalTable) -> None:
    """One event has the new dice and the refund of a cancelled action."""
    assert [MoveMade, PointsSet, CheckChanged] == kinds(table, "mona", "move.dim", n=2)
    (check,) = table.state.checks.values()
    assert (2, 2) == (check.pool["shade"], check.spent.total)
    table.make("ann", "check.cancel")
    assert 9 == table.state.balance("dread")


def test_roll_without_choices_is_one_event(table: LocalTable) -> None:
    """Seats without a decision are skipped by the fold, without an event."""
    table.make("mona", "check.let")
    assert [MoveMade, DiceRolled, CheckChanged] == kinds(
        table, "ann", "check.roll", faces=(1, 6, 6)
    )
    assert ["filed.close"] == [one.id for one in waiting(table.system, table.state, "ann")]
    table.make("mona", "check.close")


def test_deciding_seat_ends_the_action(table: LocalTable) -> None:
    """While the dice can be pushed the GM waits; afterwards the GM may end it too."""
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


PLOT = (
    head("plots")
    + ONE_DIE
    + """
[[outcome]]
key = "done"
words = "Done."
[trait.plan]
word = "Plan"
hidden = true
[[move]]
key = "plot"
title = "Plot"
who = "gm"
limit = "LIMIT"
do = [{ make = "plan", text = "A trap" }]
"""
)


def received_bytes(table: LocalTable, seat: str) -> bytes:
    """The table as a seat sees it, with its offers, without the numbers of records."""
    own = table.state.seats[seat]
    known = seen(table.state, own)
    assert TABLE.write(known) == TABLE.write(
        replace(fold(view(table.records, own)), undo_to=known.undo_to)
    )
    unnumbered = replace(known, seq=0, undo_to=0, open_undo_to=0)
    return msgspec.json.encode((TABLE.write(unnumbered), list(map(repr, table.offers(seat)))))


@pytest.mark.parametrize("limit", ["once a scene for each seat", "once a scene"])
def test_hidden_move_hides_its_limit(write: Write, limit: str) -> None:
    """Players receive the same bytes after a hidden move of the GM; it counts for the GM."""
    table = sit(systems.get(write(PLOT.replace("LIMIT", limit))))
    before = received_bytes(table, "ann"), received_bytes(table, "mona")
    table.make("mona", "move.plot")
    assert before[0] == received_bytes(table, "ann")
    assert before[1] != received_bytes(table, "mona")
    with pytest.raises(Refused, match="once a scene"):
        table.make("mona", "move.plot")
    table.make("mona", "table.undo")
    table.make("mona", "move.plot")
    read = TABLE.read(msgspec.json.decode(msgspec.json.encode(TABLE.write(table.state))))
    assert table.state == read
