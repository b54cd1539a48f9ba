"""A data folder on a full disk, or one that may not be written: it is read, and nothing is kept."""

import shutil
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import apsw

from storypool.log import logs
from storypool.log.disk import database, witness
from storypool.log.disk.lock import FolderLock
from storypool.log.disk.reader import Reader
from storypool.log.memory import MemoryStore
from storypool.log.store import Answer, Append, Grant, Mark, StoreFull, StoreReadOnly
from storypool.words import Phrase


class ReadingStore(Reader):
    """A `Store` of which nothing changes: what would be written is refused with the reason, `why`, and its remedy.

    It writes nothing at all. Links and sessions are kept in memory, so that people get in; they end with it, and
    so does their revocation. Opening raises the error it is given when there is nothing that could be read, and
    `StoreBusy`, `StoreDamaged` or `StoreLost` as a store that is written does.
    """

    def __init__(self, folder: Path, error: StoreFull | StoreReadOnly, address: str = "") -> None:
        path = folder / database.NAME
        if not path.exists():
            raise error
        self.why = type(error)(
            Phrase("log.reading.full" if isinstance(error, StoreFull) else "log.reading.read_only")
        )
        with ExitStack() as opened:
            self.lock = FolderLock(folder, address, writes=False)
            opened.callback(self.lock.release)
            with database.as_store_errors(path):
                db = _opened(path, opened)
                seen = witness.read_witness(path.with_name(witness.NAME)) or witness.WitnessedCommits()
                database.refuse_newer(db, path)
                if db.pragma("user_version") != len(database.MIGRATIONS):
                    # An older database has to be brought up to date, which writes it.
                    raise error
                logs.compare_with_witness(db, path, seen)
            super().__init__(path, db)
            self._grants = MemoryStore()
            for row in self._read("SELECT * FROM grants ORDER BY rowid"):
                self._grants.grant(Grant(*row))
            self._opened = opened.pop_all()

    def submit(self, append: Append) -> Future[Answer]:
        self._refuse()

    def append(self, append: Append) -> Answer:
        self._refuse()

    def mark(self, table: str, mark: Mark, at: int) -> None:
        self._refuse()

    def delete(self, table: str, at: int) -> None:
        self._refuse()

    def keep(self, table: str, text: str) -> None:
        self._refuse()

    def grant(self, grant: Grant) -> None:
        self._grants.grant(grant)

    def grants(self, *, hash: str | None = None, table: str | None = None, seat: str | None = None) -> list[Grant]:
        return self._grants.grants(hash=hash, table=table, seat=seat)

    def revoke(
        self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        return self._grants.revoke(at, hash=hash, table=table, seat=seat)

    def check(self) -> None:
        """Read the whole database; `StoreDamaged` if any page is not as it was written."""
        with self._reading, database.as_store_errors(self.path):
            database.check(self._connection(), self.path)

    def close(self) -> None:
        with self._reading:
            self._closed = True
            self._opened.close()

    def _refuse(self) -> NoReturn:
        # One error for each caller, because each adds its own traceback.
        raise type(self.why)(*self.why.args)


def _opened(path: Path, opened: ExitStack) -> apsw.Connection:
    """Return a connection that reads a database and what is left in its write-ahead log, and writes no file.

    It is closed with `opened`.
    """
    left = path.with_name(f"{path.name}-wal")
    if not left.exists() or not left.stat().st_size:
        # Without a write-ahead log the database alone is whole, and since the folder is locked nobody changes it.
        return _closing(database.connect(path, apsw.SQLITE_OPEN_READONLY, "immutable=1"), opened)
    try:
        return _closing(database.connect_alone(path), opened)
    except (apsw.Error, StoreReadOnly):
        # SQLite reads a write-ahead log only where it may lock the database for writing: so a copy is read.
        folder = Path(opened.enter_context(TemporaryDirectory(prefix="storypool-reading-")))
        for file in (path, left):
            shutil.copyfile(file, folder / file.name)
        return _closing(database.connect_alone(folder / path.name), opened)


def _closing(db: apsw.Connection, opened: ExitStack) -> apsw.Connection:
    opened.callback(db.close)
    return db
