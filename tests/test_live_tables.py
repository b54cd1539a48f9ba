"""Live tables: one path for all clients, which hear only of stored records."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from storypool.engine.events import Record, Said
from storypool.engine.fold import fold
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.live import cache, folded
from storypool.live.folded import Step
from storypool.live.peers.shared_tables import tables_class
from storypool.live.previews import Preview, previewed
from storypool.live.tables import Tables
from storypool.live.writer import Made
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.shared.postgres import PostgresStore
from storypool.log.store import (
    Answer,
    Append,
    Conflict,
    NoTable,
    Store,
    StoreError,
    StoreFull,
    TokenReused,
)
from storypool.words.languages import ENGLISH, Language
from tests.games.tiny import game as tiny

NOW = 1_700_000_000_000


def find(key: str, language: Language = ENGLISH) -> System:
    """The one game of these tests."""
    if key != "tiny":
        raise LookupError(f"There is no game called “{key}” here.")
    return tiny.SYSTEM


def tables(store: Store) -> Tables:
    """Tables whose dice show their first face and whose clock stands still."""
    return tables_class(store)(store, find, lambda sides: 0, lambda: NOW)


async def table_of_three(house: Tables) -> str:
    """A table with a GM, two players, a session and three points of luck."""
    id = await house.open("tiny", "Coins")
    for name, side in (("Mona", "gm"), ("Ann", "player"), ("Bo", "player")):
        await house.take_seat(id, name, side)  # type: ignore[arg-type]
    await house.make(id, "mona", "session.begin", {})
    await house.make(id, "mona", "points.correct", {"account": "luck", "to": 3, "why": "the start"})
    await house.make(id, "ann", "character.add", {"name": "Ilse"})
    return id


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each kind of store in turn."""
    kept: Store
    match request.param:
        case "memory":
            kept = MemoryStore()
        case "sqlite":
            kept = SqliteStore(tmp_path)
        case _:
            kept = PostgresStore(request.getfixturevalue("database"))
    yield kept
    kept.close()


class Reader:
    """A reader of a table: its received records and its place in the log."""

    def __init__(self, house: Tables, id: str, seq: int) -> None:
        self.house, self.id, self.seq = house, id, seq
        self.heard: list[int] = []
        self.woken = asyncio.Event()

    def stored(self, table_id: str, steps: Sequence[Step]) -> None:
        """Receive records, skipping known ones."""
        assert table_id == self.id
        if news := [step.record.seq for step in steps if step.record.seq > self.seq]:
            self.heard.extend(news)
            self.woken.set()

    def deleted(self, table_id: str) -> None:
        """Receive the deletion of the table."""
        assert table_id == self.id
        self.heard.append(0)

    async def read(self) -> list[int]:
        """The record numbers after its place, which advances."""
        steps = await self.house.steps(self.id, self.seq)
        self.seq = steps[-1].record.seq if steps else self.seq
        return [step.record.seq for step in steps]

    def __enter__(self) -> Reader:
        self.house.subscribe(self.id, self)
        return self

    def __exit__(self, *_: object) -> None:
        self.house.unsubscribe(self.id, self)


class Held(MemoryStore):
    """A store whose commits wait for release or failure; all waiting ones fail together."""

    def __init__(self) -> None:
        super().__init__()
        self.holding = False
        self.waiting: list[tuple[Append, Future[Answer]]] = []
        self.reads = 0

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        self.reads += 1
        return super().read(table, after, upto)

    def submit(self, append: Append) -> Future[Answer]:
        if not self.holding:
            return super().submit(append)
        future: Future[Answer] = Future()
        self.waiting.append((append, future))
        return future

    def release(self, failure: StoreError | None = None) -> None:
        """Commit all waiting appends, or fail with them."""
        waiting, self.waiting = self.waiting, []
        for append, future in waiting:
            try:
                if failure:
                    raise failure
                future.set_result(super().submit(append).result())
            except StoreError as error:
                future.set_exception(error)


async def until(condition: Callable[[], object]) -> None:
    """Yield to others until a condition is true."""
    while not condition():
        await asyncio.sleep(0)


