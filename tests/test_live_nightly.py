"""Nightly backups: complete, atomic, kept for some nights, with reported failures."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import apsw
import pytest

from storypool.live import nightly
from storypool.live.nightly import LOOK_EVERY_S, Nightly
from storypool.log.disk import database
from storypool.log.disk.database import connect, restore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import StoreError
from tests.test_log_witness import expected, fill, texts


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store in use, with a table."""
    with closing(SqliteStore(tmp_path / "data")) as kept:
        fill(kept, "a", 1, 20)
        yield kept


def at(*when: int) -> datetime:
    """A time of day."""
    return datetime(*when, tzinfo=UTC)  # type: ignore[misc,arg-type]


NOON = at(2026, 3, 5, 12)


def backups(store: SqliteStore, folder: Path, days: int = 3, now: datetime = NOON) -> Nightly:
    """Backups of a store into a folder at this time of day."""
    return Nightly(store.path, folder, days, now=lambda: now)


def names(folder: Path) -> list[str]:
    """The files of a folder."""
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize(
    ("now", "night"),
    [
        (at(2026, 3, 5, 3, 59), date(2026, 3, 4)),
        (at(2026, 3, 5, 4, 0), date(2026, 3, 5)),
        (at(2026, 3, 5, 23, 0), date(2026, 3, 5)),
        (at(2027, 1, 1, 0, 0), date(2026, 12, 31)),
    ],
)
def test_night_ends_at_four(store: SqliteStore, tmp_path: Path, now: datetime, night: date) -> None:
    """An evening after midnight is in the same night's backup."""
    assert night == backups(store, tmp_path, now=now).night()


def test_backup_is_complete_and_restorable(store: SqliteStore, tmp_path: Path) -> None:
    """One private file has everything, and is made only once a night."""
    keeps = backups(store, folder := tmp_path / "far" / "away")
    file = keeps.back_up(keeps.night())
    assert file == folder / "storypool-2026-03-05.db"
    assert ["storypool-2026-03-05.db"] == names(folder)
    if os.name != "nt":
        assert (0o700, 0o600) == (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777)
    fill(store, "a", 21, 22)
    assert keeps.back_up(keeps.night()) is None
    restore(file, tmp_path / "other")
    with closing(SqliteStore(tmp_path / "other")) as other:
        assert expected("a", 20) == texts(other, "a")


@pytest.mark.slow
def test_last_nights_are_kept(store: SqliteStore, tmp_path: Path) -> None:
    """The last few old backups stay; other files and wrongly dated ones are untouched."""
    folder = tmp_path / "kept"
    folder.mkdir()
    others = ["notes.txt", "storypool-2099-01-01.db", "storypool.db", "storypool-2026-02-01.db.old"]
    for name in (*others, "storypool-2026-03-05.db.part", "storypool-2026-03-04.db.part-2"):
        (folder / name).touch()
    for day in range(1, 7):
        keeps = backups(store, folder, 3, at(2026, 3, day, 12))
        assert keeps.back_up(keeps.night()) is not None
    assert sorted([*others, *(f"storypool-2026-03-0{day}.db" for day in (4, 5, 6))]) == names(
        folder
    )


@pytest.mark.slow
def test_failed_backup_leaves_nothing(
    store: SqliteStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Damage or a full disk leaves no named file, keeps older ones, and is reported."""
    reports = list[StoreError | None]()
    keeps = Nightly(
        store.path, folder := tmp_path / "kept", 1, reports.append, lambda: at(2026, 3, 5, 12)
    )
    earlier = backups(store, folder, 1, at(2026, 3, 4, 12))
    earlier.back_up(earlier.night())
    with monkeypatch.context() as damaged:
        damaged.setattr(database, "check", _fails)
        assert False is asyncio.run(keeps.back_up_if_due())
    assert ["storypool-2026-03-04.db"] == names(folder)
    assert "the copy is not whole" in str(reports[0])
    assert "The backup of 2026-03-05 failed: the copy is not whole" in caplog.text
    assert True is asyncio.run(keeps.back_up_if_due())
    assert (2, None) == (len(reports), reports[-1])
    assert ["storypool-2026-03-05.db"] == names(folder)


def _fails(*_: object) -> None:
    raise StoreError("the copy is not whole")


def test_impossible_folder_is_reported(store: SqliteStore, tmp_path: Path) -> None:
    """The failure is reported, and the server continues."""
    (tmp_path / "file").touch()
    reports = list[StoreError | None]()
    keeps = Nightly(store.path, tmp_path / "file" / "kept", 1, reports.append)
    assert False is asyncio.run(keeps.back_up_if_due())
    assert "cannot be written" in str(reports[0])


def test_moves_continue_during_a_backup(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread than the event loop's writes it, and the store accepts moves."""
    threads, began, go_on = list[int](), threading.Event(), threading.Event()

    def held(source: Path, target: Path) -> None:
        threads.append(threading.get_ident())
        began.set()
        go_on.wait(60)
        database.backup(source, target)

    monkeypatch.setattr(nightly, "backup", held)
    keeps = backups(store, folder := tmp_path / "kept")

    async def night() -> None:
        writing = asyncio.create_task(keeps.back_up_if_due())
        await asyncio.to_thread(began.wait, 60)
        fill(store, "a", 21, 30)
        go_on.set()
        assert await writing

    asyncio.run(night())
    assert threading.get_ident() not in threads
    with closing(connect(folder / "storypool-2026-03-05.db", apsw.SQLITE_OPEN_READONLY)) as db:
        assert 30 == db.execute("SELECT count(*) FROM events").get


@pytest.mark.slow
def test_every_night_has_its_backup(store: SqliteStore, tmp_path: Path) -> None:
    """A running server backs up each night, and only checks the clock in between."""
    time, slept = [at(2026, 3, 5, 3, 50)], list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        time[0] = time[0].replace(day=5 + len(slept) // 3, hour=4 * (len(slept) % 3))
        if len(slept) == 9:
            raise asyncio.CancelledError

    keeps = Nightly(store.path, folder := tmp_path / "kept", 9, now=lambda: time[0], sleep=sleep)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(keeps.run())
    assert [f"storypool-2026-03-0{day}.db" for day in (4, 5, 6, 7)] == names(folder)
    assert {LOOK_EVERY_S} == set(slept)
