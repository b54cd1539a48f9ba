"""Times in a log: never before the previous record, with marks where the clock was set."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from storypool.engine import story
from storypool.engine.events import ClockSet, Record
from storypool.engine.fold import fold
from storypool.engine.table import Table
from storypool.live.clock import SLACK_MS, Clock, system_time_ms, uptime
from storypool.live.tables import Tables
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.store import Store
from storypool.worth.session import session_recap
from tests.test_live_tables import NOW, find, table_of_three

HOUR, DAY, YEAR = 3_600_000, 86_400_000, 365 * 86_400_000


@dataclass
class Clocks:
    """A computer with an adjustable clock: its displayed and real running time."""

    shown: int = NOW
    running: int = 0

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.shown += ms
        self.running += ms

    def tables(self, store: Store) -> Tables:
        """Tables of a server that starts now."""
        return Tables(
            store, find, lambda sides: 0, lambda: self.shown, elapsed=lambda: self.running
        )


async def say(house: Tables, id: str) -> Record:
    """The last record after saying something."""
    return (await house.make(id, "ann", "table.say", {"text": "tick"})).steps[-1].record


def marks(records: list[Record]) -> list[int]:
    """The clock changes in the log."""
    return [record.event.by for record in records if isinstance(record.event, ClockSet)]


def in_order(records: list[Record]) -> bool:
    """Whether every time is at or after the previous one, except where the clock was set back."""
    return all(
        a.at <= b.at or (isinstance(b.event, ClockSet) and b.event.by < 0)
        for a, b in pairwise(records)
    )


def test_small_corrections_are_not_logged() -> None:
    """Corrections by seconds leave no mark, and times stay until the clock has caught up."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        id = await table_of_three(house)
        clocks.wait(10_000)
        last = await say(house, id)
        clocks.shown -= SLACK_MS
        assert last.at == (await say(house, id)).at
        clocks.wait(SLACK_MS + 1)
        assert last.at + 1 == (await say(house, id)).at
        clocks.shown += SLACK_MS
        await say(house, id)
        assert [] == marks(store.read(id))
        assert in_order(store.read(id))

    asyncio.run(play())


@pytest.mark.parametrize("by", [HOUR, -HOUR, 73 * YEAR, -50 * YEAR, SLACK_MS + 1, -SLACK_MS - 1])
def test_set_clock_is_marked_once(by: int) -> None:
    """The next record has the change in either direction, and times follow the new clock."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        id = await table_of_three(house)
        clocks.wait(20_000)
        await say(house, id)
        clocks.shown += by
        for _ in range(3):
            clocks.wait(100)
            assert clocks.shown == (await say(house, id)).at
        assert [by] == marks(store.read(id))
        assert in_order(store.read(id))
        assert fold(store.read(id)) == await house.look(id)

    asyncio.run(play())


def test_future_time_does_not_stay(tmp_path: Path) -> None:
    """A clock wrong for an hour and a restart has two marks, and then correct times."""

    async def play() -> None:
        clocks, store = Clocks(), SqliteStore(tmp_path)
        house = clocks.tables(store)
        id = await table_of_three(house)
        clocks.shown += 73 * YEAR
        clocks.wait(HOUR)
        wrong = await say(house, id)
        assert wrong.at > NOW + 70 * YEAR
        house = clocks.tables(store)
        clocks.shown -= 73 * YEAR
        right = await say(house, id)
        assert clocks.shown == right.at
        assert [73 * YEAR, -73 * YEAR] == marks(store.read(id))
        assert clocks.shown == store.listings()[0].changed
        clocks.wait(5)
        assert clocks.shown == (await say(house, id)).at
        assert in_order(store.read(id))
        store.close()

    asyncio.run(play())


def test_passed_time_is_not_marked() -> None:
    """A night between records or between server runs has no mark at any table."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        first, second = await table_of_three(house), await table_of_three(house)
        clocks.wait(DAY)
        await say(house, first)
        # While no server runs, only the clock goes on.
        clocks.shown, clocks.running = clocks.shown + DAY, 0
        house = clocks.tables(store)
        await say(house, first)
        clocks.wait(DAY)
        await say(house, second)
        assert [] == marks(store.read(first)) + marks(store.read(second))

    asyncio.run(play())


