"""The store on disk: survival of kills, full disks and damage, with clear errors."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from storypool.engine.events import Event, Said, TableOpened
from storypool.engine.sight import records_of
from storypool.log.disk import database, sqlite_errors
from storypool.log.disk.database import backup, connect, restore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import (
    Answer,
    Append,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNewer,
    StoreReadOnly,
)

OPENED = TableOpened("starwars", "The Long Haul", {})
LINE = Said("s1", "x" * 600)
WRITE = apsw.SQLITE_OPEN_READWRITE


def append(after: int, event: Event = LINE, table: str = "t", token: str = "") -> Append:
    """One record after another; the first opens the table."""
    return Append(
        table, after, records_of([event if after else OPENED], "s1", after, 7), "s1", token
    )


def fill(store: SqliteStore, upto: int) -> None:
    """Records at a table up to this number."""
    for future in [store.submit(append(n)) for n in range(upto)]:
        future.result()


def count(folder: Path) -> int:
    """The record count of table t in a fresh store after a check of every page."""
    with closing(SqliteStore(folder)) as store:
        store.check()
        assert list(range(1, len(store.read("t")) + 1)) == [
            record.seq for record in store.read("t")
        ]
        return len(store.read("t"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store on disk."""
    with closing(SqliteStore(tmp_path)) as store:
        yield store


# How it is opened.


def test_every_setting_is_in_force(store: SqliteStore) -> None:
    """Commits are synced, logs are ahead, references hold, and page checksums are checked."""
    expected = {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1,
        "checksum_verification": "1", "fullfsync": 1,
        "application_id": database.APPLICATION_ID, "user_version": len(database.MIGRATIONS),
    }  # fmt: skip
    for db in (store._writer, store._reader):
        assert expected == {name: db.pragma(name) for name in expected}
        assert 8 == db.reserve_bytes()
    assert b"\x08" == store.path.read_bytes()[20:21]


def test_refused_setting_is_an_error(store: SqliteStore) -> None:
    """A PRAGMA that SQLite ignores stops the opening with a sentence."""
    with pytest.raises(StoreError, match="would not set journal_mode to sideways, it stays wal"):
        database._set(store._writer, "journal_mode", "sideways")


