"""Several processes on one store: each decides on stored state and learns of others' records."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, closing

import pytest

from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.live.folded import Step
from storypool.live.peers import following
from storypool.live.peers.shared_tables import SharedTables
from storypool.log.shared.notifying import Notifications
from storypool.log.shared.postgres import PostgresStore
from storypool.log.store import Grant, NoTable
from storypool.words.languages import ENGLISH, Language
from tests.games.tiny import game as tiny

NOW = 1_700_000_000_000


def find(key: str, language: Language = ENGLISH) -> System:
    """The one game of these tests."""
    return tiny.SYSTEM


class Follower:
    """A subscriber to one table, with the record numbers of its notifications."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.gone = False

    def stored(self, table_id: str, steps: Sequence[Step]) -> None:
        """Receive records."""
        self.records += [step.record for step in steps]

    def deleted(self, table_id: str) -> None:
        """Receive the deletion of the table."""
        self.gone = True


@pytest.fixture
def processes(database: str) -> Iterator[tuple[SharedTables, SharedTables]]:
    """The tables of two processes on one database."""
    with closing(PostgresStore(database)) as one, closing(PostgresStore(database)) as other:
        yield (
            SharedTables(one, find, lambda n: 0, lambda: NOW),
            SharedTables(other, find, lambda n: 0, lambda: NOW),
        )


@asynccontextmanager
async def keeping_up(*houses: SharedTables) -> AsyncIterator[None]:
    """Exchange notifications of the processes."""
    tasks = [asyncio.create_task(house.peers.run()) for house in houses]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


async def opened(house: SharedTables) -> str:
    """A table with a GM and two players, three points of luck, and a character for one player."""
    id = await house.open("tiny", "Coins")
    for name, side in (("Mona", "gm"), ("Ann", "player"), ("Bo", "player")):
        await house.take_seat(id, name, side)  # type: ignore[arg-type]
    await house.make(id, "mona", "session.begin", {})
    await luck(house, id, 3)
    return id


async def luck(house: SharedTables, id: str, to: int) -> int:
    """The last record's number after setting the luck of a table."""
    return (
        await house.make(id, "mona", "points.correct", {"account": "luck", "to": to, "why": "so"})
    ).seq


async def until(condition: Callable[[], Awaitable[object] | object]) -> None:
    """Wait for an event of another thread."""
    async with asyncio.timeout(30):
        while True:
            held = condition()
            if await held if isinstance(held, Awaitable) else held:
                return
            await asyncio.sleep(0.005)


def played(
    play: Callable[[SharedTables, SharedTables], Awaitable[None]],
    processes: tuple[SharedTables, SharedTables],
) -> None:
    """Run a test while both processes exchange notifications."""

    async def run() -> None:
        async with keeping_up(*processes):
            await play(*processes)

    asyncio.run(run())


def test_follower_hears_of_other_processes(
    processes: tuple[SharedTables, SharedTables],
) -> None:
    """Records of both processes arrive once, in order, and both fold to the log's table."""

    async def play(one: SharedTables, other: SharedTables) -> None:
        id = await opened(one)
        followers = [Follower(), Follower()]
        first = (await other.look(id)).seq
        for house, follower in zip((one, other), followers, strict=True):
            house.subscribe(id, follower)
        for n in range(12):
            await (one, other)[n % 2].make(id, ("ann", "bo")[n % 2], "table.say", {"text": str(n)})
        log = one.store.read(id)
        for house, follower in zip((one, other), followers, strict=True):
            await until(lambda follower=follower: len(follower.records) >= len(log) - first)  # type: ignore[misc]
            assert log[first:] == follower.records
            assert fold(log) == await house.look(id)

    played(play, processes)


@pytest.mark.slow
def test_last_point_is_spent_once(processes: tuple[SharedTables, SharedTables]) -> None:
    """One of many simultaneous buyers on two processes gets it; others get the reason."""

    async def play(one: SharedTables, other: SharedTables) -> None:
        id = await opened(one)
        for n in range(25):
            last = await luck((one, other)[n % 2], id, 1)
            spends = [
                house.make(id, seat, "fact.add", {"text": f"{n}"})
                for house in (one, other)
                for seat in ("ann", "bo", "ann", "bo")
            ]
            results = await asyncio.gather(*spends, return_exceptions=True)
            assert 1 == len([one for one in results if not isinstance(one, BaseException)])
            codes = [one.refusal.code for one in results if isinstance(one, Refused)]
            assert ["price"] * 7 == codes
            assert 0 == fold(one.store.read(id)).balance("luck")
            assert last < (await other.look(id)).seq

    played(play, processes)


def test_refusal_checks_the_stored_state(
    processes: tuple[SharedTables, SharedTables],
) -> None:
    """The store is checked first, so no refusal uses an outdated table, even unnotified."""

    async def play() -> None:
        one, other = processes
        id = await opened(one)
        await luck(one, id, 0)
        assert 0 == (await other.look(id)).balance("luck")
        await luck(one, id, 1)
        assert 0 == (await other.make(id, "ann", "fact.add", {"text": "x"})).steps[
            -1
        ].after.balance("luck")
        with pytest.raises(Refused):
            await one.make(id, "ann", "fact.add", {"text": "y"})

    asyncio.run(play())