def test_move_is_stored_before_its_answer(store: Store) -> None:
    """When `make` answers, another reader of the store finds the records."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        made = await house.make(id, "ann", "table.say", {"text": "Hello"})
        assert [r.event for r in store.read(id, made.seq - 1)] == [Said("ann", "Hello")]
        assert made.seq == (await house.look(id)).seq == len(store.read(id))
        assert fold(store.read(id)) == await house.look(id)

    asyncio.run(play())


def test_nothing_is_sent_before_it_is_stored() -> None:
    """During the commit neither mover nor reader nor follower hears of the move."""

    async def play() -> None:
        store = Held()
        house = tables(store)
        id = await table_of_three(house)
        before = await house.look(id)
        order: list[str] = []
        with Reader(house, id, before.seq) as reader:

            async def listen() -> None:
                await reader.woken.wait()
                order.append(f"heard {reader.heard[-1] - before.seq}")

            store.holding = True
            listener = asyncio.create_task(listen())
            mover = asyncio.create_task(house.make(id, "ann", "table.say", {"text": "Hello"}))
            mover.add_done_callback(lambda _: order.append("answered"))
            await until(lambda: store.waiting)
            for _ in range(20):
                await asyncio.sleep(0)
            assert (order, reader.heard) == ([], [])
            assert await house.look(id) == before
            assert await house.records(id, before.seq) == []
            store.release()
            await asyncio.gather(listener, mover)
        assert order == ["answered", "heard 2"]

    asyncio.run(play())


def test_failed_commit_refuses_dependent_moves() -> None:
    """Moves decided on it fail too; then the table is read again and continues."""

    async def play() -> None:
        store = Held()
        house = tables(store)
        id = await table_of_three(house)
        before = await house.look(id)
        store.holding = True
        moves = [
            asyncio.create_task(house.make(id, "ann", "fact.add", {"text": f"fact {n}"}))
            for n in range(3)
        ]
        await until(lambda: len(store.waiting) == 3)
        assert next(append.after for append, _ in store.waiting) == before.seq
        assert sorted({append.after for append, _ in store.waiting}) == [
            append.after for append, _ in store.waiting
        ]
        with Reader(house, id, before.seq) as reader:
            store.release(StoreFull("There is no room left."))
            results = await asyncio.gather(*moves, return_exceptions=True)
            assert [StoreFull] * 3 == [type(result) for result in results]
            assert await house.look(id) == before
            assert ([], []) == (reader.heard, await reader.read())
        store.holding = False
        made = await house.make(id, "ann", "fact.add", {"text": "it worked"})
        assert made.records[0].seq == before.seq + 1
        assert (await house.look(id)).balance("luck") == 2

    asyncio.run(play())


def test_refusal_waits_for_its_cause() -> None:
    """A refusal over points that another seat just spent waits until that is stored."""

    async def play(fails: bool) -> type:
        store = Held()
        house = tables(store)
        id = await table_of_three(house)
        await house.make(id, "mona", "points.correct", {"account": "luck", "to": 1, "why": "low"})
        store.holding = True
        first = asyncio.create_task(house.make(id, "ann", "fact.add", {"text": "first"}))
        await until(lambda: store.waiting)
        second = asyncio.create_task(house.make(id, "bo", "fact.add", {"text": "second"}))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not second.done()
        store.holding = False
        store.release(StoreFull("There is no room left.") if fails else None)
        results = await asyncio.gather(first, second, return_exceptions=True)
        return type(results[1])

    assert Refused is asyncio.run(play(fails=False))
    assert Made is asyncio.run(play(fails=True))


def test_simultaneous_spenders_get_right_answers(store: Store) -> None:
    """Of ten who spend three points at once, three succeed and seven are refused."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        tries = [
            house.make(id, ("ann", "bo")[n % 2], "fact.add", {"text": f"fact {n}"})
            for n in range(10)
        ]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert (3, 7) == (
            sum(isinstance(r, Made) for r in results),
            sum(isinstance(r, Refused) for r in results),
        )
        assert {"price"} == {r.refusal.code for r in results if isinstance(r, Refused)}
        assert (await house.look(id)).balance("luck") == 0
        assert fold(store.read(id)) == await house.look(id)

    asyncio.run(play())