def test_each_table_has_its_own_mark() -> None:
    """An idle table is marked at its next move, unless the clock was reset before."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        played, waits, unused = [await table_of_three(house) for _ in range(3)]
        for id in (waits, unused):
            house._cache.forget(id)
        clocks.shown += DAY
        await say(house, played)
        await say(house, waits)
        clocks.shown -= DAY
        await say(house, played)
        await say(house, unused)
        assert [DAY, -DAY] == marks(store.read(played))
        assert [DAY] == marks(store.read(waits))
        assert [] == marks(store.read(unused))

    asyncio.run(play())


def test_mark_is_part_of_the_move() -> None:
    """It is stored with the next move or not at all, and undo passes it."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        id = await table_of_three(house)
        clocks.shown -= HOUR
        with pytest.raises(Exception, match="nonsense"):
            await house.make(id, "ann", "nonsense", {})
        assert [] == marks(store.read(id))
        made = await house.make(
            id, "mona", "points.correct", {"account": "luck", "to": 1, "why": "x"}, token="once"
        )
        assert ["ClockSet", "MoveMade", "PointsSet"] == [
            type(step.record.event).__name__ for step in made.steps
        ]
        again = await house.make(
            id, "mona", "points.correct", {"account": "luck", "to": 1, "why": "x"}, token="once"
        )
        assert (made.seq, made.records) == (again.seq, again.records)
        await house.make(id, "mona", "table.undo", {})
        assert 3 == (await house.look(id)).balance("luck")
        # A seat that is taken while the clock was set is the one that is returned.
        clocks.shown += DAY
        assert "Cy" == (await house.take_seat(id, "Cy", "player")).name
        assert [-HOUR, DAY] == marks(store.read(id))

    asyncio.run(play())


def test_simultaneous_moves_share_a_mark() -> None:
    """Moves of one commit have one mark among them."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        id = await table_of_three(house)
        clocks.shown += HOUR
        await asyncio.gather(
            *(house.make(id, seat, "table.say", {"text": "now"}) for seat in ("ann", "bo", "mona"))
        )
        assert [HOUR] == marks(store.read(id))

    asyncio.run(play())


@pytest.mark.parametrize(
    ("by", "line"),
    [
        (HOUR, "The clock of the server's computer was set forward by 1 hour."),
        (-2 * HOUR, "The clock of the server's computer was set back by 2 hours."),
        (-6_000, "The clock of the server's computer was set back by 6 seconds."),
        (90_000, "The clock of the server's computer was set forward by 2 minutes."),
        (-73 * YEAR, "The clock of the server's computer was set back by 26645 days."),
    ],
)
def test_clock_change_is_one_log_line(by: int, line: str) -> None:
    """The log shows everybody the change of the clock."""
    assert line == story.sentence(Record(5, ClockSet(by), "", NOW), Table(seq=4), find("tiny"))


def test_session_length_ignores_the_clock() -> None:
    """A session's length excludes changes of the clock."""

    async def play() -> None:
        clocks, store = Clocks(), MemoryStore()
        house = clocks.tables(store)
        id = await table_of_three(house)
        clocks.wait(HOUR)
        await say(house, id)
        clocks.shown += 73 * YEAR
        clocks.wait(HOUR)
        await say(house, id)
        clocks.shown -= 73 * YEAR + DAY
        clocks.wait(HOUR)
        await say(house, id)
        lines = session_recap(store.read(id), find("tiny")).short.lines
        assert any("3 h 0 min" in line.text for line in lines)

    asyncio.run(play())


def test_real_clocks_run_alike() -> None:
    """The system clock and the steady one have one speed here, so there is no jump."""
    clock = Clock(system_time_ms, uptime)
    before, offset = system_time_ms(), clock.offset()
    at, by = clock.read(before, offset)
    assert (0, True) == (by, at >= before)