def test_database_without_checksums_is_refused(tmp_path: Path) -> None:
    """A file without page checksums is not opened."""
    with closing(apsw.Connection(str(tmp_path / database.NAME))) as db:
        db.pragma("journal_mode", "wal")
        db.pragma("application_id", database.APPLICATION_ID)
    with pytest.raises(StoreDamaged, match="has no checksums"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize("content", [b"These are the notes of the campaign.\n" * 300, None])
def test_foreign_database_is_refused(tmp_path: Path, content: bytes | None) -> None:
    """Text files and other programs' databases stay unchanged."""
    path = tmp_path / database.NAME
    if content is None:
        with closing(apsw.Connection(str(path))) as db:
            db.execute("CREATE TABLE recipes (name)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match=r"is not a database of Storypool.*move it away"):
        SqliteStore(tmp_path)
    assert before == path.read_bytes()


def test_empty_file_becomes_a_database(tmp_path: Path) -> None:
    """A server killed during the creation does not obstruct the next one."""
    (tmp_path / database.NAME).touch()
    assert 0 == count(tmp_path)


def test_second_opener_reads_the_owner(tmp_path: Path) -> None:
    """One store owns the folder until closed; others read its process and address."""
    first = SqliteStore(tmp_path, "http://table.example:8000")
    with pytest.raises(
        StoreBusy,
        match=f"in use by process {os.getpid()} since 2.*, at http://table.example:8000: stop",
    ) as busy:
        SqliteStore(tmp_path)
    assert "http://table.example:8000" == busy.value.address
    first.lock.publish("http://table.example:9000")
    with pytest.raises(StoreBusy, match="9000"):
        SqliteStore(tmp_path)
    first.close()
    SqliteStore(tmp_path).close()


def test_closed_store_says_so(store: SqliteStore) -> None:
    """Closing keeps submitted appends, may be repeated, and refuses everything later."""
    future = store.submit(append(0))
    store.close()
    store.close()
    assert 1 == future.result().seq
    for work in (lambda: store.submit(append(1)), lambda: store.read("t")):
        with pytest.raises(StoreError, match="is closed"):
            work()


# One commit for all who wait.


@contextmanager
def held(store: SqliteStore) -> Iterator[None]:
    """A pause of the writer's commit during the body, so that new appends wait together."""
    started, go = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        started.set()
        go.wait(30)

    holding = store._submit(wait)
    assert started.wait(30)
    yield
    go.set()
    holding.result()


def test_waiting_moves_share_a_commit(store: SqliteStore) -> None:
    """They share the next commit, and none is answered before it ends."""
    commits: list[bool] = []
    futures: list[Future[Answer]] = []

    def committing() -> bool:
        commits.append(any(future.done() for future in futures))
        return False

    with held(store):
        store._writer.set_commit_hook(committing)
        futures += [store.submit(append(n)) for n in range(50)]
    assert list(range(1, 51)) == [future.result().seq for future in futures]
    # The one that was held, and one for the fifty.
    assert [False, False] == commits


def test_failed_commit_refuses_all_its_moves(store: SqliteStore) -> None:
    """No client gets a success, nothing is kept, and the next commit works."""
    fill(store, 1)
    with held(store):
        futures = [store.submit(append(1)), store.submit(append(0, table="u"))]
        failing = iter([False, True])
        store._writer.set_commit_hook(lambda: next(failing))
    for future in futures:
        assert isinstance(future.exception(), StoreError)
    assert futures[0].exception() is not futures[1].exception()
    assert (1, 0) == (len(store.read("t")), len(store.read("u")))
    store._writer.set_commit_hook(None)
    assert 2 == store.append(append(1)).seq


def test_failing_move_takes_back_only_itself(store: SqliteStore) -> None:
    """A refused move's writes are undone, and its neighbours in the commit stay."""

    def half(db: apsw.Connection) -> None:
        db.execute("INSERT INTO grants VALUES ('h', 'link', 't', '', 'gm', '', 1, 0)")
        raise KeyError("half")

    with held(store):
        before, refused, after = (
            store.submit(append(0)),
            store._submit(half),
            store.submit(append(1)),
        )
    assert (1, 2) == (before.result().seq, after.result().seq)
    assert isinstance(refused.exception(), KeyError)
    assert [] == store.grants()


def test_cancelled_move_is_not_written(store: SqliteStore) -> None:
    """A future cancelled before its commit leaves no record, and others are kept."""
    with held(store):
        off, on = store.submit(append(0)), store.submit(append(0, table="u"))
        assert off.cancel()
    assert 1 == on.result().seq
    assert [] == store.read("t")


# Survival.

CHILD = """
import sys
from pathlib import Path
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Append
from storypool.engine.events import Said, TableOpened
from storypool.engine.sight import records_of

store, n = SqliteStore(Path(sys.argv[1])), 0
while True:
    futures = []
    for after in range(n, n + 7):
        event = Said("s1", f"record {after + 1}") if after else TableOpened("starwars", "", {})
        records = records_of([event], "s1", after, 7)
        futures.append(store.submit(Append("t", after, records, "s1", str(after))))
    for future in futures:
        print(future.result().seq, flush=True)
    n += 7
"""


def test_kill_during_writing(tmp_path: Path) -> None:
    """After kill -9 acknowledged records are there once, and repeated commands add nothing."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child.stdout as output:
        acknowledged = [next(output) for _ in range(300)]
        child.send_signal(signal.SIGKILL)
        acknowledged += [line for line in output if line.endswith("\n")]
    child.wait()
    last = int(acknowledged[-1])
    assert list(range(1, last + 1)) == [int(line) for line in acknowledged]
    kept = count(tmp_path)
    assert kept >= last >= 300
    with closing(SqliteStore(tmp_path)) as store:
        assert [f"record {n}" for n in range(2, kept + 1)] == [
            record.event.text for record in store.read("t") if isinstance(record.event, Said)
        ]
        repeated = Append("t", last - 1, records_of([LINE], "s1", last - 1, 7), "s1", str(last - 1))
        assert Answer(last, "", "", repeated=True) == store.append(repeated)
        assert kept == len(store.read("t"))


def test_every_flipped_byte_is_found(tmp_path: Path) -> None:
    """All of 40 databases with one flipped byte are found to be damaged."""
    with closing(SqliteStore(tmp_path / "whole")) as store:
        fill(store, 300)
    whole = (tmp_path / "whole" / database.NAME).read_bytes()
    assert len(whole) > 40 * 4096
    chance, seen = random.Random(8), 0
    for n in range(40):
        folder = tmp_path / str(n)
        folder.mkdir()
        place, flip = chance.randrange(len(whole)), chance.randrange(1, 256)
        (folder / database.NAME).write_bytes(
            whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :]
        )
        try:
            count(folder)
        except StoreDamaged as error:
            seen += "restore the last backup" in str(error)
    assert 40 == seen


def test_damage_in_play_does_not_spread(tmp_path: Path) -> None:
    """A table on a damaged page gets a sentence, and sound pages can still be read."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, 200)
    path = tmp_path / database.NAME
    content = bytearray(path.read_bytes())
    place = content.index(b"x" * 600, 40 * 4096)
    content[place] ^= 1
    path.write_bytes(content)
    with closing(SqliteStore(tmp_path)) as store:
        with pytest.raises(StoreDamaged, match=r"is damaged.*restore the last backup"):
            store.read("t")
        with pytest.raises(StoreDamaged):
            store.check()
        assert ["t"] == [listing.id for listing in store.listings()]
        assert 1 == store.read("t", upto=1)[0].seq


def fill_until_full(store: SqliteStore) -> int:
    """The number of acknowledged records before the room ends."""
    for acknowledged in range(10_000):
        try:
            store.append(append(acknowledged))
        except StoreFull as error:
            sentence = str(error)
            break
    else:
        pytest.fail("This place never gets full.")
    assert "no room left" in sentence
    assert "free some space and try again. All that was acknowledged before is safe." in sentence
    return acknowledged


def test_full_database_loses_nothing(tmp_path: Path) -> None:
    """At its size limit the move is refused, the rest stays, and room continues it."""
    with closing(SqliteStore(tmp_path, max_bytes=200_000)) as store:
        acknowledged = fill_until_full(store)
        assert 0 < acknowledged == len(store.read("t"))
    assert acknowledged == count(tmp_path)
    with closing(SqliteStore(tmp_path)) as store:
        assert acknowledged + 1 == store.append(append(acknowledged)).seq


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a small disk"
)
def test_full_disk_loses_nothing(tmp_path: Path) -> None:
    """A move without room is refused; acknowledged ones stay, and room continues it."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "storypool-test", str(tmp_path)]
    if (tried := subprocess.run(mount, capture_output=True, text=True)).returncode:
        pytest.skip(f"this system lets nobody mount a small disk: {tried.stderr.strip()}")
    try:
        (ballast := tmp_path / "ballast").write_bytes(bytes(300_000))
        with closing(SqliteStore(tmp_path)) as store:
            acknowledged = fill_until_full(store)
            assert 0 < acknowledged == len(store.read("t"))
            ballast.unlink()
            assert acknowledged + 1 == store.append(append(acknowledged)).seq
        assert acknowledged + 1 == count(tmp_path)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


@contextmanager
def without_rights() -> Iterator[Path]:
    """An unprivileged user during the body, since root ignores permissions."""
    with tempfile.TemporaryDirectory() as name:
        root = os.geteuid() == 0
        os.chmod(name, 0o777)
        if root:
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            if root:
                os.seteuid(0)
            os.chmod(name, 0o777)


@pytest.mark.skipif(sys.platform == "win32", reason="rights are another thing on Windows")
def test_read_only_folder_is_reported(tmp_path: Path) -> None:
    """An unwritable folder or database is refused with reason and remedy."""
    SqliteStore(tmp_path).close()
    with without_rights() as folder:
        (inner := folder / "data").mkdir()
        inner.chmod(0o555)
        for place in (inner, inner / "new"):
            with pytest.raises(
                StoreReadOnly,
                match=r"cannot be written \(Permission denied\): give this user the right",
            ):
                SqliteStore(place)
        inner.chmod(0o755)
        SqliteStore(inner).close()
        (inner / database.NAME).chmod(0o444)
        with pytest.raises(StoreReadOnly, match="cannot be written: give this user the right"):
            SqliteStore(inner)


def test_file_as_folder_is_reported(tmp_path: Path) -> None:
    """An impossible data folder is refused with a sentence."""
    (tmp_path / "data").touch()
    with pytest.raises(StoreReadOnly, match="cannot be written"):
        SqliteStore(tmp_path / "data")


def test_locked_database_is_reported(store: SqliteStore) -> None:
    """A move blocked by another program's lock is refused and can be repeated."""
    fill(store, 1)
    store._writer.set_busy_timeout(0)
    with closing(connect(store.path, WRITE)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="locked by another program: close that one"):
            store.append(append(1))
        other.execute("ROLLBACK")
    assert 2 == store.append(append(1)).seq


# Versions.


def test_newer_database_is_refused(tmp_path: Path) -> None:
    """It is refused with a sentence, and unchanged."""
    SqliteStore(tmp_path).close()
    path = tmp_path / database.NAME
    with closing(connect(path, WRITE)) as db:
        db.pragma("user_version", 99)
    before = path.read_bytes()
    for attempt in (lambda: SqliteStore(tmp_path), lambda: restore(path, tmp_path / "other")):
        with pytest.raises(
            StoreNewer, match=r"newer Storypool.*schema 99, and this one knows 3.*newest version"
        ):
            attempt()
    assert before == path.read_bytes()


COLOURS = (
    "CREATE TABLE colours (id TEXT) STRICT; INSERT INTO colours SELECT id || ' is green' FROM"
    " tables;"
)


def test_older_database_is_copied_and_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer program keeps all data, and makes a whole copy for the older one."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, 3)
        records = store.read("t")
    with monkeypatch.context() as newer:
        newer.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, COLOURS))
        for _ in range(2):
            with closing(SqliteStore(tmp_path)) as store:
                assert records == store.read("t")
                assert 4 == store._reader.pragma("user_version")
                assert "t is green" == store._reader.execute("SELECT id FROM colours").get
    with pytest.raises(StoreNewer):
        SqliteStore(tmp_path)
    restore(tmp_path / f"{database.NAME}.v3", tmp_path / "older")
    assert 3 == count(tmp_path / "older")
    assert [f"{database.NAME}.v3"] == [path.name for path in tmp_path.glob("*.v*")]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("INSERT INTO no_such_place VALUES (1)", ".*no_such_place.*"),
        ("UPDATE events SET at = at + 1", "it would not be whole"),
    ],
)
def test_failed_upgrade_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, why: str
) -> None:
    """After a failure half-way the older program continues with the unchanged database."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, 3)
    with monkeypatch.context() as newer:
        newer.setattr(
            database,
            "MIGRATIONS",
            (*database.MIGRATIONS, COLOURS, step),
        )
        with pytest.raises(
            StoreError,
            match=rf"from version 3 to 5 \({why}\)\. It is unchanged, and a copy is .*\.v3: go on",
        ) as refused:
            SqliteStore(tmp_path)
        assert "restore" not in str(refused.value)
    assert 3 == count(tmp_path)


# Backup and restore.


def test_backup_of_a_live_store(store: SqliteStore, tmp_path: Path) -> None:
    """One file has everything acknowledged before it despite moves, and finds damage."""
    fill(store, 100)
    futures = [store.submit(append(n)) for n in range(100, 200)]
    target = tmp_path / "evening.backup"
    backup(store.path, target)
    for future in futures:
        future.result()
    assert [target] == list(tmp_path.glob("*.backup*"))
    assert restore(target, tmp_path / "new") is None
    assert 100 <= count(tmp_path / "new") <= 200
    assert 200 == len(store.read("t"))
    content = bytearray(target.read_bytes())
    content[len(content) // 2] ^= 4
    target.write_bytes(content)
    with pytest.raises(StoreDamaged):
        restore(target, tmp_path / "newer")
    assert [] == list((tmp_path / "newer").glob(f"{database.NAME}*"))


def test_backup_replaces_nothing(store: SqliteStore, tmp_path: Path) -> None:
    """It needs a free name and an existing database, or leaves nothing."""
    target = tmp_path / "evening.backup"
    target.write_text("precious")
    with pytest.raises(StoreError, match="already there: choose another name"):
        backup(store.path, target)
    assert "precious" == target.read_text()
    with pytest.raises(StoreError, match="no database at"):
        backup(tmp_path / "nowhere.db", tmp_path / "b")
    with pytest.raises(StoreError, match="cannot be written"):
        backup(store.path, tmp_path / "nowhere" / "b")
    assert not (tmp_path / "nowhere.db").exists()
    assert [] == list(tmp_path.glob("*.part*"))


def test_log_with_a_gap_is_damaged(store: SqliteStore, tmp_path: Path) -> None:
    """A missing record is found, and not backed up."""
    fill(store, 3)
    with closing(connect(store.path, WRITE)) as other:
        other.execute("DELETE FROM events WHERE seq = 2")
    with pytest.raises(StoreDamaged):
        store.check()
    with pytest.raises(StoreDamaged):
        backup(store.path, tmp_path / "b")
    assert not (tmp_path / "b").exists()


@pytest.mark.slow
def test_restore_keeps_the_old_data(tmp_path: Path) -> None:
    """The folder equals the backup in another epoch, with the old data next to it."""
    saved = tmp_path / "saved"
    with closing(SqliteStore(tmp_path / "data")) as store:
        fill(store, 3)
        backup(store.path, saved)
        store.append(append(3))
        epochs = {store.epoch}
        with pytest.raises(StoreBusy, match="in use by process"):
            restore(saved, tmp_path / "data")
    for number in (1, 2):
        kept = restore(saved, tmp_path / "data")
        assert kept is not None
        with closing(SqliteStore(tmp_path / "data")) as store:
            epochs.add(store.epoch)
            assert (3, number + 1) == (len(store.read("t")), len(epochs))
            store.append(append(3))
        restore(kept, tmp_path / f"kept {number}")
        assert 4 == count(tmp_path / f"kept {number}")
    with pytest.raises(StoreError, match="no backup at"):
        restore(tmp_path / "nowhere", tmp_path / "data")


def test_restore_over_a_damaged_database(tmp_path: Path) -> None:
    """An unreadable database does not prevent it, and its files are kept."""
    saved, data = tmp_path / "saved", tmp_path / "data"
    with closing(SqliteStore(data)) as store:
        fill(store, 30)
        backup(store.path, saved)
    broken = (data / database.NAME).read_bytes()[:5000]
    (data / database.NAME).write_bytes(broken)
    kept = restore(saved, data)
    assert kept is not None
    assert broken == kept.read_bytes()
    assert 30 == count(data)


def test_damaged_backup_changes_nothing(tmp_path: Path) -> None:
    """An incomplete backup is refused before anything is replaced."""
    saved, data = tmp_path / "saved", tmp_path / "data"
    with closing(SqliteStore(data)) as store:
        fill(store, 30)
        backup(store.path, saved)
        store.append(append(30))
    shutil.copy(saved, tmp_path / "copy")
    os.truncate(saved, saved.stat().st_size // 2)
    (tmp_path / "copy").write_text("no database at all")
    for bad in (saved, tmp_path / "copy"):
        with pytest.raises(StoreDamaged):
            restore(bad, data)
    assert 31 == count(data)
    assert [database.NAME] == [path.name for path in data.glob(f"{database.NAME}*")]


def test_disk_error_is_one_sentence(tmp_path: Path) -> None:
    """Each SQLite error becomes a sentence with a remedy and without a code."""
    errors: list[tuple[Callable[[], Exception], type[StoreError]]] = [
        (lambda: apsw.exception_for(apsw.SQLITE_IOERR_DATA), StoreDamaged),
        (lambda: apsw.exception_for(apsw.SQLITE_CORRUPT), StoreDamaged),
        (lambda: apsw.exception_for(apsw.SQLITE_FULL), StoreFull),
        (lambda: apsw.exception_for(apsw.SQLITE_READONLY), StoreReadOnly),
        (lambda: apsw.exception_for(apsw.SQLITE_BUSY), StoreBusy),
        (lambda: apsw.exception_for(apsw.SQLITE_IOERR_FSYNC), StoreError),
        (lambda: RuntimeError("odd"), StoreError),
    ]
    for error, expected in errors:
        described = sqlite_errors.store_error(error(), tmp_path / "x.db")
        assert expected is type(described)
        assert "x.db" in str(described)
        assert ": " in str(described)
