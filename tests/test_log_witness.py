"""Lost acknowledged records are found and named, and never served as a whole log."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from storypool.cli.group import storypool
from storypool.engine.events import Said, TableOpened
from storypool.engine.sight import records_of
from storypool.log.disk import database, witness
from storypool.log.disk.database import backup, connect, restore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.export import BadFile, export_lines, import_records
from storypool.log.store import Append, Grant, Lost, StoreDamaged, StoreError, StoreFull, StoreLost
from storypool.words.languages import Languages

pytestmark = pytest.mark.slow

WAL = f"{database.NAME}-wal"
LOGS = Path(__file__).parent / "logs"


def appended(table: str, after: int) -> Append:
    """One record after another, each with its own text; the first opens the table."""
    event = (
        Said("s1", f"{table} record {after + 1} " + "x" * 200)
        if after
        else TableOpened("starwars", table, {})
    )
    return Append(table, after, records_of([event], "s1", after, 7), "s1")


def fill(store: SqliteStore, table: str, first: int, last: int) -> None:
    """Records of a table between two numbers, each acknowledged before the next."""
    for after in range(first - 1, last):
        store.append(appended(table, after))


def texts(store: SqliteStore, table: str) -> list[str]:
    """The texts of a table."""
    return [record.event.text for record in store.read(table) if isinstance(record.event, Said)]


def expected(table: str, last: int) -> list[str]:
    """The texts of a table up to this record."""
    return [f"{table} record {n} " + "x" * 200 for n in range(2, last + 1)]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A killed server's folder: 40 records in the database, and 40 of two tables in the WAL."""
    with closing(SqliteStore(tmp_path / "live")) as store:
        fill(store, "a", 1, 40)
        store._writer.pragma("wal_checkpoint", "truncate")
        fill(store, "a", 41, 60)
        fill(store, "b", 1, 20)
        shutil.copytree(tmp_path / "live", tmp_path / "killed")
    (tmp_path / "killed" / f"{database.NAME}-shm").unlink(missing_ok=True)
    assert (tmp_path / "killed" / WAL).stat().st_size > 40 * 4096
    return tmp_path / "killed"


def whole(folder: Path) -> bool:
    """Whether all acknowledged records are there; a `StoreDamaged` denies it."""
    with closing(SqliteStore(folder)) as store:
        return (expected("a", 60), expected("b", 20)) == (texts(store, "a"), texts(store, "b"))


def test_killed_server_loses_nothing(killed: Path) -> None:
    """An undamaged folder opens with all acknowledged records."""
    assert whole(killed)


def test_no_flip_in_the_wal_is_silent(killed: Path, tmp_path: Path) -> None:
    """Each of 60 bit flips is harmless or reported; most would lose records silently."""
    content = (killed / WAL).read_bytes()
    chance, reported = random.Random(13), 0
    for n in range(60):
        shutil.copytree(killed, folder := tmp_path / f"flip{n}")
        changed = bytearray(content)
        changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        (folder / WAL).write_bytes(changed)
        try:
            assert whole(folder)
        except StoreDamaged:
            reported += 1
    assert reported > 30


def test_no_cut_of_the_wal_is_silent(killed: Path, tmp_path: Path) -> None:
    """Of 30 cuts only the one at the very end counts as a whole log."""
    content = (killed / WAL).read_bytes()
    chance = random.Random(14)
    for n in range(30):
        shutil.copytree(killed, folder := tmp_path / f"cut{n}")
        (folder / WAL).write_bytes(content[: chance.randrange(len(content))])
        with pytest.raises(StoreLost):
            whole(folder)


def test_losses_are_named(killed: Path) -> None:
    """Without the WAL the error names tables and first missing records, and nothing is served."""
    (killed / WAL).unlink()
    with pytest.raises(StoreLost, match="were stored and acknowledged") as refused:
        SqliteStore(killed)
    assert {Lost("a", 41, 20), Lost("b", 1, 20)} == set(refused.value.lost)


