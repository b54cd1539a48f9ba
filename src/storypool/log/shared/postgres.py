"""The store on a PostgreSQL server: many processes, on many machines, may write to it.

A number in a log belongs to the first process that commits a record with it. After a lost
connection, the rows show which jobs were stored, and the rest is tried again. `relations` has the
contents of the database.
"""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import astuple, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from storypool.engine.events import Record
from storypool.log import chain
from storypool.log import store as s
from storypool.log.batches import Batches
from storypool.log.chain import Head
from storypool.log.codec import from_row, to_row
from storypool.log.logs import AnswerRow
from storypool.log.shared import processes, relations
from storypool.log.shared.notifying import Notifications
from storypool.log.shared.reconnecting import Connection, Connections, Database
from storypool.log.shared.relations import NotTogether, Pending, text
from storypool.log.shared.shared_store import GRANTS, PRESENCE, End
from storypool.words import BadValue, Phrase

MAX_READERS = 4
"""The most connections on which one process reads; one more writes."""
MAX_TRIES = 8
"""The most attempts at an append when other processes are quicker."""

T = TypeVar("T")
_GRANT = "hash, kind, table_id, seat, side, note, made, revoked"


class _Job(NamedTuple):
    """A write: an append, which shares its commit with others, or work in its own transaction."""

    future: Future[Any]
    table: str | None
    append: Pending | None = None
    work: Callable[[Connection, bool], Any] | None = None


class Size(NamedTuple):
    """The size of a database: its tables, without deleted ones, and its records."""

    tables: int
    n: int