def test_foreign_records_are_read_again() -> None:
    """After another process's append the move is decided again and answered correctly."""

    async def play() -> None:
        store = MemoryStore()
        here, there = tables(store), tables(store)
        id = await table_of_three(here)
        await there.look(id)
        await here.make(id, "ann", "table.say", {"text": "from here"})
        made = await there.make(id, "bo", "table.say", {"text": "from there"})
        written = [r.event.text for r in store.read(id) if isinstance(r.event, Said)]
        assert ["from here", "from there"] == written
        assert made.seq == len(store.read(id))

    asyncio.run(play())


def test_repeated_token_gets_the_first_answer(store: Store) -> None:
    """The command runs once, whether repeated at once, later, or after a restart."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        again = [house.make(id, "ann", "fact.add", {"text": "once"}, token="t1") for _ in range(5)]
        made = await asyncio.gather(*again)
        later = await house.make(id, "ann", "fact.add", {"text": "once"}, token="t1")
        restarted = await tables(store).make(id, "ann", "fact.add", {"text": "once"}, token="t1")
        assert {made[0].seq} == {one.seq for one in (*made, later, restarted)}
        assert later.records == restarted.records == made[0].records
        assert (later.repeated, made[0].repeated) == (True, False)
        assert (await house.look(id)).balance("luck") == 2

    asyncio.run(play())


def test_token_precedes_a_new_refusal(store: Store) -> None:
    """A client without its answer learns that its last point was spent, not missing."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        await house.make(id, "mona", "points.correct", {"account": "luck", "to": 1, "why": "low"})
        first = await house.make(id, "ann", "fact.add", {"text": "the last"}, token="t1")
        assert (
            first.records
            == (await house.make(id, "ann", "fact.add", {"text": "the last"}, token="t1")).records
        )

    asyncio.run(play())


def test_token_with_other_contents_is_refused(store: Store) -> None:
    """A token belongs to one command of a seat; another seat may use the same word."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        await house.make(id, "ann", "table.say", {"text": "a"}, token="t1")
        with pytest.raises(TokenReused):
            await house.make(id, "ann", "table.say", {"text": "b"}, token="t1")
        with pytest.raises(TokenReused):
            await house.make(id, "ann", "table.say", {"text": "a"}, token="t1", override=True)
        assert (
            await house.make(id, "bo", "table.say", {"text": "b"}, token="t1")
        ).repeated is False
        # Also where the other command would be refused anyway: the first answer is not an answer to
        # it.
        with pytest.raises(TokenReused):
            await house.make(id, "ann", "table.say", {"text": ""}, token="t1")

    asyncio.run(play())


def test_repeated_token_harms_no_other_move() -> None:
    """Moves decided on the repetition are decided again without reading the table."""

    async def play() -> None:
        store = Held()
        house = tables(store)
        id = await table_of_three(house)
        first = await house.make(id, "ann", "fact.add", {"text": "once"}, token="t1")
        store.holding = True
        again = asyncio.create_task(house.make(id, "ann", "fact.add", {"text": "once"}, token="t1"))
        other = asyncio.create_task(
            house.make(id, "ann", "fact.add", {"text": "another"}, token="t1")
        )
        rider = asyncio.create_task(
            house.make(id, "bo", "table.say", {"text": "on top"}, token="t2")
        )
        await until(lambda: len(store.waiting) == 3)
        before = store.reads
        store.holding = False
        store.release()
        results = await asyncio.gather(again, other, rider, return_exceptions=True)
        assert [Made, TokenReused, Made] == [type(result) for result in results]
        repeated, _, made = results
        assert isinstance(repeated, Made)
        assert isinstance(made, Made)
        assert (True, first.records) == (repeated.repeated, repeated.records)
        assert (False, first.seq + 1) == (made.repeated, made.records[0].seq)
        assert (2, before) == ((await house.look(id)).balance("luck"), store.reads)
        assert fold(store.read(id)) == await house.look(id)

    asyncio.run(play())


def test_refusal_is_not_stored(store: Store) -> None:
    """A refused move leaves no record, and its token can be reused."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        seq = (await house.look(id)).seq
        with pytest.raises(Refused):
            await house.make(id, "ann", "check.roll", {}, token="t1")
        assert seq == (await house.look(id)).seq == len(store.read(id))
        assert (await house.make(id, "ann", "table.say", {"text": "so what"}, token="t1")).seq > seq

    asyncio.run(play())