def test_token_works_in_every_process(
    processes: tuple[SharedTables, SharedTables],
) -> None:
    """A command of one process is known to another without notification."""

    async def play() -> None:
        one, other = processes
        id = await opened(one)
        await other.look(id)
        first = await one.make(id, "ann", "fact.add", {"text": "once"}, token="t1")
        again = await other.make(id, "ann", "fact.add", {"text": "once"}, token="t1")
        assert (True, first.records) == (again.repeated, again.records)
        assert 2 == (await other.look(id)).balance("luck")
        both = await asyncio.gather(
            *(
                house.make(id, "ann", "fact.add", {"text": "more"}, token="t2")
                for house in processes
            )
        )
        assert [False, True] == sorted(made.repeated for made in both)
        assert 1 == (await one.look(id)).balance("luck")

    asyncio.run(play())


@pytest.mark.slow
def test_notifications_are_enough(
    processes: tuple[SharedTables, SharedTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listening process informs its followers without polling the store."""
    monkeypatch.setattr(following, "POLL_EVERY_S", 10_000)

    async def play(one: SharedTables, other: SharedTables) -> None:
        id, follower = await opened(one), Follower()
        await other.look(id)
        other.subscribe(id, follower)

        async def heard() -> bool:
            await one.make(id, "ann", "table.say", {"text": "Is anybody there?"})
            await asyncio.sleep(0.1)
            return bool(follower.records)

        await until(heard)
        seq = await luck(one, id, 5)
        await until(lambda: follower.records[-1].seq == seq)

    played(play, processes)


@pytest.mark.slow
def test_polling_finds_missed_notifications(
    processes: tuple[SharedTables, SharedTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a pooler records, closed tables and deletions are found without notifications."""
    monkeypatch.setattr(Notifications, "notify", lambda *given: None)
    monkeypatch.setattr(following, "POLL_EVERY_S", 0.02)

    async def play(one: SharedTables, other: SharedTables) -> None:
        id, follower = await opened(one), Follower()
        other.subscribe(id, follower)
        await other.look(id)
        seq = await luck(one, id, 5)
        await until(lambda: follower.records and follower.records[-1].seq == seq)
        await one.mark(id, "closed", True)

        async def closed() -> bool:
            try:
                await other.make(id, "ann", "table.say", {"text": "x"})
            except Refused:
                return True
            return False

        await until(closed)
        await one.mark(id, "closed", False)
        await other.make(id, "ann", "table.say", {"text": "still here"})
        await one.delete(id)
        await until(lambda: follower.gone)
        with pytest.raises(NoTable):
            await other.look(id)

    played(play, processes)


def test_refusal_is_decided_again(
    processes: tuple[SharedTables, SharedTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reopened table accepts a move, even if that arrives during the check of the refusal."""

    async def play(one: SharedTables, other: SharedTables) -> None:
        id = await opened(one)
        await one.mark(id, "closed", True)
        await other.look(id)
        await one.mark(id, "closed", False)
        ends, loop = other.store.ends, asyncio.get_running_loop()

        async def caught_up() -> None:
            await other.renew(id)
            await other.look(id)

        def slow(tables: Collection[str]) -> object:
            monkeypatch.undo()
            asyncio.run_coroutine_threadsafe(caught_up(), loop).result()
            return ends(tables)

        monkeypatch.setattr(other.store, "ends", slow)
        await other.make(id, "ann", "table.say", {"text": "still here"})

    asyncio.run(play(*processes))


@pytest.mark.slow
def test_rewind_reaches_other_processes(
    processes: tuple[SharedTables, SharedTables],
) -> None:
    """A rewind gives the same table everywhere, even to records that are not in memory."""

    async def play(one: SharedTables, other: SharedTables) -> None:
        id, follower = await opened(one), Follower()
        other.subscribe(id, follower)
        await other.look(id)
        before = (await one.look(id)).seq
        await one.make(id, "ann", "fact.add", {"text": "gone"})
        for _ in range(220):
            await one.make(id, "ann", "table.say", {"text": "x"})
        for to in (before, (await one.look(id)).seq - 3):
            seq = (await one.make(id, "mona", "table.undo", {"to": to})).seq
            await until(lambda seq=seq: follower.records and follower.records[-1].seq == seq)  # type: ignore[misc]
            assert fold(other.store.read(id)) == await other.look(id)

    played(play, processes)


@pytest.mark.slow
def test_grants_reach_other_processes(
    processes: tuple[SharedTables, SharedTables],
) -> None:
    """Watchers in another process hear of new and revoked grants."""
    heard: list[Grant] = []

    async def play(one: SharedTables, other: SharedTables) -> None:
        other.peers.granted = heard.extend
        await asyncio.to_thread(one.store.grant, Grant("h", "session", "t", "ann"))
        await until(lambda: Grant("h", "session", "t", "ann") in heard)
        await asyncio.to_thread(one.store.revoke, 5, hash="h")
        await until(lambda: Grant("h", "session", "t", "ann", revoked=5) in heard)

    played(play, processes)


@pytest.mark.slow
def test_presence_reaches_other_processes(
    processes: tuple[SharedTables, SharedTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats come and go elsewhere too, and those of silent processes go."""
    present: list[frozenset[str]] = []

    async def play(one: SharedTables, other: SharedTables) -> None:
        id = await opened(one)
        other.subscribe(id, Follower())
        other.peers.elsewhere = lambda table_id, seats: present.append(seats)
        one.peers.present(id, ["ann", "bo"])
        await until(lambda: present and present[-1] == {"ann", "bo"})
        one.peers.present(id, ["bo"])
        await until(lambda: present[-1] == {"bo"})
        one.peers.present(id, [])
        await until(lambda: present[-1] == set())
        one.peers.present(id, ["mona"])
        await until(lambda: present[-1] == {"mona"})
        monkeypatch.setattr(one.store, "present", lambda process, changed: None)
        await until(lambda: present[-1] == set())

    played(play, processes)