def test_damaged_wal_is_kept(killed: Path, tmp_path: Path) -> None:
    """Opening, checking or restoring leaves a damaged write-ahead log unchanged."""
    content = bytearray((killed / WAL).read_bytes())
    content[len(content) // 2] ^= 1
    (killed / WAL).write_bytes(content)
    with pytest.raises(StoreLost):
        SqliteStore(killed)
    assert 1 == run("check", "--data", killed)[0]
    assert bytes(content) == (killed / WAL).read_bytes()
    with closing(SqliteStore(tmp_path / "other")) as store:
        fill(store, "a", 1, 3)
        backup(store.path, saved := tmp_path / "saved")
    kept = restore(saved, killed)
    assert kept is not None
    assert bytes(content) == kept.with_name(f"{kept.name}-wal").read_bytes()
    with closing(SqliteStore(killed)) as store:
        assert expected("a", 3) == texts(store, "a")


def test_restored_old_database_is_found(tmp_path: Path) -> None:
    """Yesterday's copy in today's place is missed up to today's records."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 1, 5)
    shutil.copy(tmp_path / database.NAME, tmp_path / "yesterday")
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 6, 9)
        store.delete("a", 5)
        fill(store, "b", 1, 3)
        store.grant(Grant("0" * 64, "session", "b", "s1"))
    shutil.copy(tmp_path / "yesterday", tmp_path / database.NAME)
    with pytest.raises(StoreLost) as refused:
        SqliteStore(tmp_path)
    assert {Lost("a", 1, 0), Lost("b", 1, 3)} == set(refused.value.lost)


def test_lost_link_is_missed(tmp_path: Path) -> None:
    """A lost change outside logs, such as a revoked link, is counted."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 1, 2)
        store.grant(Grant("0" * 64, "session", "a", "s1"))
    shutil.copy(tmp_path / database.NAME, tmp_path / "before")
    with closing(SqliteStore(tmp_path)) as store:
        assert 1 == store.revoke(9, seat="s1")
    shutil.copy(tmp_path / "before", tmp_path / database.NAME)
    with pytest.raises(StoreLost) as refused:
        SqliteStore(tmp_path)
    assert (Lost("", 0, 1),) == refused.value.lost


def test_unwitnessed_commit_is_no_loss(tmp_path: Path) -> None:
    """A crash before the witness leaves additional records in the database, which is fine."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 1, 5)
        fill(store, "b", 1, 5)
        shutil.copy(tmp_path / witness.NAME, tmp_path / "earlier")
        store.append(appended("a", 5))
        store.delete("b", 5)
    shutil.copy(tmp_path / "earlier", tmp_path / witness.NAME)
    with closing(SqliteStore(tmp_path)) as store:
        assert expected("a", 6) == texts(store, "a")


def test_torn_witness_line_is_ignored(tmp_path: Path) -> None:
    """A power cut can halve the last line, whose commit was not acknowledged."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 1, 5)
    file = tmp_path / witness.NAME
    before, line = witness.read_witness(file), witness.commit_line(99, {})
    written = file.read_bytes().rstrip(b"\0")
    for cut in range(len(line) - 1):
        file.write_bytes(written + line[:cut])
        assert before == witness.read_witness(file)
    file.write_bytes(written + line)
    found = witness.read_witness(file)
    assert found is not None
    assert 99 == found.commit


def test_host_accepts_a_loss(killed: Path) -> None:
    """The host continues with the rest in another epoch, and is not asked again."""
    with closing(SqliteStore(killed)) as store:
        epoch = store.epoch
    shutil.copytree(killed, other := killed.parent / "other")
    with closing(SqliteStore(other)) as store:
        fill(store, "a", 61, 62)
    shutil.copy(killed / database.NAME, other / database.NAME)
    with pytest.raises(StoreLost):
        SqliteStore(other)
    with closing(SqliteStore(other, without_lost=True)) as store:
        assert epoch != store.epoch
        assert expected("a", 60) == texts(store, "a")
        fill(store, "a", 61, 61)
    with closing(SqliteStore(other)) as store:
        assert expected("a", 61) == texts(store, "a")


# Damage that SQLite does not see.


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM answers WHERE token = 't3'",
        "UPDATE answers SET seq = 2 WHERE token = 't4'",
        "UPDATE answers SET request_hash = 'other' WHERE token = 't4'",
        "UPDATE answers SET seat = 's2' WHERE token = 't4'",
        "INSERT INTO answers VALUES ('a', 's1', 't9', 9, 'hash', '0')",
        "UPDATE facts SET value = '00' WHERE name = 'answers of a'",
        "UPDATE grants SET revoked = 0 WHERE table_id = 'a'",
        "UPDATE grants SET side = 'gm' WHERE table_id = 'a'",
        "INSERT INTO grants VALUES ('9', 'link', 'a', '', 'gm', '', 7, 0)",
        "DELETE FROM grants WHERE table_id = 'a'",
        "UPDATE grants SET revoked = 0 WHERE table_id = ''",
    ],
)
def test_changed_answers_and_links_are_found(tmp_path: Path, statement: str) -> None:
    """A check and a backup find lost, changed, added or revived ones, as by an older page."""
    with closing(SqliteStore(tmp_path)) as store:
        for after in range(5):
            store.append(
                replace(
                    appended("a", after), token=f"t{after}", request_hash="hash", answer=str(after)
                )
            )
        for n, table in enumerate(("a", "a", "")):
            store.grant(Grant(str(n), "link", table, side="player", made=7))
        store.revoke(8, hash="1")
        store.revoke(9, hash="2")
        store.check()
    by_hand(tmp_path, statement)
    with closing(SqliteStore(tmp_path)) as store:
        assert expected("a", 5) == texts(store, "a")
        with pytest.raises(StoreDamaged):
            store.check()
    with pytest.raises(StoreDamaged):
        backup(tmp_path / database.NAME, tmp_path / "kept")


