"""Snapshots are a cache: a table is the same with, without, foreign or corrupt ones."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import apsw
import pytest

from storypool.engine.events import Record
from storypool.engine.table import Table
from storypool.live import folded, history
from storypool.live.folded import unfold
from storypool.live.history import History
from storypool.live.tables import Tables
from storypool.log import snapshots
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.snapshots import NAME, Snapshots
from storypool.log.store import StoreDamaged
from tests.test_live_tables import NOW, find, table_of_three


class CountingStore(MemoryStore):
    """A store that records its reads."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        self.asked.append(after)
        return super().read(table, after, upto)


async def long_log(house: Tables, n: int, seed: int = 1) -> str:
    """A table with this many moves, some undone at once or long after."""
    chance = random.Random(seed)
    id = await table_of_three(house)
    for number in range(n):
        await house.make(
            id,
            "mona",
            "points.correct",
            {"account": "luck", "to": number % 4, "why": f"for {number}"},
        )
        while chance.random() < 0.3:
            await house.make(id, "mona", "table.undo", {})
        if chance.random() < 0.1:
            await house.make(
                id, "mona", "table.undo", {"to": chance.randrange(12, (await house.look(id)).seq)}
            )
    return id


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep few steps in memory, and make frequent snapshots."""
    monkeypatch.setattr(folded, "MAX_STEPS", 4)
    monkeypatch.setattr(history, "MAX_STEPS", 4)
    monkeypatch.setattr(history, "SNAPSHOT_EVERY", 8)


@pytest.mark.slow
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("seed", range(6))
def test_past_from_snapshots_matches_the_log(seed: int) -> None:
    """Rewinds reach before the nearest snapshot and its predecessor."""
    store = CountingStore()

    async def play() -> str:
        return await long_log(Tables(store, find, lambda sides: 0, lambda: NOW), 60, seed)

    id = asyncio.run(play())
    whole = unfold(store.read(id))
    past = History(store)
    past.newest(id)
    assert len(past.snapshots.before(id, len(whole))) == len(whole) // 8
    newest = past.newest(id)
    assert newest == whole[-len(newest) :]
    assert 4 <= len(newest) < 24
    for after in range(len(whole)):
        upto = min(len(whole), after + 5)
        assert past.steps(id, after, upto) == whole[after:upto]
        assert past.table(id, after) == (whole[after - 1].after if after else Table())


@pytest.mark.usefixtures("often")
def test_played_table_has_snapshots() -> None:
    """A reopened store reads only the last records."""
    store, kept = CountingStore(), Snapshots("memory")

    async def play() -> None:
        house = Tables(store, find, lambda sides: 0, lambda: NOW, snapshots=kept)
        id = await long_log(house, 40)
        table = await house.look(id)
        while len(kept.before(id, table.seq)) < table.seq // 8:
            await asyncio.sleep(0)
        again = Tables(store, find, lambda sides: 0, lambda: NOW, snapshots=kept)
        store.asked.clear()
        assert await again.look(id) == table
        assert min(store.asked) >= table.seq - 24
        await again.delete(id)
        assert kept.before(id, table.seq) == []

    asyncio.run(play())


@pytest.mark.usefixtures("often")
def test_foreign_snapshot_is_not_used(tmp_path: Path) -> None:
    """It has another epoch, folding, record or table, or a changed text."""
    path = tmp_path / NAME
    store = CountingStore()

    async def play() -> str:
        return await long_log(Tables(store, find, lambda sides: 0, lambda: NOW), 30)

    id = asyncio.run(play())
    steps = unfold(store.read(id))
    kept = Snapshots("one", path)
    kept.keep(id, steps[20].record, steps[20].after)
    assert kept.after(id, steps[20].record) == steps[20].after
    assert kept.after("other", steps[20].record) is None
    assert kept.after(id, steps[20].record._replace(at=1)) is None
    assert kept.after(id, steps[21].record) is None
    kept.close()
    assert path.stat().st_mode & 0o077 == 0
    with apsw.Connection(str(path)) as db:
        db.execute("UPDATE snapshots SET seq = 22, record = (SELECT record FROM snapshots)")
    again = Snapshots("one", path)
    assert again.before(id, 100) == [22]
    assert again.after(id, steps[21].record) is None
    again.close()
    assert Snapshots("two", path).before(id, 100) == []


def test_new_version_folds_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older program's folds are dropped; without a module's source none are kept."""
    path = tmp_path / NAME
    record = Record(1, None, "", 0)
    kept = Snapshots("one", path)
    kept.keep("t", record, Table(seq=1))
    kept.close()
    kept = Snapshots("one", path)
    assert kept.after("t", record) == Table(seq=1)
    kept.close()
    monkeypatch.setattr(snapshots, "fold_code_hash", lambda: "another")
    kept = Snapshots("one", path)
    assert kept.after("t", record) is None
    kept.close()


@pytest.mark.parametrize(
    "content", [b"", b"no database", bytes(4096), b"SQLite format 3\0" + bytes(4080)]
)
def test_invalid_snapshot_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    """Nothing is lost, so there is no warning."""
    (tmp_path / NAME).write_bytes(content)
    kept, record = Snapshots("one", tmp_path / NAME), Record(1, None, "", 0)
    kept.keep("t", record, Table(seq=1))
    assert kept.after("t", record) == Table(seq=1)
    kept.close()
    assert kept.after("t", record) is None


def test_table_opens_without_snapshots(tmp_path: Path) -> None:
    """A missing folder acts like an unwritable disk."""
    kept = Snapshots("one", tmp_path / "nowhere" / NAME)
    kept.keep("t", Record(1, None, "", 0), Table(seq=1))
    assert kept.before("t", 5) == []
    kept.forget("t")
    kept.close()


@pytest.mark.usefixtures("often")
def test_change_before_a_snapshot_is_found(tmp_path: Path) -> None:
    """The whole log is checked by its chain at opening, although only its end is folded."""
    store = SqliteStore(tmp_path)
    past = History(store)

    async def play() -> str:
        return await long_log(Tables(store, find, lambda sides: 0, lambda: NOW), 30)

    id = asyncio.run(play())
    past.newest(id)
    assert past.newest(id)[0].record.seq > 8
    store._writer.execute("UPDATE events SET at = 8 WHERE table_id = ? AND seq = 3", (id,))
    with pytest.raises(StoreDamaged, match="3"):
        past.newest(id)
    store.close()
