"""The store on disk: one SQLite database in a locked folder, one writer, and group commit."""

import logging
import os
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

import apsw

from storypool.log import chain, logs
from storypool.log import store as s
from storypool.log.batches import Batches
from storypool.log.codec import EventRow, to_row
from storypool.log.disk import database, sqlite_errors
from storypool.log.disk.lock import FolderLock
from storypool.log.disk.reader import ANSWER, Reader, kept_text_key
from storypool.log.disk.witness import commit_line
from storypool.words import BadValue, Phrase

T = TypeVar("T")


class _Job(NamedTuple):
    work: Callable[[apsw.Connection], Any]
    future: Future[Any]
    table: str


def _add_secret(db: apsw.Connection) -> None:
    """Give a database that has none its secret."""
    if db.execute("SELECT 1 FROM facts WHERE name = 'secret'").get is None:
        db.execute("INSERT INTO facts VALUES ('secret', ?)", (secrets.token_hex(32),))


def end_process(error: s.StoreError) -> NoReturn:
    """End this process at once with the reason: the disk's state is unknown after a failed sync."""
    with suppress(Exception):
        logging.getLogger("storypool.log").critical("Process %s ended: %s", os.getpid(), error)
    os._exit(74)


class SqliteStore(Reader):
    """A `Store` in one folder, held by this process alone until `close`.

    Whatever arrives during a commit shares the next one, each move in a savepoint of its own, in
    the order of `submit`. Futures are resolved after the commit, by the writer's thread. If a
    commit fails, every move in it is refused with the reason, and the store carries on as soon as
    the disk does.

    Opening raises `StoreBusy` if another process holds the folder, or `StoreReadOnly`, `StoreFull`,
    `StoreDamaged`, `StoreLost` or `StoreNewer`. `address` is in the error of a process that finds
    the folder taken; `max_bytes` limits the database's size. With `without_lost`, what is lost is
    given up, and the epoch changes. When the disk fails to sync, `unsynced` is called, which must
    not return.
    """

    def __init__(
        self,
        folder: Path,
        address: str = "",
        max_bytes: int | None = None,
        without_lost: bool = False,
        unsynced: Callable[[s.StoreError], NoReturn] = end_process,
    ) -> None:
        self.lock, self._unsynced = FolderLock(folder, address), unsynced
        self.path = folder / database.NAME
        try:
            self._writer = database.open_database(self.path)
            with sqlite_errors.as_store_errors(self.path):
                if max_bytes is not None:
                    self._writer.pragma(
                        "max_page_count", max_bytes // self._writer.pragma("page_size")
                    )
                try:
                    _add_secret(self._writer)
                    self._witness = logs.witnessed(self._writer, self.path, without_lost)
                except BaseException:
                    self._writer.close()
                    raise
            super().__init__(self.path, database.open_database(self.path))
        except BaseException:
            self.lock.release()
            raise
        self._batches: Batches[_Job] = Batches(self._commit)

    def submit(self, append: s.Append) -> Future[s.Answer]:
        rows = [to_row(record) for record in append.records]
        return self._submit(lambda db: _append(db, append, rows), append.table)

    def append(self, append: s.Append) -> s.Answer:
        return self.submit(append).result()

    def mark(self, table: str, mark: s.Mark, at: int) -> None:
        columns: dict[s.Mark, str] = {"closed": "closed", "archived": "archived"}
        sql = f"UPDATE tables SET {columns[mark]} = ? WHERE id = ? AND NOT deleted"
        self._submit(lambda db: _check_one_table(db, sql, (at, table), table)).result()

    def delete(self, table: str, at: int) -> None:
        def work(db: apsw.Connection) -> None:
            sql = (
                "UPDATE tables SET title = '', last = 0, link = x'', deleted = ? WHERE id = ? AND"
                " NOT deleted"
            )
            _check_one_table(db, sql, (at, table), table)
            for name in ("events", "answers", "grants", "pictures"):
                db.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
            for name in (kept_text_key(table), logs.answers_fact(table), logs.grants_fact(table)):
                db.execute("DELETE FROM facts WHERE name = ?", (name,))

        self._submit(work, table).result()

    def keep(self, table: str, text: str) -> None:
        sql = "INSERT INTO facts SELECT ?, ? FROM tables WHERE id = ? AND NOT deleted "
        sql += "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        self._submit(lambda db: db.execute(sql, (kept_text_key(table), text, table)).fetchall())

    def put_picture(self, table: str, key: str, picture: bytes) -> None:
        sql = "INSERT INTO pictures SELECT id, ?, ?, ? FROM tables WHERE id = ? AND NOT deleted"
        row = s.picture_row(table, key, picture)[1:]

        def work(db: apsw.Connection) -> None:
            if not _rows(db, "SELECT 1 FROM pictures WHERE table_id = ? AND key = ?", (table, key)):
                _check_one_table(db, sql, (*row, table), table)

        self._submit(work).result()

    def drop_pictures(self, table: str, before: str) -> None:
        if not (old := [key for key in self.pictures(table) if key < before]):
            return
        sql = "SELECT seq, data FROM events WHERE table_id = ? ORDER BY seq"
        rows = self._read(sql, (table,))
        last = rows[-1][0] if rows else 0
        # The log was read without the writer; records may have come since.
        drop = (
            "DELETE FROM pictures WHERE table_id = ?1 AND key = ?2 AND NOT EXISTS (SELECT 1 FROM"
            " events WHERE table_id = ?1 AND seq > ?3 AND instr(data, ?2))"
        )

        def work(db: apsw.Connection) -> None:
            for key in s.unnamed(old, (data for _, data in rows)):
                db.execute(drop, (table, key, last))

        self._submit(work).result()

    def grant(self, grant: s.Grant) -> None:
        def work(db: apsw.Connection) -> None:
            old = (grant.table, grant.made - s.REVOKED_KEPT_MS)
            db.execute("DELETE FROM grants WHERE table_id = ? AND revoked > 0 AND revoked < ?", old)
            db.execute(
                "INSERT OR REPLACE INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(grant)
            )
            logs.keep_grants(db, grant.table)

        self._submit(work).result()

    def grants(
        self, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> list[s.Grant]:
        condition, values = _condition(hash, table, seat)
        return [
            s.Grant(*row)
            for row in self._read(f"SELECT * FROM grants WHERE {condition} ORDER BY rowid", values)
        ]

    def revoke(
        self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        condition, values = _condition(hash, table, seat)
        if not values:
            raise BadValue("Say which grants to revoke: by hash, table or seat.")

        def work(db: apsw.Connection) -> int:
            tables = _rows(
                db,
                f"SELECT DISTINCT table_id FROM grants WHERE {condition} AND NOT revoked",
                values,
            )
            db.execute(
                f"UPDATE grants SET revoked = ? WHERE {condition} AND NOT revoked", (at, *values)
            )
            revoked = db.changes()
            for [table] in tables:
                logs.keep_grants(db, table)
            return revoked

        return self._submit(work).result()

    def every_listing(self) -> list[s.Listing]:
        """Every table, deleted ones included."""
        return [
            s.Listing(*row) for row in self._read(f"SELECT {s.LISTING} FROM tables ORDER BY id")
        ]

    def answers(self, table: str) -> list[logs.AnswerRow]:
        """The stored answers to tokens at a table, in the order of its log."""
        names = ", ".join(logs.AnswerRow._fields)
        rows = self._read(f"SELECT {names} FROM answers WHERE table_id = ? ORDER BY seq", (table,))
        return [logs.AnswerRow(*row) for row in rows]

    def record_deleted(self, listing: s.Listing) -> None:
        """Note a deleted table, so that its id is not used again."""
        sql = f"INSERT INTO tables ({s.LISTING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._submit(lambda db: db.execute(sql, astuple(listing)).fetchall(), listing.id).result()

    def take_identity(self, epoch: str, secret: str) -> None:
        """Take the epoch and the secret of another store, whose records are here now."""

        def work(db: apsw.Connection) -> None:
            for fact in ((epoch, "epoch"), (secret, "secret")):
                db.execute("UPDATE facts SET value = ? WHERE name = ?", fact)

        self._submit(work).result()
        self.epoch, self.secret = epoch, secret

    def check(self) -> None:
        """Read the whole database; `StoreDamaged` if any page is not as it was written."""
        with sqlite_errors.as_store_errors(self.path):
            db = database.connect(self.path, apsw.SQLITE_OPEN_READWRITE)
            try:
                database.check(db, self.path)
            finally:
                db.close()

    def close(self) -> None:
        if not self._batches.close():
            return
        with self._reading:
            self._closed = True
            self._reader.close()
        self._writer.close()
        self._witness.close()
        self.lock.release()

    def _submit(self, work: Callable[[apsw.Connection], T], table: str = "") -> Future[T]:
        """Queue this work; `table` names the table whose log it changes."""
        future: Future[T] = Future()
        self._batches.put(_Job(work, future, table))
        return future

    def _commit(self, jobs: list[_Job]) -> None:
        """Write a batch, commit once, and answer."""
        db = self._writer
        results: list[Any] = []
        try:
            changes = db.total_changes()
            db.execute("BEGIN IMMEDIATE")
            for job in jobs:
                db.execute("SAVEPOINT move")
                try:
                    results.append(job.work(db))
                except apsw.Error:
                    raise
                except Exception as refusal:
                    db.execute("ROLLBACK TO move")
                    results.append(refusal)
                db.execute("RELEASE move")
            if db.total_changes() > changes:
                line = self._count_commit(db, {job.table for job in jobs})
                self._witness.reserve(line)
                db.execute("COMMIT")
                self._witness_commit(line)
            else:
                db.execute("COMMIT")
        except Exception as error:
            if getattr(error, "extendedresult", 0) in sqlite_errors.UNSYNCED:
                self._unsynced(s.StoreError(Phrase("log.unsynced", path=self.path, why=error)))
            if db.in_transaction:
                with suppress(apsw.Error):
                    db.execute("ROLLBACK")
            # One error for each future, because each caller adds its own traceback.
            results = [sqlite_errors.store_error(error, self.path) for _ in jobs]
        for job, result in zip(jobs, results, strict=True):
            if isinstance(result, Exception):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)

    def _count_commit(self, db: apsw.Connection, tables: Iterable[str]) -> bytes:
        """Count this commit, and return the line of the witness for it."""
        db.execute("UPDATE facts SET value = value + 1 WHERE name = 'commits'")
        heads = {table: head for table in tables if table and (head := logs.head(db, table))}
        return commit_line(logs.commits(db), heads)

    def _witness_commit(self, line: bytes) -> None:
        """Record the last commit with the witness; nothing is acknowledged if that fails."""
        try:
            self._witness.add(line)
            if self._witness.large:
                self._witness.begin(logs.commits(self._writer), logs.heads(self._writer))
        except OSError as error:
            self._unsynced(
                s.StoreError(Phrase("log.unsynced", path=self._witness.path, why=error.strerror))
            )


def _rows(db: apsw.Connection, sql: str, values: tuple[str | int, ...] = ()) -> list[Any]:
    return db.execute(sql, values).fetchall()


def _append(db: apsw.Connection, append: s.Append, rows: list[EventRow]) -> s.Answer:
    table, key = append.table, (append.table, append.seat, append.token)
    if append.token and (known := _rows(db, ANSWER, key)):
        return s.same_command(append, s.Answer(*known[0]))
    found = _rows(db, f"SELECT {s.LISTING} FROM tables WHERE id = ?", (table,))
    listing = s.Listing(*found[0]) if found else s.Listing(table)
    if listing.deleted or (not found and append.after):
        raise s.no_table(table)
    head = logs.head(db, table) or chain.NOTHING
    if head.seq != append.after:
        raise s.conflict(append, head.seq)
    listing = listing.after(append.records)
    linked = [
        (table, *row, link)
        for row, link in zip(rows, chain.links(head.link, table, rows), strict=True)
    ]
    db.execute(
        f"INSERT INTO tables ({s.LISTING}, last, link) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON"
        " CONFLICT DO UPDATE SET system = excluded.system, title = excluded.title, created ="
        " excluded.created, changed = excluded.changed, last = excluded.last, link ="
        " excluded.link",
        (*astuple(listing), head.seq + len(rows), linked[-1][-1]),
    )
    names = ", ".join(EventRow._fields)
    db.executemany(
        f"INSERT INTO events (table_id, {names}, link) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", linked
    )
    answer = s.Answer(head.seq + len(rows), append.request_hash, append.answer)
    if append.token:
        row = logs.AnswerRow(
            append.seat, append.token, answer.seq, answer.request_hash, answer.answer
        )
        db.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", (table, *row))
        logs.keep_answer(db, table, row)
    return answer


def _check_one_table(
    db: apsw.Connection, sql: str, values: tuple[str | int | bytes, ...], table: str
) -> None:
    db.execute(sql, values)
    if not db.changes():
        raise s.no_table(table)


def _condition(
    hash: str | None, table: str | None, seat: str | None
) -> tuple[str, tuple[str, ...]]:
    given = {
        name: value
        for name, value in (("hash", hash), ("table_id", table), ("seat", seat))
        if value is not None
    }
    return " AND ".join(f"{name} = ?" for name in given) or "1", tuple(given.values())