def test_old_answers_get_a_chain(tmp_path: Path) -> None:
    """A table of an older version is whole and gets a chain; a deleted one leaves none."""
    with closing(SqliteStore(tmp_path)) as store:
        for after in range(2):
            store.append(
                replace(
                    appended("a", after), token=f"t{after}", request_hash="hash", answer=str(after)
                )
            )
    by_hand(tmp_path, "DELETE FROM facts WHERE name = 'answers of a'")
    with closing(SqliteStore(tmp_path)) as store:
        store.check()
        store.append(replace(appended("a", 2), token="t2", request_hash="hash", answer="2"))
        store.check()
    by_hand(tmp_path, "DELETE FROM answers WHERE token = 't0'")
    with closing(SqliteStore(tmp_path)) as store:
        with pytest.raises(StoreDamaged):
            store.check()
        store.delete("a", 5)
        store.check()
        store.append(replace(appended("a2", 0), token="t0", request_hash="hash", answer="0"))
        store.check()


def by_hand(folder: Path, *statements: str) -> None:
    """Change the database like an intruder with SQLite."""
    with closing(connect(folder / database.NAME, apsw.SQLITE_OPEN_READWRITE)) as db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize(
    "statements",
    [
        [
            "UPDATE events SET data = replace(data, 'record 3', 'record 4') WHERE table_id = 'a'"
            " AND seq = 3"
        ],
        ["UPDATE events SET at = 8 WHERE table_id = 'a' AND seq = 3"],
        ["UPDATE events SET seat = 's2' WHERE table_id = 'a' AND seq = 5"],
        ["UPDATE events SET seen_by = '[\"s1\"]' WHERE table_id = 'a' AND seq = 5"],
        ["DELETE FROM events WHERE table_id = 'a' AND seq = 5"],
        [
            "DELETE FROM events WHERE table_id = 'a' AND seq = 3",
            "UPDATE events SET seq = seq - 1 WHERE table_id = 'a' AND seq > 3",
        ],
        ["DELETE FROM events WHERE table_id = 'a' AND seq = 1"],
        [
            "INSERT INTO events SELECT 'a', 6, at, seat, seen_by, name, v, data, link FROM events"
            " WHERE seq = 5"
        ],
        [
            "UPDATE events SET data = (SELECT data FROM events WHERE table_id = 'b' AND seq = 2)"
            " WHERE table_id = 'a'"
        ],
        ["UPDATE tables SET last = 4 WHERE id = 'a'"],
    ],
)
def test_external_change_is_found(tmp_path: Path, statements: list[str]) -> None:
    """A changed, removed, added or moved record breaks its table's chain, on opening and check."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "b", 1, 4)
        fill(store, "a", 1, 5)
    by_hand(tmp_path, *statements)
    reported = 0
    try:
        with closing(SqliteStore(tmp_path)) as store:
            assert expected("b", 4) == texts(store, "b")
            with pytest.raises(StoreDamaged, match=r"table a .* not as it was written"):
                store.check()
            reported += 1
            with pytest.raises(StoreDamaged, match=r"table a .* not as it was written"):
                store.read("a")
    except StoreLost:
        reported += 1
    assert reported
    with pytest.raises(StoreDamaged):
        backup(tmp_path / database.NAME, tmp_path / "kept")


def test_missing_commit_count_is_damage(tmp_path: Path) -> None:
    """A replaced page can remove a fact that every database has: that is damage."""
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 1, 3)
    by_hand(tmp_path, "DELETE FROM facts WHERE name = 'commits'")
    with pytest.raises(StoreDamaged, match="is damaged"):
        SqliteStore(tmp_path)


def read_all(folder: Path) -> None:
    """Open a folder, read its table and check every page."""
    with closing(SqliteStore(folder)) as store:
        store.read("a")
        store.check()


def test_every_swapped_page_is_found(tmp_path: Path) -> None:
    """A page's older state is found despite its valid checksum."""
    with closing(SqliteStore(tmp_path / "data")) as store:
        fill(store, "a", 1, 60)
    before = (tmp_path / "data" / database.NAME).read_bytes()
    with closing(SqliteStore(tmp_path / "data")) as store:
        fill(store, "a", 61, 120)
    after = (tmp_path / "data" / database.NAME).read_bytes()
    swapped = 0
    for at in range(0, len(before), 4096):
        old, new = before[at : at + 4096], after[at : at + 4096]
        if old == new:
            continue
        shutil.copytree(tmp_path / "data", folder := tmp_path / f"swapped{at}")
        (folder / database.NAME).write_bytes(after[:at] + old + after[at + 4096 :])
        with pytest.raises(StoreError):
            read_all(folder)
        swapped += 1
    assert swapped >= 3


