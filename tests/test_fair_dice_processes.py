"""Fair dice on several processes: a roll has every number that any of them accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise

import pytest

from storypool.engine.events import DiceBound, Record
from storypool.live.bindings import Numbers
from storypool.live.peers.shared_numbers import SharedNumbers
from storypool.live.peers.shared_tables import SharedTables
from storypool.live.tables import Tables
from storypool.log.shared.postgres import PostgresStore
from storypool.log.verified import verified
from tests.fair_logs import POOL, heard, opened, real, seated, tossed

Two = tuple[Tables, Tables]


@pytest.fixture
def processes(database: str) -> Iterator[Two]:
    """The tables of two processes on one database, with real dice."""
    with closing(PostgresStore(database)) as one, closing(PostgresStore(database)) as other:
        yield real(one), real(other)


async def known(id: str, *houses: Tables) -> None:
    """Exchange records between processes."""
    for house in houses:
        assert isinstance(house, SharedTables)
        await house.renew(id)


def left_out(records: list[Record], taken: set[str]) -> list[str]:
    """The hashes of accepted numbers that are missing in their roll."""
    bound = [record.event for record in records if isinstance(record.event, DiceBound)]
    return [
        hash
        for before, after in pairwise(bound)
        for hash, number in zip(
            (one.partition("=")[2] for one in before.sealed), after.numbers, strict=True
        )
        if hash in taken and not number
    ]


@pytest.mark.slow
def test_rolls_have_all_pages_numbers(processes: Two) -> None:
    """With pages and dice on two processes every roll is verified with every number."""

    async def play() -> list[Record]:
        one, other = processes
        id, pages = await seated(one)
        pages[-1].house = other
        for n in range(6):
            await known(id, one, other)
            await heard(pages)
            await tossed((one, other)[n % 2], id)
        return await one.records(id)

    records = asyncio.run(play())
    assert ["fair"] * 6 == [one.verdict for one in verified(records)]
    rolls = [one.event for one in records if isinstance(one.event, DiceBound) and one.event.rolls]
    assert [3] * 6 == [len([number for number in roll.numbers if number]) for roll in rolls]


@pytest.mark.slow
def test_place_passed_elsewhere_stays_open(processes: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """If two pages join on two processes in a race, every page opens its number."""
    gathered = SharedNumbers.gathered

    async def play() -> list[bool]:
        one, other = processes
        id, (mona, ann, bo) = await opened(one)
        ann.house = other
        await heard([mona, mona])
        await known(id, other)

        async def overtaken(self: SharedNumbers, table_id: str) -> Numbers:
            monkeypatch.setattr(SharedNumbers, "gathered", gathered)
            numbers = await gathered(self, table_id)
            await bo.hear()
            await known(id, other)
            return numbers

        monkeypatch.setattr(SharedNumbers, "gathered", overtaken)
        await ann.hear()
        await known(id, one, other)
        return [bool(await page.hear()) for page in (mona, ann, bo)]

    assert [True, True, True] == asyncio.run(play())


@pytest.mark.slow
def test_accepted_number_is_never_left_out(processes: Two) -> None:
    """While one process rolls, pages open numbers on the other: accepted ones are included."""

    async def play() -> None:
        one, other = processes
        id, pages = await seated(one)
        taken = set[str]()
        for n in range(40):
            rolls, hears = ((one, other), (other, one))[n % 2]
            for page in pages:
                page.house = hears
            await known(id, one, other)
            if n % 4 == 0:
                taken |= {hash for page in pages for hash in await page.hear()}
            await one.make(id, "ann", "check.declare", {"as": "ilse", "pool": POOL})
            await known(id, other)
            hearing = asyncio.gather(*(page.hear() for page in pages))
            opened, _ = await asyncio.gather(hearing, rolls.make(id, "ann", "check.roll", {}))
            taken |= {hash for some in opened for hash in some}
            await rolls.make(id, "ann", "check.close", {})
        records = await asyncio.to_thread(one.store.read, id)
        assert [] == left_out(records, taken)
        assert {"false"}.isdisjoint(one.verdict for one in verified(records))
        assert len(taken) >= 3

    asyncio.run(play())


def test_page_leaving_one_process_stays_bound(processes: Two) -> None:
    """A seat's sealed number is bound, although its page on another process has gone."""

    async def play() -> list[Record]:
        one, other = processes
        id, pages = await seated(one)
        pages[-1].house = other
        await known(id, other)
        await heard(pages)
        one.withdraw_numbers(id, "bo")
        await asyncio.sleep(0.1)
        await tossed(one, id)
        await known(id, other)
        await heard(pages)
        await tossed(one, id)
        return await one.records(id)

    assert ["fair", "fair"] == [one.verdict for one in verified(asyncio.run(play()))]