def test_readers_get_every_record_once(store: Store) -> None:
    """Continuing and notified readers have every record once, in order."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        end = asyncio.Event()
        got: list[list[int]] = [[] for _ in range(4)]

        async def read(mine: list[int], patience: int) -> None:
            while not end.is_set() or len(mine) < (await house.look(id)).seq:
                reader = Reader(house, id, mine[-1] if mine else 0)
                for _ in range(patience):
                    mine.extend(await reader.read())
                    await asyncio.sleep(0)

        readers = [asyncio.create_task(read(mine, n + 1)) for n, mine in enumerate(got)]
        start = (await house.look(id)).seq
        with Reader(house, id, start) as heard:
            await asyncio.gather(
                *(house.make(id, "ann", "table.say", {"text": str(n)}) for n in range(30))
            )
            await asyncio.sleep(0)
        await house.make(id, "ann", "table.say", {"text": "to nobody"})
        end.set()
        await asyncio.gather(*readers)
        every = list(range(1, len(store.read(id)) + 1))
        assert [every] * 4 == got
        assert every[start:-2] == heard.heard

    asyncio.run(play())


def test_old_rewind_is_read_from_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo works however old the last move is, and the kept fold matches the log."""
    monkeypatch.setattr(folded, "MAX_STEPS", 2)

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        for n in range(4):
            await house.make(
                id, "mona", "points.correct", {"account": "luck", "to": n, "why": "set"}
            )
        for _ in range(3):
            await house.make(id, "mona", "table.undo", {})
        assert (await house.look(id)).balance("luck") == 0
        assert fold(store.read(id)) == await house.look(id) == await tables(store).look(id)
        steps = await house.steps(id, 0)
        assert [step.record for step in steps] == store.read(id)

    asyncio.run(play())


def test_idle_tables_do_not_accumulate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unfollowed folds are limited, and any table is read again on demand."""
    monkeypatch.setattr(cache, "MAX_TABLES", 3)

    async def play() -> None:
        house = tables(MemoryStore())
        ids = [await table_of_three(house) for _ in range(6)]
        with Reader(house, ids[0], 0):
            for id in (ids[0], *ids):
                await house.look(id)
            assert len(house._cache.kept) <= 5
            assert ids[0] in house._cache.kept
        assert [11] * 6 == [(await house.look(id)).seq for id in ids]

    asyncio.run(play())


def test_closed_table_refuses_moves(store: Store) -> None:
    """It refuses moves and seats with a sentence until reopened, also after a restart."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        await house.mark(id, "closed", True)
        for one in (house, tables(store)):
            with pytest.raises(Refused, match="closed"):
                await one.make(id, "ann", "table.say", {"text": "hello?"})
            with pytest.raises(Refused, match="closed"):
                await one.take_seat(id, "Cy", "player")
        await house.mark(id, "closed", False)
        assert (await house.make(id, "ann", "table.say", {"text": "hello!"})).records

    asyncio.run(play())


def test_deleted_table_is_gone(store: Store) -> None:
    """It is unknown to movers, readers and followers."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        with Reader(house, id, (await house.look(id)).seq) as reader:
            await house.delete(id)
        assert [0] == reader.heard
        waits: list[Callable[[], Awaitable[Any]]] = [
            lambda: house.look(id),
            lambda: house.make(id, "ann", "table.say", {"text": "hello?"}),
            lambda: house.steps(id, 0),
        ]
        for wait in waits:
            with pytest.raises(NoTable):
                await wait()

    asyncio.run(play())


async def seen(house: Tables, id: str, seat: str, move: str, args: Mapping[str, object]) -> Preview:
    """The effect of a move at the current table."""
    return previewed(await house.system(id), await house.look(id), seat, move, args)


def test_preview_changes_and_rolls_nothing(store: Store) -> None:
    """It shows the future check or the refusal, and leaves the table unchanged."""

    async def play() -> None:
        house = tables(store)
        id = await table_of_three(house)
        before = await house.look(id)
        would = await seen(house, id, "ann", "check.declare", {"as": "ilse", "pool": "2 coin"})
        assert would.refused is None
        assert would.check is not None
        assert dict(would.check.pool) == {"coin": 2}
        assert (await seen(house, id, "ann", "check.roll", {})).refused is not None
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "2 coin"})
        rolls = await seen(house, id, "ann", "check.roll", {})
        assert (rolls.refused, rolls.check) == (None, None)
        assert len(store.read(id)) == (await house.look(id)).seq == before.seq + 2

    asyncio.run(play())


def test_dice_use_the_given_chance(store: Store) -> None:
    """One source gives each face by the die's sides; faces begin at `first`."""

    async def play() -> None:
        asked: list[int] = []

        def last(sides: int) -> int:
            asked.append(sides)
            return sides - 1

        house = Tables(store, find, last, lambda: NOW)
        id = await table_of_three(house)
        await house.make(id, "ann", "check.declare", {"as": "ilse", "pool": "2 coin"})
        await house.make(id, "ann", "check.roll", {})
        rolled = next(iter((await house.look(id)).checks.values())).rolled
        assert ([2, 2], [("coin", 2), ("coin", 2)]) == (asked, [(r.die, r.face) for r in rolled])

    asyncio.run(play())