def test_exchanged_pages_are_reported(tmp_path: Path) -> None:
    """A checksum covers contents, not position: their contents may be of any kind."""
    with closing(SqliteStore(tmp_path / "data")) as store:
        fill(store, "a", 1, 30)
        whole = store.read("a")
    file = tmp_path / "data" / database.NAME
    pages = [file.read_bytes()[at : at + 4096] for at in range(0, file.stat().st_size, 4096)]
    reported = 0
    for one, other in combinations(range(1, len(pages)), 2):
        swapped = [*pages]
        swapped[one], swapped[other] = pages[other], pages[one]
        file.write_bytes(b"".join(swapped))
        try:
            with closing(SqliteStore(tmp_path / "data")) as store:
                assert store.read("a") == whole
        except StoreError:
            reported += 1
    assert reported >= len(pages) - 1


# What the host reads.


def run(*args: object) -> tuple[int, str]:
    """The exit code and output of a terminal command."""
    result = CliRunner().invoke(
        storypool, [str(arg) for arg in args], obj=Languages(), standalone_mode=False
    )
    return (
        1 if result.exception else result.return_value
    ), f"{result.output}{result.exception or ''}"


def test_host_checks_a_folder(killed: Path) -> None:
    """`storypool check` gives counts, and the table, number, count and remedy of losses."""
    assert (0, f"{killed} is whole: 80 records, tables: 2.\n") == run("check", "--data", killed)
    SqliteStore(killed).close()
    with closing(SqliteStore(killed)) as store:
        fill(store, "a", 61, 62)
        shutil.copytree(killed, other := killed.parent / "other")
    (other / WAL).unlink()
    code, reported = run("check", "--data", other)
    assert 1 == code
    assert "Table a is missing 2 records, from number 61 on." in reported
    assert "storypool check --go-on" in reported
    code, reported = run("check", "--data", other, "--json")
    assert (1, {"lost": [{"table": "a", "first": 61, "n": 2}]}) == (code, json.loads(reported))
    assert (0, f"{other} is whole: 80 records, tables: 2.\n") == run(
        "check", "--data", other, "--go-on"
    )
    assert 0 == run("check", "--data", other)[0]


def test_host_checks_a_backup_and_a_log(killed: Path, tmp_path: Path) -> None:
    """A whole check of backup and exported table reports one changed letter."""
    backup(killed / database.NAME, kept := tmp_path / "kept")
    assert (0, f"{kept} is whole: 80 records, tables: 2.\n") == run("check", kept)
    with closing(SqliteStore(killed)) as store:
        (log := tmp_path / "log").write_bytes(b"".join(export_lines(store.read("a"))))
    assert (0, f"{log} is whole: 60 records, tables: 1.\n") == run("check", log)
    for file in (kept, log):
        content = file.read_bytes()
        file.write_bytes(content.replace(b"a record 33", b"a record 34"))
        assert content != file.read_bytes()
        assert 1 == run("check", file)[0]
    assert 1 == run("check", "--data", tmp_path / "nowhere")[0]


@pytest.mark.parametrize(
    "change", [lambda lines: lines[3].replace(b"xx", b"xy", 1), lambda lines: lines[4]]
)
def test_changed_file_is_not_imported(
    tmp_path: Path, change: Callable[[list[bytes]], bytes]
) -> None:
    """A log with a changed record is refused."""
    records = [record for n in range(6) for record in appended("a", n).records]
    lines = list(export_lines(records))
    assert records == import_records(lines)
    lines[3] = change(lines).replace(b'"seq":4', b'"seq":3')
    with pytest.raises(BadFile, match="a record was changed, put in or left out"):
        import_records(lines)


# When the disk fails.


