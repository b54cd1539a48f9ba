"""A read-only folder shows all acknowledged records, and no file changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from storypool.cli import main
from storypool.log.disk import database
from storypool.log.disk.lock import NAME as LOCK
from storypool.log.disk.reading import ReadingStore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import (
    Grant,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreLost,
    StoreNewer,
    StoreReadOnly,
)
from storypool.words import Phrase
from tests.test_log_sqlite import without_rights
from tests.test_log_witness import LOGS, WAL, appended, expected, fill, texts

pytestmark = pytest.mark.slow

FULL = StoreFull(Phrase("log.full", path="there"))
READ_ONLY = StoreReadOnly(Phrase("log.read_only", path="there"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A killed server's folder: 40 records in the database, 20 in the WAL, and a link."""
    with closing(SqliteStore(tmp_path / "live")) as store:
        fill(store, "a", 1, 40)
        store._writer.pragma("wal_checkpoint", "truncate")
        fill(store, "a", 41, 60)
        store.grant(Grant("0" * 64, "session", "a", "s1"))
        shutil.copytree(tmp_path / "live", tmp_path / "killed")
    (tmp_path / "killed" / f"{database.NAME}-shm").unlink()
    return tmp_path / "killed"


@pytest.fixture(params=["killed", "closed"])
def left(request: pytest.FixtureRequest, folder: Path) -> Path:
    """That folder as it is, or after another start and stop of the server."""
    if request.param == "closed":
        SqliteStore(folder).close()
        assert not (folder / WAL).exists()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every nonempty file, except the lock with its owner and SQLite's temporary files."""
    files = [file for file in folder.iterdir() if file.name not in (LOCK, f"{database.NAME}-shm")]
    return {file.name: content for file in files if (content := file.read_bytes())}


def all_is_there(store: ReadingStore) -> bool:
    """Whether all acknowledged records can be read."""
    stored = texts(store, "a")  # type: ignore[arg-type]
    return expected("a", 60) == stored and ["s1"] == [g.seat for g in store.grants(table="a")]


def test_everything_is_read_without_writing(left: Path) -> None:
    """Logs, listings and links, also from the write-ahead log, leave every file unchanged."""
    before = contents(left)
    with closing(ReadingStore(left, FULL)) as store:
        assert all_is_there(store)
        assert ["a"] == [listing.id for listing in store.listings()]
        with pytest.raises(StoreBusy):
            SqliteStore(left)
    assert before == contents(left)
    with closing(SqliteStore(left)) as again:
        assert expected("a", 60) == texts(again, "a")


WRITES: list[Callable[[ReadingStore], object]] = [
    lambda store: store.submit(appended("a", 60)),
    lambda store: store.append(appended("b", 0)),
    lambda store: store.mark("a", "closed", 5),
    lambda store: store.delete("a", 5),
]


@pytest.mark.parametrize(
    ("error", "why"), [(FULL, "The disk of this server is full"), (READ_ONLY, "may not write")]
)
def test_every_write_is_refused(folder: Path, error: StoreFull | StoreReadOnly, why: str) -> None:
    """The sentence is for players, and has no path of the server."""
    with closing(ReadingStore(folder, error)) as store:
        for write in WRITES:
            with pytest.raises(
                type(error), match=f"{why}.*tables can be read and exported"
            ) as refused:
                write(store)
            assert "there" not in str(refused.value)


def test_new_links_last_until_closing(folder: Path) -> None:
    """Old and new links work; grants and revocations made meanwhile are forgotten."""
    with closing(ReadingStore(folder, FULL)) as store:
        store.grant(Grant("1" * 64, "session", "a", "s2"))
        assert 1 == store.revoke(5, hash="0" * 64)
        assert [("0", 5), ("1", 0)] == [
            (grant.hash[0], grant.revoked) for grant in store.grants(table="a")
        ]
    with closing(ReadingStore(folder, FULL)) as store:
        assert [("0", 0)] == [(grant.hash[0], grant.revoked) for grant in store.grants(table="a")]


