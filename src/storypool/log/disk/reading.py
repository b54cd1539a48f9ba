"""A data folder that is only read: on a full disk, a read-only one, or by a command that reads."""

from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from storypool.log import logs
from storypool.log.disk import database, sqlite_errors, witness
from storypool.log.disk.lock import FolderLock
from storypool.log.disk.reader import Reader
from storypool.log.memory import MemoryStore
from storypool.log.store import Answer, Append, Grant, Mark, StoreFull, StoreReadOnly
from storypool.words import Phrase

READS = StoreReadOnly(Phrase("log.reading.read_only"))


class ReadingStore(Reader):
    """A `Store` that never changes: writes are refused with the reason, `why`, and its remedy.

    It writes nothing at all. Links and sessions are kept in memory, so that people get in; they end
    with it, and so does their revocation. Without the `error` for which a server cannot write, it
    is one of any number of readers, and tables of an older form are read in a copy. Opening raises
    that error when nothing could be read, and `StoreBusy`, `StoreDamaged` or `StoreLost` like a
    writable store.
    """

    def __init__(
        self, folder: Path, error: StoreFull | StoreReadOnly | None = None, address: str = ""
    ) -> None:
        path = folder / database.NAME
        if error and not (path.exists() and path.stat().st_size):
            raise error
        is_full = isinstance(error, StoreFull)
        self.why = type(error or READS)(
            Phrase("log.reading.full" if is_full else "log.reading.read_only")
        )
        with ExitStack() as opened, sqlite_errors.as_store_errors(path, reads=True):
            self.lock = FolderLock(folder, address, writes=False, shares=error is None)
            opened.callback(self.lock.release)
            db = database.connect_to_read(path, opened)
            seen = witness.read_witness(path.with_name(witness.NAME)) or witness.WitnessedCommits()
            database.refuse_newer(db, path)
            if error and db.pragma("user_version") != len(database.MIGRATIONS):
                # An older database has to be migrated, which writes it.
                raise error
            db = database.in_current_form(db, path, opened)
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

    def put_picture(self, table: str, key: str, picture: bytes) -> None:
        self._refuse()

    def drop_pictures(self, table: str, before: str) -> None:
        self._refuse()

    def grant(self, grant: Grant) -> None:
        self._grants.grant(grant)

    def grants(
        self, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> list[Grant]:
        return self._grants.grants(hash=hash, table=table, seat=seat)

    def revoke(
        self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        return self._grants.revoke(at, hash=hash, table=table, seat=seat)

    def check(self) -> None:
        """Read the whole database; `StoreDamaged` if any page is not as it was written."""
        with self._reading, sqlite_errors.as_store_errors(self.path):
            database.check(self._connection(), self.path)

    def close(self) -> None:
        with self._reading:
            self._closed = True
            self._opened.close()

    def _refuse(self) -> NoReturn:
        # One error for each caller, because each adds its own traceback.
        raise type(self.why)(*self.why.args)