UNSYNCED = """
import sys
from itertools import combinations
from pathlib import Path
import apsw
from storypool.log.disk import witness
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Append
from storypool.engine.events import Said, TableOpened
from storypool.engine.sight import records_of

class Sqlite(apsw.IOError):
    extendedresult = apsw.SQLITE_IOERR_FSYNC

def failing(error, works):
    def tried(*given):
        if after == 5:
            raise error
        return works(*given)
    return tried

store = SqliteStore(Path(sys.argv[1]))
if sys.argv[2] == "witness":
    witness._sync = failing(OSError(5, "Input/output error"), witness._sync)
else:
    store._count_commit = failing(Sqlite("Input/output error"), store._count_commit)
for after in range(9):
    event = Said("s1", "x") if after else TableOpened("starwars", "", {})
    print(store.append(Append("t", after, records_of([event], "s1", after, 7))).seq, flush=True)
"""


@pytest.mark.parametrize("where", ["witness", "sqlite"])
def test_failed_sync_ends_the_process(tmp_path: Path, where: str) -> None:
    """The disk's state is unknown: the process exits with the reason, and loses nothing."""
    command = [sys.executable, "-c", UNSYNCED, str(tmp_path), where]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert 74 == ended.returncode
    assert (
        "could not be written to the disk for certain (Input/output error), so the server stopped."
        in ended.stderr
    )
    assert ["1", "2", "3", "4", "5"] == ended.stdout.split()
    with closing(SqliteStore(tmp_path)) as store:
        assert 5 <= len(store.read("t")) <= 6


def test_full_witness_refuses_before_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its room is reserved first, so a full disk refuses the move before it is stored."""
    with closing(SqliteStore(tmp_path)) as store:
        store.append(appended("a", 0))

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as short:
            short.setattr(store._witness, "reserve", full)
            with pytest.raises(StoreFull, match="no room left"):
                store.append(appended("a", 1))
        assert 1 == len(store.read("a"))
        assert 2 == store.append(appended("a", 1)).seq


def test_large_witness_is_rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not grow without end, and its meaning stays the same."""
    monkeypatch.setattr(witness, "LARGE_BYTES", 2_000)
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "b", 1, 3)
        fill(store, "a", 1, 200)
    found = witness.read_witness(tmp_path / witness.NAME)
    assert found is not None
    assert (203, 200, 3) == (found.commit, found.heads["a"].seq, found.heads["b"].seq)
    assert len((tmp_path / witness.NAME).read_bytes().rstrip(b"\0")) < 3_000


# Older databases.


@pytest.fixture
def older() -> Path:
    """The original database of version 1."""
    return LOGS / "store-v1.db"


def test_version_1_database_is_restored(older: Path, tmp_path: Path) -> None:
    """Every older version is restored and opened with all data, and gets its chain."""
    restore(older, tmp_path)
    with closing(SqliteStore(tmp_path)) as store:
        assert [25, 4, 0] == [len(store.read(table)) for table in ("long-haul", "short", "gone")]
        assert ["long-haul", "short"] == sorted(listing.id for listing in store.listings())
        assert 25 == getattr(store.answered("long-haul", "s1", "token-1"), "seq", 0)
        assert ["s1"] == [grant.seat for grant in store.grants(table="long-haul")]
        golden = import_records((LOGS / "events-v1.jsonl").read_bytes().splitlines(keepends=True))
        assert golden == store.read("long-haul")
        store.check()
        store.append(Append("short", 4, records_of([Said("s1", "on")], "s1", 4, 7)))
    by_hand(tmp_path, "UPDATE events SET at = 8 WHERE table_id = 'long-haul' AND seq = 3")
    with (
        closing(SqliteStore(tmp_path)) as store,
        pytest.raises(StoreDamaged, match="Record 3 of table long-haul"),
    ):
        store.read("long-haul")


@pytest.mark.skipif(os.name == "nt", reason="modes are another thing on Windows")
def test_folder_files_are_private(tmp_path: Path) -> None:
    """Only the owner reads logs, backups and old files, whatever the folder's mode."""
    tmp_path.chmod(0o777)
    with closing(SqliteStore(tmp_path)) as store:
        fill(store, "a", 1, 2)
        backup(store.path, tmp_path / "kept")
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert {database.NAME, WAL, witness.NAME, "kept"} < modes.keys()
    assert {0o600} == set(modes.values()), modes
    (tmp_path / database.NAME).chmod(0o644)
    SqliteStore(tmp_path).close()
    assert 0o600 == (tmp_path / database.NAME).stat().st_mode & 0o777
