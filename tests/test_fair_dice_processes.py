"""Fair dice at several processes: a number that any of them has taken is in the roll, wherever the
dice fall.
"""

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
    """The tables of two processes at one database, with real dice."""
    with closing(PostgresStore(database)) as one, closing(PostgresStore(database)) as other:
        yield real(one), real(other)


async def known(id: str, *houses: Tables) -> None:
    """Let processes hear of each other's records."""
    for house in houses:
        assert isinstance(house, SharedTables)
        await house.renew(id)


def left_out(records: list[Record], taken: set[str]) -> list[str]:
    """The hashes of numbers that a process has taken, and that are not in the roll that they were
    bound to.
    """
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
def test_rolls_at_any_process_have_the_numbers_of_all_pages(processes: Two) -> None:
    """With the pages at two processes and the dice falling at both, every roll is verified with
    every number.
    """

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
def test_a_place_to_which_another_process_passed_stays_open(
    processes: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two pages come in at two processes at once, one of which is first, every page opens its
    number.
    """
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
def test_a_number_that_was_taken_is_never_left_out(processes: Two) -> None:
    """While dice fall at one process, pages open their numbers at the other: what is taken is in
    the roll.
    """

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


def test_a_page_that_leaves_one_process_stays_at_the_other(processes: Two) -> None:
    """What a seat's page has sealed by one process is bound, though its page at another process is
    gone.
    """

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
