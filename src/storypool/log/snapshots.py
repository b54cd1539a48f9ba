"""Snapshots: folded tables, so that a long log need not be folded from its first record.

They are a cache in a file of their own, which may be deleted at any time: the log alone is the
truth. A snapshot counts only while it belongs to the present log: to the same epoch of the store,
to the same text of the modules that fold, and to the very record that it follows.
"""

import inspect
import os
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

import apsw
import msgspec

from storypool.engine import bag, dice, events, fold
from storypool.engine import table as tables
from storypool.engine.events import Record
from storypool.engine.table import Table
from storypool.log import codec, kinds
from storypool.log.codec import to_row
from storypool.log.disk.lock import keep_owner
from storypool.log.kinds import form_of

NAME = "storypool.snapshots"
_READING: tuple[ModuleType, ...] = (bag, dice, events, fold, tables, codec, kinds)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshots (
    table_id TEXT NOT NULL, seq INTEGER NOT NULL, record BLOB NOT NULL, sum BLOB NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) STRICT;
"""


TABLE = form_of(Table)


@cache
def fold_code_hash() -> str:
    """A hash of all code that decides a fold's result, "" if a module's text is unavailable."""
    try:
        return sha256("".join(map(inspect.getsource, _READING)).encode()).hexdigest()
    except OSError:
        return ""


class Snapshots:
    """The snapshots of one store of this `epoch`, in a file at `path` or a temporary one.

    Every method may be called from any thread. None of them raises an error: what cannot be kept is
    not kept, and what cannot be read is not there.
    """

    def __init__(self, epoch: str, path: Path | None = None) -> None:
        self._lock = Lock()
        self._db: apsw.Connection | None = None
        with suppress(apsw.Error, OSError):
            self._db = _opened(path, epoch)
            return
        if path is not None:
            # Replace a file that is damaged or not a database.
            with suppress(apsw.Error, OSError):
                path.unlink(missing_ok=True)
                self._db = _opened(path, epoch)

    def keep(self, table_id: str, record: Record, table: Table) -> None:
        """Keep a table as the state after this record."""
        packed = zlib.compress(msgspec.json.encode(TABLE.write(table)), 1)
        of_record, values = _hash(record), (table_id, record.seq)
        sum = _sum(table_id, record.seq, of_record, packed)
        self._do(
            lambda db: db.execute(
                "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)",
                (*values, of_record, sum, packed),
            )
        )

    def before(self, table_id: str, seq: int) -> list[int]:
        """The numbers of the records up to `seq` with a snapshot after them, the last one first."""
        sql = "SELECT seq FROM snapshots WHERE table_id = ? AND seq <= ? ORDER BY seq DESC"
        return [
            row[0] for row in self._do(lambda db: db.execute(sql, (table_id, seq)).fetchall()) or []
        ]

    def after(self, table_id: str, record: Record) -> Table | None:
        """The table after this record, or None without a snapshot that belongs to it."""
        sql = "SELECT record, sum, packed FROM snapshots WHERE table_id = ? AND seq = ?"
        for of_record, sum, packed in (
            self._do(lambda db: db.execute(sql, (table_id, record.seq)).fetchall()) or []
        ):
            if of_record == _hash(record) and sum == _sum(table_id, record.seq, of_record, packed):
                table: Table = TABLE.read(msgspec.json.decode(zlib.decompress(packed)))
                return table
        return None

    def forget(self, table_id: str) -> None:
        """Drop the snapshots of a table."""
        self._do(lambda db: db.execute("DELETE FROM snapshots WHERE table_id = ?", (table_id,)))

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        with self._lock, suppress(apsw.Error):
            if self._db is not None:
                self._db.close()
            self._db = None

    def _do(self, work: Callable[[apsw.Connection], Any]) -> Any:
        with self._lock, suppress(apsw.Error):
            return None if self._db is None else work(self._db)


def _opened(path: Path | None, epoch: str) -> apsw.Connection:
    """Open the file, without what another epoch or another version has kept there."""
    if path is not None:
        # It holds hidden things, so only its owner may read it.
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
        keep_owner(path)
    db = apsw.Connection("" if path is None else str(path))
    db.set_busy_timeout(0)
    db.pragma("journal_mode", "memory")
    db.pragma("synchronous", 0)
    db.execute(_SCHEMA)
    kept = f"{epoch} {fold_code_hash()}"
    if (
        not fold_code_hash()
        or db.execute("SELECT value FROM facts WHERE name = 'kept'").get != kept
    ):
        db.execute("DELETE FROM snapshots")
        db.execute("INSERT OR REPLACE INTO facts VALUES ('kept', ?)", (kept,))
    return db


def _hash(record: Record) -> bytes:
    return sha256(msgspec.json.encode(to_row(record))).digest()


def _sum(table_id: str, seq: int, of_record: bytes, packed: bytes) -> bytes:
    return sha256(msgspec.json.encode((table_id, seq)) + of_record + packed).digest()
