"""Reading what a database has: logs, listings and answers, from any thread."""

from pathlib import Path
from threading import Lock
from typing import Any

import apsw

from storypool.engine.events import Record
from storypool.log import chain, logs
from storypool.log.codec import from_row
from storypool.log.disk import sqlite_errors
from storypool.log.store import LISTING, Answer, Listing, StoreError, whole_picture
from storypool.words import Phrase

ANSWER = (
    "SELECT seq, request_hash, answer FROM answers WHERE table_id = ? AND seat = ? AND token = ?"
)


def kept_text_key(table: str) -> str:
    """The name of the fact that has the text kept in addition to a table's log."""
    return f"beside {table}"


class Reader:
    """The methods of a `Store` that read, on one connection to the database at `path`."""

    def __init__(self, path: Path, db: apsw.Connection) -> None:
        self.path, self._reader = path, db
        self._reading, self._closed = Lock(), False
        with sqlite_errors.as_store_errors(path):
            self.epoch: str = db.execute("SELECT value FROM facts WHERE name = 'epoch'").get
            self.secret: str = db.execute("SELECT value FROM facts WHERE name = 'secret'").get or ""

    def answered(self, table: str, seat: str, token: str) -> Answer | None:
        rows = self._read(ANSWER, (table, seat, token))
        return Answer(*rows[0]) if rows else None

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        with self._reading, sqlite_errors.as_store_errors(self.path):
            db = self._connection()
            before = logs.head(db, table, after) if after else chain.NOTHING
            rows = list(logs.rows(db, table, after, upto))
            if rows and (n := chain.broken(before or chain.NOTHING, table, rows)):
                raise logs.not_as_written(self.path, table, n)
        return [from_row(*row) for row, _ in rows]

    def verify(self, table: str) -> None:
        with self._reading, sqlite_errors.as_store_errors(self.path):
            # Use one transaction, since records may be added meanwhile.
            with self._connection() as db:
                n = logs.broken(db, table)
            if n:
                raise logs.not_as_written(self.path, table, n)

    def listing(self, table: str) -> Listing | None:
        rows = self._read(f"SELECT {LISTING} FROM tables WHERE id = ?", (table,))
        return Listing(*rows[0]) if rows else None

    def listings(self) -> list[Listing]:
        sql = f"SELECT {LISTING} FROM tables WHERE NOT deleted ORDER BY changed DESC, id"
        return [Listing(*row) for row in self._read(sql)]

    def picture(self, table: str, key: str) -> bytes | None:
        sql = "SELECT hash, data FROM pictures WHERE table_id = ? AND key = ?"
        rows = self._read(sql, (table, key))
        return whole_picture(key, *rows[0]) if rows else None

    def pictures(self, table: str) -> dict[str, int]:
        sql = "SELECT key, length(data) FROM pictures WHERE table_id = ? ORDER BY rowid"
        return dict(self._read(sql, (table,)))

    def kept(self, table: str) -> str:
        rows = self._read("SELECT value FROM facts WHERE name = ?", (kept_text_key(table),))
        return str(rows[0][0]) if rows else ""

    def _read(self, sql: str, values: tuple[str | int, ...] = ()) -> list[Any]:
        with self._reading, sqlite_errors.as_store_errors(self.path):
            return self._connection().execute(sql, values).fetchall()

    def _connection(self) -> apsw.Connection:
        if self._closed:
            raise StoreError(Phrase("log.closed"))
        return self._reader
