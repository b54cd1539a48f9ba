"""The contents of a PostgreSQL database: its relations, and storing appends in one transaction.

Everything is plain SQL that Citus, YugabyteDB and CockroachDB understand too. `id` and `table_id`
are the columns to shard by. All of it is correct at READ COMMITTED and above: the key of `events`
is the compare-and-swap, and no other lock is asked for.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import astuple, dataclass
from typing import Any, NamedTuple

import psycopg
from psycopg import errors

from storypool.log import chain
from storypool.log import store as s
from storypool.log.chain import Head
from storypool.log.codec import EventRow
from storypool.log.shared.reconnecting import Connection
from storypool.words import Phrase, StorypoolError

SCHEMA = """
CREATE SCHEMA IF NOT EXISTS storypool;
CREATE TABLE storypool.facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- The end of each table's log: its last record and the link of that; 0 if the table was deleted.
CREATE TABLE storypool.tables (
    id TEXT PRIMARY KEY, system TEXT NOT NULL, title TEXT NOT NULL, created BIGINT NOT NULL,
    changed BIGINT NOT NULL, closed BIGINT NOT NULL, archived BIGINT NOT NULL,
    deleted BIGINT NOT NULL, last BIGINT NOT NULL, link BYTEA NOT NULL
);

-- The log. The key is the compare-and-swap. In a log that a player took home, a hidden event has
-- no name.
CREATE TABLE storypool.events (
    table_id TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, seat TEXT NOT NULL,
    seen_by TEXT, name TEXT, v BIGINT NOT NULL, data TEXT NOT NULL, link BYTEA NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE TABLE storypool.answers (
    table_id TEXT NOT NULL, seat TEXT NOT NULL, token TEXT NOT NULL,
    seq BIGINT NOT NULL, request_hash TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (table_id, seat, token)
);

CREATE TABLE storypool.kept (table_id TEXT PRIMARY KEY, value TEXT NOT NULL);

-- An empty table_id is the whole server. `stored` orders lists, and `touched` is the time at which
-- a row was last written.
CREATE TABLE storypool.grants (
    hash TEXT NOT NULL, kind TEXT NOT NULL, table_id TEXT NOT NULL, seat TEXT NOT NULL,
    side TEXT NOT NULL, note TEXT NOT NULL, made BIGINT NOT NULL, revoked BIGINT NOT NULL,
    stored TIMESTAMPTZ NOT NULL, touched TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (hash, table_id, seat)
);
CREATE INDEX grants_at_table ON storypool.grants (table_id, seat);
CREATE INDEX grants_touched ON storypool.grants (touched);

-- The seats that follow a table at a process, separated by spaces, while the process reports that
-- it runs.
CREATE TABLE storypool.processes (id TEXT PRIMARY KEY, seen TIMESTAMPTZ NOT NULL);
CREATE TABLE storypool.presence (
    table_id TEXT NOT NULL, process TEXT NOT NULL, seats TEXT NOT NULL,
    PRIMARY KEY (table_id, process)
)
"""
BUCKETS = """
-- Token buckets that are not full, and when they will be.
CREATE TABLE storypool.buckets (id TEXT PRIMARY KEY, full_at TIMESTAMPTZ NOT NULL);
CREATE INDEX buckets_full_at ON storypool.buckets (full_at)
"""
PICTURES = """
-- Pictures, each with its SHA-256; a key cannot be guessed.
CREATE TABLE storypool.pictures (
    table_id TEXT NOT NULL, key TEXT NOT NULL, hash BYTEA NOT NULL, data BYTEA NOT NULL,
    PRIMARY KEY (table_id, key)
)
"""
MIGRATIONS = (SCHEMA, BUCKETS, PICTURES)
"""The migration from each version of the schema to the next; a new database runs all of them."""
LAST_SEQ = (1 << 63) - 1

_EVENT = ", ".join(EventRow._fields)
_MADE_ELSEWHERE = (
    errors.UniqueViolation,
    errors.DuplicateTable,
    errors.DuplicateSchema,
    errors.DuplicateObject,
)


class NotTogether(StorypoolError):
    """Appends that cannot share a transaction: one lost a race for a table or cannot be stored."""


class Pending(NamedTuple):
    """An append, with its records as rows, and the future of its answer."""

    append: s.Append
    rows: list[EventRow]
    future: Future[s.Answer]


def prepared(db: Connection, makes: bool = True) -> dict[str, str]:
    """The facts of a database by name, after making the relations that it lacks.

    Without `makes` it is left as it is, and an empty one has no facts.

    Raises `StoreNewer` if they come from a newer version, and `StoreError` if what the server
    acknowledges might be lost, or if it cannot keep every text.
    """
    for name in ("synchronous_commit", "fsync"):
        if _setting(db, name) == "off":
            raise s.StoreError(Phrase("log.postgres.unsafe", name=name))
    if (encoding := _setting(db, "server_encoding")).upper() not in ("UTF8", ""):
        raise s.StoreError(Phrase("log.postgres.encoding", encoding=encoding))
    try:
        found = _facts(db)
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        if not makes:
            return {}
        found = {"schema": "0", "epoch": secrets.token_hex(8), "secret": secrets.token_hex(32)}
    version = int(found["schema"])
    if version > len(MIGRATIONS):
        raise s.StoreNewer(Phrase("log.postgres.newer", found=version, known=len(MIGRATIONS)))
    if makes and version < len(MIGRATIONS):
        _migrate(db, version, {**found, "schema": str(len(MIGRATIONS))})
        found = _facts(db)
    return found


DENIED = """
SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = 'storypool' AND relkind = 'r' AND NOT (
    has_table_privilege(pg_class.oid, 'SELECT') AND has_table_privilege(pg_class.oid, 'INSERT')
    AND has_table_privilege(pg_class.oid, 'UPDATE') AND has_table_privilege(pg_class.oid, 'DELETE')
)
"""


def denied(db: Connection) -> int:
    """The number of relations this user may not write, after a write that the caller rolls back.

    Raises the database's error for a write, as on a standby, or where no schema may be made.
    """
    there = db.execute("SELECT to_regclass('storypool.facts')").fetchone() != (None,)
    db.execute("UPDATE storypool.facts SET value = value" if there else "CREATE SCHEMA storypool")
    found = db.execute(DENIED).fetchone()
    return int(str(found[0])) if found else 0


def _migrate(db: Connection, version: int, facts: Mapping[str, str]) -> None:
    sql = (
        "INSERT INTO storypool.facts VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value ="
        " excluded.value"
    )
    try:
        with db.transaction():
            for migration in MIGRATIONS[version:]:
                db.execute(migration)
            for fact in facts.items():
                db.execute(sql, fact)
    except _MADE_ELSEWHERE as error:
        # Another process was making the same relation: a retry finds it.
        raise psycopg.OperationalError(*error.args) from error


def _facts(db: Connection) -> dict[str, str]:
    found = db.execute("SELECT name, value FROM storypool.facts").fetchall()
    return {str(name): str(value) for name, value in found}


def _setting(db: Connection, name: str) -> str:
    row = db.execute("SELECT current_setting(%s, true)", (name,)).fetchone()
    return str(row[0] or "") if row else ""


def text(value: str) -> str:
    """A text as PostgreSQL can keep it: it has no zero character."""
    return value.replace("\0", "\N{SYMBOL FOR NULL}")


def rows(
    db: Connection, table: str, after: int = 0, upto: int = LAST_SEQ
) -> list[tuple[EventRow, bytes]]:
    """A table's stored records from number `after` up to `upto`, each with its link."""
    sql = (
        f"SELECT {_EVENT}, link FROM storypool.events WHERE table_id = %s AND seq >= %s AND seq <="
        " %s ORDER BY seq"
    )
    found: list[Any] = db.execute(sql, (table, after, upto), binary=True).fetchall()
    return [(EventRow(*row), bytes(link)) for *row, link in found]


def answered(
    db: Connection, keys: Sequence[tuple[str, str, str]]
) -> dict[tuple[str, str, str], s.Answer]:
    """The stored answers to these tokens, by table, seat and token."""
    found: list[Any] = db.execute(
        "SELECT table_id, seat, token, seq, request_hash, answer FROM storypool.answers WHERE"
        " (table_id, seat, token) IN (SELECT * FROM unnest(%s::text[], %s::text[], %s::text[]))",
        columns(keys, 3),
    ).fetchall()
    return {(table, seat, token): s.Answer(*answer) for table, seat, token, *answer in found}


@dataclass(slots=True)
class _End:
    """A table in a transaction: its listing, and its log's present and first end (None if new)."""

    listing: s.Listing
    head: Head
    was: int | None


def append_all(
    db: Connection, pending: Sequence[Pending], is_retry: bool
) -> list[s.Answer | s.StoreError]:
    """Store appends in one transaction, in their order, and return the result of each.

    `is_retry`: an earlier try may have been committed, and records that are as in these appends are
    theirs. Raises `NotTogether` when nothing is stored because of one of them.
    """
    # Every process takes the tables in one order, so that no two wait for each other.
    order = sorted(range(len(pending)), key=lambda n: pending[n].append.table)
    try:
        with db.transaction():
            work = _Transaction(db, pending, is_retry)
            results = {n: work.decide(pending[n]) for n in order}
            work.write()
    except (psycopg.DataError, UnicodeError) as error:
        if len(pending) == 1:
            raise
        raise NotTogether from error
    except errors.UniqueViolation as error:
        raise NotTogether from error
    return [results[n] for n in range(len(pending))]


class _Transaction:
    """The appends of one transaction: decided by the stored rows, written in a few statements."""

    def __init__(self, db: Connection, pending: Sequence[Pending], is_retry: bool) -> None:
        self.db, self.is_retry = db, is_retry
        keys = [_key(one.append) for one in pending if one.append.token]
        with db.pipeline():
            ids = sorted({one.append.table for one in pending})
            found = db.execute(
                f"SELECT {s.LISTING}, last, link FROM storypool.tables WHERE id = ANY(%s)", (ids,)
            )
            # Read answers after tables: a token is found even if its record is newer than the
            # tables read.
            self.known = answered(db, keys) if keys else {}
            listed: list[Any] = found.fetchall()
        self.ends = {
            row[0]: _End(s.Listing(*row[:8]), Head(row[8], bytes(row[9])), row[8]) for row in listed
        }
        self.results: dict[Future[s.Answer], s.Answer | s.StoreError] = {}
        self.events: list[tuple[object, ...]] = []
        self.answers: list[tuple[object, ...]] = []
        self.changed: dict[str, _End] = {}
        self.stored_before: set[str] = set()

    def decide(self, one: Pending) -> s.Answer | s.StoreError:
        """The result of an append, written together with the others if possible."""
        try:
            result: s.Answer | s.StoreError = self._decided(one)
        except s.StoreError as error:
            result = error
        self.results[one.future] = result
        return result

    def _decided(self, one: Pending) -> s.Answer:
        append, key = one.append, _key(one.append)
        answer = s.Answer(append.after + len(one.rows), append.request_hash, append.answer)
        end = self.ends.get(append.table)
        if (
            self.is_retry
            and end is not None
            and end.head.seq >= answer.seq
            and self._is_stored(one)
        ):
            self.stored_before.add(append.table)
            return answer
        if append.token and (known := self.known.get(key)):
            self.stored_before.add(append.table)
            return s.same_command(append, known)
        if end is None and not append.after:
            end = self.ends[append.table] = _End(s.Listing(append.table), chain.NOTHING, None)
        elif end is None or end.listing.deleted:
            raise s.no_table(append.table)
        if end.head.seq != append.after or predecessor_failed(append.on, self.results):
            raise s.conflict(append, end.head.seq)
        links = list(chain.links(end.head.link, append.table, one.rows))
        self.events += [
            (append.table, *row, link) for row, link in zip(one.rows, links, strict=True)
        ]
        end.listing, end.head = end.listing.after(append.records), Head(answer.seq, links[-1])
        self.changed[append.table] = end
        if append.token:
            self.known[key] = answer
            self.answers.append((*key, answer.seq, answer.request_hash, answer.answer))
        return answer

    def _is_stored(self, one: Pending) -> bool:
        """Whether the records of an append are stored, as they are."""
        return [
            row for row, _ in rows(self.db, one.append.table, one.rows[0].seq, one.rows[-1].seq)
        ] == one.rows

    def write(self) -> None:
        """Write what was decided; `NotTogether` if a table was deleted meanwhile."""
        if not self.events:
            wait_for_standby(self.db, self.stored_before)
            return
        new = [_as_row(end) for end in self.changed.values() if end.was is None]
        old = [(*_as_row(end), end.was) for end in self.changed.values() if end.was is not None]
        with self.db.pipeline():
            self.db.execute(_INSERT_EVENTS, columns(self.events, 9))
            if new:
                self.db.execute(_INSERT_TABLES, columns(new, 10))
            if self.answers:
                self.db.execute(_INSERT_ANSWERS, columns(self.answers, 6))
            updated = self.db.execute(_UPDATE_TABLES, columns(old, 11)) if old else None
        if updated is not None and updated.rowcount != len(old):
            raise NotTogether


def wait_for_standby(db: Connection, tables: Collection[str]) -> None:
    """Write to these tables, so that the commit waits until the standby has their earlier rows too.

    If the connection is lost while a commit waits for the standby, its rows can be seen before the
    standby has them. A commit that writes nothing does not wait.
    """
    if tables:
        db.execute("UPDATE storypool.tables SET last = last WHERE id = ANY(%s)", (sorted(tables),))


def predecessor_failed(
    on: Future[s.Answer] | None, results: Mapping[Future[s.Answer], s.Answer | s.StoreError]
) -> bool:
    """Whether the append that this one was decided on top of stored nothing.

    `on` is the future of that append, and `results` are those of this transaction, which are in no
    future yet.
    """
    if on is None:
        return False
    result = results.get(on)
    if result is None and on.done():
        result = on.result() if on.exception() is None else s.StoreError()
    return isinstance(result, s.StoreError) or (result is not None and result.repeated)


def heads(db: Connection) -> Iterator[tuple[str, Head]]:
    """Yield each table, deleted ones included, with the head of its log."""
    found: list[Any] = db.execute(
        "SELECT id, last, link FROM storypool.tables ORDER BY id"
    ).fetchall()
    for table, last, link in found:
        yield table, Head(last, bytes(link))


def broken(db: Connection, table: str, piece: int = 1000) -> int:
    """The number of a table's first record that is not as written, or 0 if its log is whole."""
    at = chain.NOTHING
    with db.transaction():
        # Other processes may add records meanwhile.
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found: list[Any] = db.execute(
            "SELECT last, link FROM storypool.tables WHERE id = %s", (table,)
        ).fetchall()
        while some := rows(db, table, at.seq + 1, at.seq + piece):
            if n := chain.broken(at, table, some):
                return n
            at = Head(some[-1][0].seq, some[-1][1])
    return 0 if [at] == [Head(last, bytes(link)) for last, link in found] else at.seq + 1


def _key(append: s.Append) -> tuple[str, str, str]:
    return append.table, append.seat, text(append.token)


def _as_row(end: _End) -> tuple[object, ...]:
    id, system, title, *times = astuple(end.listing)
    return id, system, text(title), *times, *end.head


def columns(of: Sequence[Sequence[object]], n: int) -> tuple[list[object], ...]:
    """Rows as `n` columns."""
    found = []
    for i in range(n):
        found.append([row[i] for row in of])
    return tuple(found)


def unnested(columns: str) -> str:
    """The arguments of SQL's `unnest`: a parameter for each column, an array of this type."""
    return ", ".join(f"%s::{column}[]" for column in columns.split())


_INSERT_EVENTS = f"""
INSERT INTO storypool.events (table_id, {_EVENT}, link)
SELECT * FROM unnest({unnested("text bigint bigint text text text bigint text bytea")})
"""
_INSERT_TABLES = f"""
INSERT INTO storypool.tables ({s.LISTING}, last, link)
SELECT * FROM unnest({unnested("text text text bigint bigint bigint bigint bigint bigint bytea")})
"""
_INSERT_ANSWERS = f"""
INSERT INTO storypool.answers (table_id, seat, token, seq, request_hash, answer)
SELECT * FROM unnest({unnested("text text text bigint text text")})
"""
_UPDATE_TABLES = f"""
UPDATE storypool.tables AS old SET system = new.system, title = new.title, created = new.created,
    changed = new.changed, last = new.last, link = new.link
FROM unnest({unnested("text text text bigint bigint bigint bigint bigint bigint bytea bigint")})
    AS new ({s.LISTING}, last, link, was)
WHERE old.id = new.id AND old.last = new.was AND old.deleted = 0
"""