def test_lost_data_are_not_served_read_only(folder: Path) -> None:
    """A folder without acknowledged records or of a newer version is refused as usual."""
    content = (folder / WAL).read_bytes()
    (folder / WAL).write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreLost):
        ReadingStore(folder, FULL)
    (folder / WAL).write_bytes(content)
    with closing(SqliteStore(folder)) as store:
        store._writer.pragma("user_version", 99)
    with pytest.raises(StoreNewer):
        ReadingStore(folder, FULL)


def test_unreadable_folder_gives_the_first_error(tmp_path: Path) -> None:
    """With no database, or an older one, the error is that of the attempt to write."""
    with pytest.raises(StoreFull, match="no room left for there"):
        ReadingStore(tmp_path, FULL)
    shutil.copy(LOGS / "store-v1.db", tmp_path / database.NAME)
    with pytest.raises(StoreReadOnly, match="there cannot be written"):
        ReadingStore(tmp_path, READ_ONLY)
    assert [] == [file.name for file in tmp_path.iterdir() if file.name != database.NAME]


@pytest.mark.skipif(sys.platform == "win32", reason="rights are another thing on Windows")
def test_read_only_folder_is_read(left: Path) -> None:
    """The user can read the folder and its files, but write none of them."""
    kept = contents(left) | {LOCK: b""}
    with without_rights() as outer:
        (place := outer / "data").mkdir()
        for name, content in kept.items():
            (place / name).write_bytes(content)
            (place / name).chmod(0o444)
        place.chmod(0o555)
        with pytest.raises(StoreReadOnly) as refused:
            SqliteStore(place)
        with closing(ReadingStore(place, refused.value)) as store:
            assert all_is_there(store)
        assert kept == contents(place) | {LOCK: b""}
        place.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="rights are another thing on Windows")
def test_terminal_reads_a_read_only_folder(left: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Check, list and export need no write permission; other commands give the reason."""
    kept = contents(left) | {LOCK: b""}
    with without_rights() as outer:
        (place := outer / "data").mkdir()
        for name, content in kept.items():
            (place / name).write_bytes(content)
            (place / name).chmod(0o444)
        place.chmod(0o555)
        try:
            for command, answer in (
                ("check", '"n": 60'),
                ("table list", '"id": "a"'),
                ("table export a", "file"),
            ):
                file = [str(outer / "a.jsonl")] if "export" in command else []
                assert 0 == main([*command.split(), *file, "--data", str(place), "--json"]), (
                    capsys.readouterr().out
                )
                assert answer in capsys.readouterr().out
            assert b"a record 60" in (outer / "a.jsonl").read_bytes()
            assert main(["table", "link", "a", "--data", str(place), "--json"])
            assert "cannot be written (Permission denied)" in capsys.readouterr().out
        finally:
            place.chmod(0o755)


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "storypool-test", str(place)]
    if (tried := subprocess.run(mount, capture_output=True, text=True)).returncode:
        pytest.skip(f"this system lets nobody mount a small disk: {tried.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a small disk"
)
def test_full_disk_is_read(left: Path, tmp_path: Path) -> None:
    """Without a free byte the folder is read only; with room it continues."""
    (tmp_path / "disk").mkdir()
    with small_disk(tmp_path / "disk") as disk:
        shutil.copytree(left, place := disk / "data")
        before = contents(place)
        with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(4096)):
                pass
        with pytest.raises(StoreError) as refused:
            SqliteStore(place)
        assert isinstance(refused.value, StoreFull)
        with closing(ReadingStore(place, refused.value)) as store:
            assert all_is_there(store)
        assert before == contents(place)
        (disk / "ballast").unlink()
        with closing(SqliteStore(place)) as again:
            fill(again, "a", 61, 61)
            assert expected("a", 61) == texts(again, "a")