class PostgresStore:
    """A `SharedStore` in a PostgreSQL database.

    Appends that arrive during a commit share the next one. Where another process writes to one of
    their tables at that moment, each gets a transaction of its own, so that only those that really
    collide are refused. While the server cannot be reached, everything waits for up to ten seconds
    and is tried again.

    Raises `StoreError` if the database cannot be used. Without `makes` nothing is made or brought
    to this form there, and an empty one is an error.
    """

    def __init__(self, url: str, makes: bool = True) -> None:
        database = Database(url)
        self.place = str(database)
        self._writing, self._reading = Connections(database, 1), Connections(database, MAX_READERS)
        try:
            facts = self._writing.do(lambda db, _: relations.prepared(db, makes))
            if not facts:
                raise s.StoreError(Phrase("log.postgres.none", place=self.place))
        except BaseException:
            self._writing.close()
            raise
        self.epoch, self.secret = facts["epoch"], facts["secret"]
        self._notifications = Notifications(database)
        self._batches: Batches[_Job] = Batches(self._write)

    def submit(self, append: s.Append) -> Future[s.Answer]:
        future: Future[s.Answer] = Future()
        pending = Pending(append, [to_row(record) for record in append.records], future)
        self._batches.put(_Job(future, append.table, pending))
        return future

    def append(self, append: s.Append) -> s.Answer:
        return self.submit(append).result()

    def answered(self, table: str, seat: str, token: str) -> s.Answer | None:
        key = (table, seat, text(token))

        def work(db: Connection) -> s.Answer | None:
            if found := relations.answered(db, [key]).get(key):
                relations.wait_for_standby(db, [table])
            return found

        return self._read(work)

    def read(self, table: str, after: int = 0, upto: int | None = None) -> list[Record]:
        last = relations.LAST_SEQ if upto is None else upto
        rows = self._read(lambda db: relations.rows(db, table, after, last))
        before = chain.NOTHING
        if rows and after:
            # Start at the record before those asked for: they follow its link.
            row, link = rows.pop(0)
            before = Head(row.seq, link)
        if rows and (n := chain.broken(before, table, rows)):
            raise self._not_as_written(table, n)
        return [from_row(*row) for row, _ in rows]

    def verify(self, table: str) -> None:
        if n := self._read(partial(relations.broken, table=table)):
            raise self._not_as_written(table, n)

    def listing(self, table: str) -> s.Listing | None:
        sql = f"SELECT {s.LISTING} FROM storypool.tables WHERE id = %s"
        found: list[Any] = self._read(lambda db: db.execute(sql, (table,)).fetchall())
        return s.Listing(*found[0]) if found else None

    def listings(self) -> list[s.Listing]:
        sql = f"SELECT {s.LISTING} FROM storypool.tables WHERE deleted = 0"
        found: list[Any] = self._read(lambda db: db.execute(sql).fetchall())
        # Sort here: the database has its own order of texts.
        return sorted((s.Listing(*row) for row in found), key=lambda one: (-one.changed, one.id))

    def mark(self, table: str, mark: s.Mark, at: int) -> None:
        columns: dict[s.Mark, str] = {"closed": "closed", "archived": "archived"}
        sql = f"UPDATE storypool.tables SET {columns[mark]} = %s WHERE id = %s AND deleted = 0"

        def work(db: Connection, is_retry: bool) -> None:
            if not db.execute(sql, (at, table)).rowcount:
                raise s.no_table(table)

        self._submit(work, table).result()

    def delete(self, table: str, at: int) -> None:
        sql = (
            "UPDATE storypool.tables SET title = '', last = 0, link = '', deleted = %s WHERE id ="
            " %s AND "
        )

        def work(db: Connection, is_retry: bool) -> None:
            with db.transaction():
                gone = db.execute(sql + "deleted = 0", (at, table)).rowcount
                # If the connection was lost, this very call may have deleted it.
                if not gone and not (
                    is_retry and db.execute(sql + "deleted = %s", (at, table, at)).rowcount
                ):
                    raise s.no_table(table)
                for name in ("events", "answers", "grants", "kept", "pictures"):
                    db.execute(f"DELETE FROM storypool.{name} WHERE table_id = %s", (table,))

        self._submit(work, table).result()

    def keep(self, table: str, text: str) -> None:
        sql = (
            "INSERT INTO storypool.kept SELECT id, %s FROM storypool.tables WHERE id = %s AND"
            " deleted = 0 "
        )
        sql += "ON CONFLICT (table_id) DO UPDATE SET value = excluded.value"
        self._submit(lambda db, _: db.execute(sql, (text, table)).rowcount, table)

    def kept(self, table: str) -> str:
        sql = "SELECT value FROM storypool.kept WHERE table_id = %s"
        found: list[Any] = self._read(lambda db: db.execute(sql, (table,)).fetchall())
        return str(found[0][0]) if found else ""

    def put_picture(self, table: str, key: str, picture: bytes) -> None:
        sql = (
            "INSERT INTO storypool.pictures SELECT id, %s, %s, %s FROM storypool.tables WHERE id ="
            " %s AND deleted = 0 ON CONFLICT (table_id, key) DO NOTHING"
        )
        row = s.picture_row(table, key, picture)[1:]

        def work(db: Connection, is_retry: bool) -> None:
            if not db.execute(sql, (*row, table)).rowcount and key not in _pictures(db, table):
                raise s.no_table(table)

        self._submit(work, None).result()

    def drop_pictures(self, table: str, before: str) -> None:
        if not (old := [key for key in self.pictures(table) if key < before]):
            return
        texts = (
            "SELECT seq, data FROM storypool.events WHERE table_id = %s AND seq > %s ORDER BY seq"
        )
        rows: list[Any] = self._read(lambda db: db.execute(texts, (table, 0)).fetchall())
        last = rows[-1][0] if rows else 0
        lock = "SELECT 1 FROM storypool.tables WHERE id = %s FOR UPDATE"
        drop = "DELETE FROM storypool.pictures WHERE table_id = %s AND key = ANY(%s)"

        def work(db: Connection, is_retry: bool) -> None:
            with db.transaction():
                # Appends of every process wait meanwhile; read the records that came since.
                db.execute(lock, (table,))
                new: list[Any] = db.execute(texts, (table, last)).fetchall()
                unnamed = s.unnamed(old, (data for _, data in [*rows, *new]))
                db.execute(drop, (table, unnamed))

        self._submit(work, None).result()

    def picture(self, table: str, key: str) -> bytes | None:
        sql = "SELECT hash, data FROM storypool.pictures WHERE table_id = %s AND key = %s"
        found: list[Any] = self._read(lambda db: db.execute(sql, (table, key)).fetchall())
        return s.whole_picture(key, *map(bytes, found[0])) if found else None

    def pictures(self, table: str) -> dict[str, int]:
        return self._read(lambda db: _pictures(db, table))

    def replace_kept(self, table: str, was: str, now: str) -> bool:
        new = (
            "INSERT INTO storypool.kept SELECT id, %s FROM storypool.tables WHERE id = %s AND"
            " deleted = 0 "
        )
        new += "ON CONFLICT (table_id) DO NOTHING"
        old = "UPDATE storypool.kept SET value = %s WHERE table_id = %s AND value = %s"

        def work(db: Connection, is_retry: bool) -> bool:
            done = db.execute(old, (now, table, was)) if was else db.execute(new, (now, table))
            # If the connection was lost, this very call may have replaced it.
            return done.rowcount == 1 or (
                is_retry and db.execute(old, (now, table, now)).rowcount == 1
            )

        return self._submit(work, None).result()

    def grant(self, grant: s.Grant) -> None:
        sql = f"INSERT INTO storypool.grants ({_GRANT}, stored, touched) "
        sql += "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, clock_timestamp(), clock_timestamp()) "
        sql += (
            "ON CONFLICT (hash, table_id, seat) DO UPDATE SET kind = excluded.kind, side ="
            " excluded.side, "
        )
        sql += (
            "note = excluded.note, made = excluded.made, revoked = excluded.revoked, stored ="
            " excluded.stored, "
        )
        sql += "touched = excluded.touched"
        values = astuple(replace(grant, note=text(grant.note)))
        old = "DELETE FROM storypool.grants WHERE table_id = %s AND revoked > 0 AND revoked < %s"

        def work(db: Connection, is_retry: bool) -> int:
            db.execute(old, (grant.table, grant.made - s.REVOKED_KEPT_MS))
            return db.execute(sql, values).rowcount

        self._submit(work, GRANTS).result()

    def grants(
        self, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> list[s.Grant]:
        condition, values = _condition(hash, table, seat)
        sql = f"SELECT {_GRANT} FROM storypool.grants WHERE {condition} ORDER BY stored"
        found: list[Any] = self._read(lambda db: db.execute(sql, values).fetchall())
        return [s.Grant(*row) for row in found]

    def revoke(
        self, at: int, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        condition, values = _condition(hash, table, seat)
        if not values:
            raise BadValue("Say which grants to revoke: by hash, table or seat.")
        sql = "UPDATE storypool.grants SET revoked = %s, touched = clock_timestamp() "
        sql += f"WHERE {condition} AND revoked IN (0, %s)"

        def work(db: Connection, is_retry: bool) -> int:
            # If the connection was lost, this very call may have revoked them.
            return db.execute(sql, (at, *values, at if is_retry else 0)).rowcount

        return self._submit(work, GRANTS).result()

    def listen(self, notify: Callable[[Collection[str]], object]) -> None:
        with suppress(s.StoreError):
            self._reading.do(lambda db, _: processes.forget_processes(db))
        self._notifications.listen(notify)

    def present(self, process: str, changed: Mapping[str, Collection[str]]) -> None:
        here = [
            (table, process, " ".join(sorted(seats)))
            for table, seats in sorted(changed.items())
            if seats
        ]
        gone = [table for table, seats in changed.items() if not seats]
        self._reading.do(lambda db, _: processes.set_present(db, process, here, gone))
        self._notifications.notify({PRESENCE + table for table in changed}, self._reading)

    def present_elsewhere(self, process: str, tables: Collection[str]) -> dict[str, set[str]]:
        return self._read(lambda db: processes.present_elsewhere(db, process, list(tables)))

    def ends(self, tables: Collection[str]) -> dict[str, End]:
        sql = "SELECT id, last, closed, deleted FROM storypool.tables WHERE id = ANY(%s)"
        found: list[Any] = self._read(lambda db: db.execute(sql, (list(tables),)).fetchall())
        return {id: End(*end) for id, *end in found}

    def grants_since(self, seconds: float) -> list[s.Grant]:
        sql = (
            f"SELECT {_GRANT} FROM storypool.grants WHERE touched > clock_timestamp() - %s *"
            " interval '1 second'"
        )
        found: list[Any] = self._read(lambda db: db.execute(sql, (seconds,)).fetchall())
        return [s.Grant(*row) for row in found]

    def take(self, bucket: str, burst: float, each_second: float) -> float:
        # A retry after a lost connection may take twice: then one client waits a little longer.
        return self._read(lambda db: processes.take(db, bucket, burst, each_second))

    def every_listing(self) -> list[s.Listing]:
        """Every table, deleted ones included."""
        sql = f"SELECT {s.LISTING} FROM storypool.tables"
        found: list[Any] = self._read(lambda db: db.execute(sql).fetchall())
        return sorted((s.Listing(*row) for row in found), key=lambda one: one.id)

    def answers(self, table: str) -> list[AnswerRow]:
        """The stored answers to tokens at a table, in the order of its log."""
        names = ", ".join(AnswerRow._fields)
        sql = f"SELECT {names} FROM storypool.answers WHERE table_id = %s ORDER BY seq"
        found: list[Any] = self._read(lambda db: db.execute(sql, (table,)).fetchall())
        return [AnswerRow(*row) for row in found]

    def record_deleted(self, listing: s.Listing) -> None:
        """Note a deleted table, so that its id is not used again."""
        sql = f"INSERT INTO storypool.tables ({s.LISTING}, last, link) "
        sql += "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, 0, '') ON CONFLICT (id) DO NOTHING"
        self._submit(lambda db, _: db.execute(sql, astuple(listing)).rowcount, listing.id).result()

    def take_identity(self, epoch: str, secret: str) -> None:
        """Take the epoch and the secret of another store, whose records are here now."""
        facts = ((epoch, "epoch"), (secret, "secret"))
        sql = "UPDATE storypool.facts SET value = %s WHERE name = %s"

        def work(db: Connection, is_retry: bool) -> None:
            with db.transaction():
                for fact in facts:
                    db.execute(sql, fact)

        self._submit(work, None).result()
        self.epoch, self.secret = epoch, secret

    def check(self) -> Size:
        """Read and count every log; `StoreDamaged` if any record is not as it was written."""
        tables = n = 0
        for table, head in self._read(lambda db: list(relations.heads(db))):
            at = self._read(partial(relations.broken, table=table))
            if at and not self.ends([table])[table].deleted:
                raise self._not_as_written(table, at)
            tables, n = tables + (head.seq > 0), n + head.seq
        return Size(tables, n)

    def begin_epoch(self) -> None:
        """Take another epoch, since numbers may now stand for other records.

        No server may run meanwhile.
        """
        self.take_identity(secrets.token_hex(8), self.secret)

    def close(self) -> None:
        if self._batches.close():
            self._notifications.close()
            self._writing.close()
            self._reading.close()

    def _submit(self, work: Callable[[Connection, bool], T], table: str | None) -> Future[T]:
        """Queue this work; `table` is the changed table, None to notify nobody."""
        future: Future[T] = Future()
        self._batches.put(_Job(future, table, work=work))
        return future

    def _read(self, work: Callable[[Connection], T]) -> T:
        return self._reading.do(lambda db, _: work(db))

    def _write(self, jobs: list[_Job]) -> None:
        """Write a batch, each run of appends in one transaction, answer, and notify others."""
        together: list[Pending] = []
        for job in jobs:
            if job.append is not None:
                together.append(job.append)
                continue
            self._append(together)
            together = []
            assert job.work is not None
            try:
                job.future.set_result(self._writing.do(job.work))
            except Exception as error:
                job.future.set_exception(error)
        self._append(together)
        # Notify outside the transactions: it locks the whole server. Followers ask for missed
        # records.
        changed = {
            job.table for job in jobs if job.table is not None and job.future.exception() is None
        }
        self._notifications.notify(changed, self._writing)

    def _append(self, pending: list[Pending]) -> None:
        """Store appends in one transaction.

        If other processes write to one of the tables, each gets its own transaction.
        """
        if not pending:
            return
        for _ in range(1 if len(pending) > 1 else MAX_TRIES):
            results: Sequence[s.Answer | Exception]
            try:
                results = self._writing.do(
                    lambda db, is_retry: relations.append_all(db, pending, is_retry)
                )
            except NotTogether:
                continue
            except Exception as error:
                # One error for each future, because each caller adds its own traceback.
                results = [type(error)(*error.args) for _ in pending]
            for one, result in zip(pending, results, strict=True):
                if isinstance(result, Exception):
                    one.future.set_exception(result)
                else:
                    one.future.set_result(result)
            return
        if len(pending) == 1:
            pending[0].future.set_exception(s.Conflict(Phrase("live.busy")))
        else:
            for one in pending:
                self._append([one])

    def _not_as_written(self, table: str, n: int) -> s.StoreDamaged:
        return s.StoreDamaged(Phrase("log.broken", path=self.place, table=table, n=n))


def _condition(
    hash: str | None, table: str | None, seat: str | None
) -> tuple[str, tuple[str, ...]]:
    given = {
        name: value
        for name, value in (("hash", hash), ("table_id", table), ("seat", seat))
        if value is not None
    }
    return " AND ".join(f"{name} = %s" for name in given) or "true", tuple(given.values())


def _pictures(db: Connection, table: str) -> dict[str, int]:
    sql = "SELECT key, length(data) FROM storypool.pictures WHERE table_id = %s"
    found: list[Any] = db.execute(sql, (table,)).fetchall()
    return dict(found)