def test_log_times_never_go_back() -> None:
    """A clock that is set back gives no record a time before the previous one's."""

    async def play() -> None:
        clock = iter(range(NOW, NOW - 1000, -1))
        house = Tables(MemoryStore(), find, lambda sides: 0, lambda: next(clock))
        id = await table_of_three(house)
        times = [record.at for record in await house.records(id)]
        assert sorted(times) == times

    asyncio.run(play())


def test_cancelled_request_still_moves() -> None:
    """A request cancelled during its commit does not lose the table's fold."""

    async def play() -> None:
        store = Held()
        house = tables(store)
        id = await table_of_three(house)
        before = await house.look(id)
        store.holding = True
        for token in (None, "t1"):
            mover = asyncio.create_task(
                house.make(id, "ann", "table.say", {"text": "bye"}, token=token)
            )
            count = len(store.waiting) + 1
            await until(lambda count=count: len(store.waiting) == count)  # type: ignore[misc]
            mover.cancel()
            with pytest.raises(asyncio.CancelledError):
                await mover
        store.holding = False
        store.release()
        await until(lambda: house._cache.kept[id].stored.seq == before.seq + 4)
        assert fold(store.read(id)) == await house.look(id)

    asyncio.run(play())


def test_missing_game_is_named() -> None:
    """A table of an uninstalled game is refused with a sentence."""

    async def play() -> None:
        store = MemoryStore()
        id = await table_of_three(tables(store))
        with pytest.raises(StoreError, match="tiny"):
            await Tables(store, lambda key, language: find(f"no {key}")).look(id)

    asyncio.run(play())


def test_waiting_moves_share_a_commit(tmp_path: Path) -> None:
    """Moves decided during a commit are all submitted before it ends."""

    async def play() -> None:
        store = SqliteStore(tmp_path)
        house = tables(store)
        id = await table_of_three(house)
        gate, entered = threading.Event(), threading.Event()

        def hold(_: object) -> None:
            entered.set()
            gate.wait(10)

        blocked = store._submit(hold)
        entered.wait(10)
        moves = [
            asyncio.create_task(house.make(id, "ann", "table.say", {"text": str(n)}))
            for n in range(20)
        ]
        await until(lambda: store._batches.waiting() == 20)
        gate.set()
        made = await asyncio.gather(*moves)
        blocked.result()
        seqs = [one.seq for one in made]
        assert sorted(seqs) == seqs
        assert len(set(seqs)) == 20
        store.close()

    asyncio.run(play())


def test_endless_conflict_is_refused() -> None:
    """If the log repeatedly changes elsewhere, a sentence ends the move without storing it."""

    async def play() -> None:
        class Restless(MemoryStore):
            def submit(self, append: Append) -> Future[Answer]:
                future: Future[Answer] = Future()
                future.set_exception(Conflict("The table went on meanwhile."))
                return future if append.after > 12 else super().submit(append)

        store = Restless()
        house = tables(store)
        id = await table_of_three(house)
        await house.make(id, "ann", "table.say", {"text": "a"})
        with pytest.raises(Conflict):
            await house.make(id, "ann", "table.say", {"text": "b"})
        assert (await house.look(id)).seq == len(store.read(id)) == 13

    asyncio.run(play())
