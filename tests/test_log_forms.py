"""Data of every form can be opened, after a copy that the upgrade makes automatically."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from storypool import systems
from storypool.engine.fold import fold
from storypool.engine.offers import offers
from storypool.log.disk import database
from storypool.log.disk.database import MIGRATIONS, NAME, restore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import StoreFull, StoreNewer
from tools.forms import forms, written_forms

pytestmark = pytest.mark.slow

LOGS = Path(__file__).parent / "logs"
NOW = len(MIGRATIONS)
STORES = [f"store-v{n}.db" for n in range(1, NOW + 1)]
NEW_FORM = (
    "What was written down is stored in another way or no more. Before a release of it,"
    " `python -m tools.forms` writes it down again. After one it is a new form, so that older"
    " versions refuse it and a copy is made first: add a step to MIGRATIONS, which may be empty, in"
    " log/disk/database.py and in log/shared/relations.py, and then run that."
)
STEP = "CREATE TABLE colours (id TEXT) STRICT"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A folder with the database of the first form."""
    shutil.copy(LOGS / STORES[0], tmp_path / NAME)
    return tmp_path


def copies(folder: Path) -> list[str]:
    """The names of the copies in a folder."""
    return sorted(file.name for file in folder.glob(f"{NAME}.v*"))


def content(file: Path) -> tuple[bytes, bytes]:
    """The form of a database, and its pages except the first, which has the write mode."""
    found = file.read_bytes()
    return found[60:64], found[4096:]


def test_every_form_has_its_database() -> None:
    """A database of each form is kept; the current one stores all recorded events."""
    assert STORES == sorted(file.name for file in LOGS.glob("store-v*.db"))
    now = forms()
    for kind, written in written_forms().items():
        for name, keys in written.items():
            assert set() == {*keys.split()} - {*now[kind].get(name, "").split()}, NEW_FORM


@pytest.mark.parametrize("name", STORES)
def test_every_form_is_opened(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Its tables can be played, and the log names the copy of the older data."""
    shutil.copy(LOGS / name, tmp_path / NAME)
    form = int(name.removeprefix("store-v").removesuffix(".db"))
    with caplog.at_level(logging.WARNING, "storypool.log"), closing(SqliteStore(tmp_path)) as store:
        tables = [listing.id for listing in store.listings()]
        assert tables
        for id in tables:
            store.verify(id)
            table = fold(store.read(id))
            game = systems.get(table.system).played_at(table)
            assert not table.seats or any(offers(game, table, seat) for seat in table.seats)
    if form == NOW:
        assert ([], []) == (copies(tmp_path), caplog.messages)
        return
    assert [f"{NAME}.v{form}"] == copies(tmp_path)
    [line] = caplog.messages
    assert line.endswith(
        f"from form {form} to form {NOW}. A copy of it as it was is {tmp_path / NAME}.v{form}."
    )
    restore(tmp_path / f"{NAME}.v{form}", tmp_path / "again")
    with closing(SqliteStore(tmp_path / "again")) as store:
        assert tables == [listing.id for listing in store.listings()]


@pytest.mark.slow
def test_last_few_copies_stay(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many upgrades three copies are kept, and other files are never deleted."""
    (older / f"{NAME}.very-old").touch()
    for n in range(4):
        monkeypatch.setattr(
            database, "MIGRATIONS", (*database.MIGRATIONS, STEP.replace("colours", f"colours{n}"))
        )
        SqliteStore(older).close()
    assert [f"{NAME}.v4", f"{NAME}.v5", f"{NAME}.v6", f"{NAME}.very-old"] == copies(older)


def test_older_version_explains_its_return(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names a copy of its own form, and the time from which play is missing in it."""
    SqliteStore(older).close()
    os.utime(older / f"{NAME}.v1", (0, 1_700_000_000))
    monkeypatch.setattr(database, "MIGRATIONS", MIGRATIONS[:1])
    before = (older / NAME).read_bytes()
    with pytest.raises(
        StoreNewer,
        match=r"newer Storypool.*back to .*\.v1 with 'storypool restore'.*since 2023-11-1",
    ):
        SqliteStore(older)
    assert before == (older / NAME).read_bytes()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a small disk"
)
def test_full_disk_is_one_sentence(tmp_path: Path) -> None:
    """Without room for the copy the folder is unchanged, with nothing left next to it."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "storypool-test", str(tmp_path)]
    if (tried := subprocess.run(mount, capture_output=True, text=True)).returncode:
        pytest.skip(f"this system lets nobody mount a small disk: {tried.stderr.strip()}")
    try:
        shutil.copy(LOGS / STORES[0], tmp_path / NAME)
        before = content(tmp_path / NAME)
        room = shutil.disk_usage(tmp_path).free
        (ballast := tmp_path / "ballast").write_bytes(bytes(room - 40_000))
        with pytest.raises(StoreFull, match="no room left"):
            SqliteStore(tmp_path)
        assert before == content(tmp_path / NAME)
        assert [] == copies(tmp_path)
        ballast.unlink()
        SqliteStore(tmp_path).close()
        assert [f"{NAME}.v1"] == copies(tmp_path)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_replacement_checks_room_first(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without room for the upgrade says so while the old one still serves."""
    database.check_can_open(older / NAME)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100_000))
    with pytest.raises(StoreFull, match="no room left"):
        database.check_can_open(older / NAME)
    SqliteStore(older).close()
    database.check_can_open(older / NAME)
