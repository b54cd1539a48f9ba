"""Commands with `--data`: writers, file owners and the effects of mistakes."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw
import pytest

import storypool.cli.stored_tables  # noqa: F401  (imported before rights are given up)
from storypool.cli import main
from storypool.log.disk import database, lock, witness
from storypool.log.disk.database import MIGRATIONS, NAME
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import StoreBusy, StoreError, StoreReadOnly
from tests.test_cli_tables import GAME
from tests.test_log_forms import LOGS, STORES
from tests.test_log_sqlite import append, fill
from tests.test_log_witness import WAL

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[int, str]]
SERVICE = 65534
"""The user who owns the folder."""
as_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root may act as other users"
)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder open to every user: pytest's own is private."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name).resolve()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """A command's exit code and output in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    def command(*words: str | Path) -> tuple[int, str]:
        code = main([*map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return command


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    """A data folder with a table."""
    assert 0 == run("table", "new", GAME, "--data", tmp_path / "data")[0]
    return tmp_path / "data"


def id_of(folder: Path) -> str:
    """The id of a folder's only table."""
    with closing(SqliteStore(folder)) as store:
        [table] = store.listings()
    return table.id


class State(NamedTuple):
    """The unchangeable parts of a file's state."""

    owner: int
    mode: int
    changed: int
    content: bytes


def state(folder: Path) -> dict[str, State]:
    """Each file of a folder, and the folder itself."""
    found = {}
    for file in (folder, *folder.iterdir()):
        about = file.stat()
        content = file.read_bytes() if file.is_file() else b""
        found[file.name] = State(about.st_uid, about.st_mode, about.st_mtime_ns, content)
    return found


# Commands that only read.


@pytest.fixture(params=["closed", "killed", "older", "without a lock"])
def left(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Path:
    """A folder that belongs to the user of a service."""
    place = folder
    if request.param == "killed":
        with closing(SqliteStore(folder)) as store:
            fill(store, 3)
            place = Path(shutil.copytree(folder, tmp_path / "killed"))
        (place / f"{NAME}-shm").unlink()
        assert (place / WAL).stat().st_size
    if request.param == "older":
        for file in folder.iterdir():
            file.unlink()
        shutil.copy(LOGS / STORES[0], folder / NAME)
    if request.param == "without a lock":
        (folder / lock.NAME).unlink()
    if sys.platform != "win32" and os.geteuid() == 0:
        for file in (place, *place.iterdir()):
            os.chown(file, SERVICE, SERVICE)
    return place


def test_reading_commands_change_no_file(left: Path, run: Run, tmp_path: Path) -> None:
    """For any user they read all forms without writing, making or handing over a file."""
    shutil.copytree(left, tmp_path / "copied")
    with closing(SqliteStore(tmp_path / "copied")) as store:
        id = store.listings()[0].id
    before = state(left)
    reads: list[list[str | Path]] = [
        ["check"],
        ["backup", tmp_path / "all.db"],
        ["doctor", "--port", "1"],
        ["table", "list"],
        ["table", "follow", id, "--once"],
        ["table", "offers", id],
        ["table", "transcript", id],
        ["table", "export", id, tmp_path / "one.jsonl"],
    ]
    for words in reads:
        code, printed = run(*words, "--data", left)
        assert words[0] == "doctor" or 0 == code or "no GM" in printed, printed
        assert before == state(left), words
    assert id in run("table", "list", "--data", left)[1]
    assert 0 == run("check", tmp_path / "all.db")[0]
    assert 0 == run("check", tmp_path / "one.jsonl")[0]


def test_readers_block_nobody_for_long(
    folder: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two read at once, and a server's database can be checked and copied meanwhile."""
    reader = lock.FolderLock(folder, shares=True)
    assert 0 == run("check", "--data", folder)[0]
    with monkeypatch.context() as patch:
        patch.setattr(lock, "READERS_S", 0.1)
        with pytest.raises(StoreBusy):
            SqliteStore(folder)
    done = threading.Timer(0.3, reader.release)
    done.start()
    SqliteStore(folder).close()
    done.join()
    with closing(SqliteStore(folder)) as store:
        fill(store, 3)
        before = state(folder).keys()
        assert "records" in run("check", "--data", folder)[1]
        assert 0 == run("backup", tmp_path / "now.db", "--data", folder)[0]
        assert before == state(folder).keys()
        store.append(append(3))
    assert 0 == run("check", tmp_path / "now.db")[0]


def test_starting_server_is_not_blocked(folder: Path, left: Path) -> None:
    """Long reads hold no lock, and a sentence says if the server changed their data."""
    with database.reading(left / NAME) as db:
        database.check(db, left / NAME)
    with (
        pytest.raises(
            StoreBusy,
            match="was changed while it was read, because a server has started: run this again",
        ),
        database.reading(left / NAME),
        closing(SqliteStore(left)) as store,
    ):
        store.append(append(0, table="new"))


# What root writes.


@as_root
def test_root_keeps_the_owner(folder: Path, run: Run, tmp_path: Path) -> None:
    """After each writing command as root, the service's user owns and opens everything."""
    id = id_of(folder)
    os.chown(tmp_path, SERVICE, SERVICE)
    for file in (folder, *folder.iterdir()):
        os.chown(file, SERVICE, SERVICE)
    for file in folder.iterdir():
        if file.name != NAME:
            file.unlink()
    shutil.copy(folder / NAME, tmp_path / "before.db")
    writes: list[list[str | Path]] = [
        ["table", "link", id, "--gm"],
        ["table", "move", id, "session.begin"],
        ["table", "new", GAME],
        ["check", "--go-on"],
        ["backup", folder / "backup.db"],
        ["restore", tmp_path / "before.db"],
        ["table", "sweep", "--yes"],
    ]
    for words in writes:
        code, printed = run(*words, "--data", folder)
        assert 0 == code, printed
        assert {SERVICE} == {found.owner for found in state(folder).values()}, words
    shutil.copy(LOGS / STORES[0], folder / NAME)
    (folder / witness.NAME).unlink()
    os.chown(folder / NAME, SERVICE, SERVICE)
    assert 0 == run("table", "sweep", "--yes", "--data", folder)[0]
    assert f"{NAME}.v1" in state(folder)
    assert {SERVICE} == {found.owner for found in state(folder).values()}
    os.seteuid(SERVICE)
    try:
        SqliteStore(folder).close()
    finally:
        os.seteuid(0)


@as_root
@pytest.mark.parametrize("name", [NAME, witness.NAME, lock.NAME, f"{NAME}-wal", f"{NAME}-shm"])
def test_refusal_names_the_denied_file(folder: Path, run: Run, name: str, tmp_path: Path) -> None:
    """Another user's file is named, and found by `doctor` as that user and as root."""
    if name.startswith(f"{NAME}-"):
        with closing(SqliteStore(folder)):
            shutil.copytree(folder, tmp_path / "left")
        folder = tmp_path / "left"
    os.chown(tmp_path, SERVICE, SERVICE)
    for file in (folder, *folder.iterdir()):
        os.chown(file, SERVICE, SERVICE)
    os.chown(folder / name, 0, 0)
    (folder / name).chmod(0o600)
    os.seteuid(SERVICE)
    try:
        with pytest.raises(StoreReadOnly) as refused:
            SqliteStore(folder)
        assert f"{folder / name} " in str(refused.value)
        assert f"{name} " in run("doctor", "--data", folder, "--port", "1")[1]
    finally:
        os.seteuid(0)
    assert name in run("doctor", "--data", folder, "--port", "1")[1]


# A mistake in `--data`.

NOTHING = "nothing was made there"
COMMANDS: list[list[str]] = [
    ["check"],
    ["check", "--go-on"],
    ["backup", "all.db"],
    ["table", "list"],
    ["table", "sweep", "--yes"],
    ["table", "link", "x"],
    ["table", "move", "x", "session.begin"],
    ["table", "offers", "x"],
    ["table", "follow", "x", "--once"],
    ["table", "transcript", "x"],
    ["table", "export", "x", "x.jsonl"],
]
"""Each command that needs existing tables, except `move-data` without `--data`."""


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_mistyped_folder_suggests_the_nearest(folder: Path, run: Run, words: list[str]) -> None:
    """Missing folders or parents and ones without tables are refused, and nothing is made."""
    (folder.parent / "empty").mkdir()
    for typed in ("dta", "data/", "empty", "nowhere/at/all"):
        code, printed = run(*words, "--data", typed)
        if typed == "data/":
            assert NOTHING not in printed
            continue
        assert 2 == code
        assert f"There are no tables in {Path(typed)}, and {NOTHING}." in printed
        assert f"There are some in {folder}." in printed
        assert "whole" not in printed
    assert not (folder.parent / "dta").exists()
    assert not (folder.parent / "nowhere").exists()
    assert [] == [*(folder.parent / "empty").iterdir()]


@pytest.mark.parametrize(
    "typed", ["mysql://db/x", "postgres//db/x", "PostgreSQL://db/x", "sqlite:///x", "pgsql//x"]
)
def test_invalid_database_address_is_refused(run: Run, tmp_path: Path, typed: str) -> None:
    """No command makes a folder of it or prints its secret."""
    secret = typed.replace("db", "ann:secret@db")
    for words in (
        *COMMANDS,
        ["table", "new", GAME],
        ["serve"],
        ["doctor"],
        ["restore", "x"],
        ["demo"],
    ):
        code, printed = run(*words, "--data", secret)
        assert (2, True) == (code, "is not the beginning of a database address" in printed), printed
        assert "secret" not in printed
    for places in ((secret, "data"), ("data", secret)):
        assert 2 == run("move-data", *places)[0]
    assert [] == [*tmp_path.iterdir()]


def test_nearest_folder_is_found(
    folder: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a similar name in the path, is inside the named folder, or is this user's own."""
    (tmp_path / "srv").mkdir()
    folder = folder.rename(tmp_path / "srv" / "storypool")
    for typed in ("srv/storypol", "sv/storypool", "srv", "srv/storypool/storypool.db/x"):
        assert f"There are some in {folder}." in run("check", "--data", typed)[1]
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "srv"))
    assert f"There are some in {folder}." in run("check", "--data", "/none/at/all")[1]
    assert 2 == run("move-data", "srv/storypol", "there")[0]
    assert not (tmp_path / "there").exists()
    for data, is_near in (("srv/storypol", True), (folder, False)):
        printed = run("doctor", "--data", data, "--port", "1")[1]
        assert is_near == ("there are some in another one" in printed)
    assert not (tmp_path / "srv" / "storypol").exists()


def test_empty_database_has_nothing_to_read(database: str, run: Run) -> None:
    """Readers make no schema, also on PostgreSQL, and say that nothing is there."""
    import psycopg

    for words in COMMANDS:
        if words[0] != "backup":
            code, printed = run(*words, "--data", database)
            assert (1, True) == (
                code,
                "There is nothing of Storypool in the PostgreSQL" in printed,
            ), printed
    assert 1 == run("move-data", database, "there")[0]
    with closing(psycopg.connect(database)) as db:
        assert [] == db.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'storypool'").fetchall()


@as_root
def test_forbidden_folder_gets_one_sentence(folder: Path, run: Run) -> None:
    """Every command names the folder and reason, without a traceback."""
    folder.chmod(0o700)
    os.seteuid(SERVICE)
    try:
        for words in COMMANDS:
            code, printed = run(*words, "--data", folder)
            assert (1, True) == (code, f"{folder} cannot be read (Permission denied)" in printed), (
                printed
            )
        assert 1 == run("table", "new", GAME, "--data", folder)[0]
        assert "cannot be written" in run("doctor", "--data", folder, "--port", "1")[1]
    finally:
        os.seteuid(0)


# What a host is advised to do.


def older(folder: Path) -> None:
    """Tables of the first form, whole."""
    for file in folder.iterdir():
        file.unlink()
    shutil.copy(LOGS / STORES[0], folder / NAME)


def newer(folder: Path) -> None:
    """Tables of a form that is not yet known."""
    with closing(database.connect(folder / NAME, apsw.SQLITE_OPEN_READWRITE)) as db:
        db.pragma("user_version", len(MIGRATIONS) + 1)


def flipped(folder: Path) -> None:
    """A database with one changed byte."""
    content = bytearray((folder / NAME).read_bytes())
    content[-100] ^= 1
    (folder / NAME).write_bytes(content)


def flipped_older(folder: Path) -> None:
    """The same of the first form."""
    older(folder)
    flipped(folder)


def gapped_older(folder: Path) -> None:
    """Tables of the first form without one of their records."""
    older(folder)
    with closing(database.connect(folder / NAME, apsw.SQLITE_OPEN_READWRITE)) as db:
        db.execute("DELETE FROM events WHERE seq = 2")


def without_checksums(folder: Path) -> None:
    """A database that another program wrote in the place of this one's."""
    for file in folder.iterdir():
        file.unlink()
    with closing(apsw.Connection(str(folder / NAME))) as db:
        db.pragma("application_id", database.APPLICATION_ID)


def set_back(folder: Path) -> None:
    """A database restored by hand, next to the witness of a later one."""
    shutil.copy(folder / NAME, folder.parent / "earlier.db")
    with closing(SqliteStore(folder)) as store:
        fill(store, 2)
    shutil.copy(folder.parent / "earlier.db", folder / NAME)


def set_back_older(folder: Path) -> None:
    """The same, of the first form."""
    with closing(SqliteStore(folder)) as store:
        fill(store, 2)
    shutil.copy(LOGS / STORES[0], folder / NAME)


def restored(folder: Path) -> None:
    """An earlier database, restored by the documented steps."""
    database.backup(folder / NAME, folder.parent / "earlier.db")
    with closing(SqliteStore(folder)) as store:
        fill(store, 2)
    database.restore(folder.parent / "earlier.db", folder)


def empty(folder: Path) -> None:
    """The rest of a server that was killed while it made its database."""
    for file in folder.iterdir():
        file.unlink()
    (folder / NAME).touch()


def foreign(folder: Path) -> None:
    """The database of another program."""
    (folder / NAME).write_bytes(b"")
    with closing(apsw.Connection(str(folder / NAME))) as db:
        db.execute("CREATE TABLE recipes (name)")


RESTORE, GO_ON = "estore the last backup", "check --go-on"
OTHERS = ("move it away", "go on with the version", "go back to")
ADVICE: dict[Callable[[Path], None], tuple[str, ...]] = {
    older: (),
    newer: (),
    empty: (),
    restored: (),
    flipped: (RESTORE,),
    flipped_older: (RESTORE,),
    gapped_older: (RESTORE,),
    without_checksums: (RESTORE,),
    foreign: (RESTORE, "move it away"),
    set_back: (RESTORE, GO_ON),
    set_back_older: (RESTORE, GO_ON),
}


@pytest.mark.parametrize("spoil", ADVICE)
def test_advice_fits_the_fault(folder: Path, run: Run, spoil: Callable[[Path], None]) -> None:
    """Restoring, moving away or continuing is advised only where it helps without a loss."""
    spoil(folder)
    listed = run("table", "list", "--data", folder)[1]
    code, printed = run("check", "--data", folder)
    advised = tuple(one for one in (RESTORE, GO_ON, *OTHERS) if one in printed)
    assert not [one for one in (RESTORE, GO_ON, *OTHERS) if one in listed and one not in advised]
    assert set(ADVICE[spoil]) == set(advised), printed
    assert (code == 0) == (spoil in (older, restored))
    assert (
        "newer Storypool: install the newest" in printed or "from a newer Storypool" in printed
    ) == (spoil is newer)
    if spoil in (flipped, flipped_older, foreign, newer):
        shutil.copy(folder / NAME, file := folder.parent / "backup.db")
        for words in (["check", file], ["restore", file, "--data", folder.parent / "again"]):
            printed = run(*words)[1]
            assert "stop the server" not in printed
            assert "last backup" not in printed
            advice = {newer: "newer", foreign: "name a file that 'storypool backup' has"}.get(
                spoil, "another backup"
            )
            assert advice in printed
    # The server says the same as the check, or opens it.
    if spoil is flipped:
        return  # the server finds it when it reads that page
    if advised or spoil is newer:
        with pytest.raises(StoreError) as refused:
            SqliteStore(folder)
        assert all(one in str(refused.value) for one in advised)
        assert not any(one in str(refused.value) for one in OTHERS if one not in advised)
        assert f"{folder / NAME} " in str(refused.value)
    else:
        SqliteStore(folder).close()


@pytest.mark.parametrize("name", STORES)
def test_older_form_is_intact(run: Run, tmp_path: Path, name: str) -> None:
    """The check reports each form and its conversion at the next start, and nothing later."""
    (tmp_path / "data").mkdir()
    shutil.copy(LOGS / name, tmp_path / "data" / NAME)
    is_old, form = name != STORES[-1], STORES.index(name) + 1
    for place, words in (
        ([tmp_path / "data" / NAME], "Once it is restored"),
        (
            [],
            "The next start of the server copies it, and then brings it to the form of this one."
            " Before that, keep a copy on another disk with `storypool backup`.",
        ),
    ):
        code, printed = run("check", *place, "--data", tmp_path / "data")
        assert (0, True) == (code, " is whole: " in printed)
        assert (
            is_old
            == (f"has the form of an earlier version ({form} of {len(STORES)})" in printed)
            == (words in printed)
        )
    assert [NAME] == [file.name for file in (tmp_path / "data").iterdir()]
    SqliteStore(tmp_path / "data").close()
    assert "earlier version" not in run("check", "--data", tmp_path / "data")[1]
