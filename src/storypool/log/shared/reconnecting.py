"""Connections to a PostgreSQL server, opened on demand and again after a loss.

They keep no state of their own on the server, and no prepared statements, so that a pooler such as
PgBouncer may give each transaction another connection to the database.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from threading import BoundedSemaphore, Lock
from typing import TypeVar

import psycopg
from psycopg import conninfo

from storypool.log.store import StoreError, StoreFull, StoreReadOnly, StoreUnreachable
from storypool.words import Phrase

# Every warning is raised as an error as well.
logging.getLogger("psycopg").setLevel(logging.ERROR)

PATIENCE_S = 10.0
"""Seconds of retries while the server cannot be reached."""

T = TypeVar("T")
Connection = psycopg.Connection[tuple[object, ...]]

_WANTED = "target_session_attrs"
_DEFAULTS = {
    "application_name": "storypool",
    "client_encoding": "utf8",
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    # Accept only the primary of several hosts: a replica's state decides nothing.
    _WANTED: "read-write",
}
_PRIMARY = ("read-write", "primary")
_LOST = ("25006", "53300", "57P01", "57P02", "57P03", "57P05")
"""The server ends, starts, has become a replica, or has no connection left."""
_PASSING = ("55P03", "57014")
"""A lock or a statement took too long."""


class Database:
    """A database's address, read by libpq: `postgresql://...`; `str` hides user and password."""

    def __init__(self, url: str) -> None:
        try:
            given = {
                name: str(value)
                for name, value in conninfo.conninfo_to_dict(url).items()
                if value is not None
            }
        except psycopg.Error:
            # libpq's error for a wrong address may contain the password.
            raise StoreError(Phrase("log.postgres.address")) from None
        if (wanted := given.get(_WANTED)) not in (None, *_PRIMARY):
            raise StoreError(Phrase("log.postgres.replica", wanted=wanted))
        self._password = given.get("password", "")
        self.info = conninfo.make_conninfo(**{**_DEFAULTS, **given})
        self.place = f"{given.get('host', 'localhost')}/{given.get('dbname', '')}"

    def __str__(self) -> str:
        return self.place

    def connect(self) -> Connection:
        """A new connection; each statement is a transaction unless one is started."""
        return psycopg.connect(self.info, autocommit=True, prepare_threshold=None)

    def store_error(self, error: psycopg.Error) -> StoreError:
        """The `StoreError` for an error of the database: the reason, and what to do."""
        message = str(error.diag.message_primary or error).strip().partition("\n")[0]
        why = message.replace(self._password, "...") if self._password else message
        match error.sqlstate or "":
            case "53100":
                return StoreFull(Phrase("log.postgres.full", place=self))
            case "42501" | "25006":
                return StoreReadOnly(Phrase("log.postgres.read_only", place=self, why=why))
        if is_transient(error):
            return StoreUnreachable(Phrase("log.postgres.unreachable", place=self, why=why))
        return StoreError(Phrase("log.postgres.failed", place=self, why=why))


def is_transient(error: psycopg.Error) -> bool:
    """Whether a retry may succeed: a lost connection, colliding transactions, or a slow lock."""
    state = error.sqlstate
    if state is None:
        # An internal error: a pooler with a cut connection to the server sends only fragments.
        return isinstance(
            error, psycopg.OperationalError | psycopg.InterfaceError | psycopg.InternalError
        )
    return state[:2] in ("08", "40") or state in _LOST or state in _PASSING


class Connections:
    """Up to `most` connections to one database, used by one thread each at a time."""

    def __init__(self, database: Database, most: int) -> None:
        self.database = database
        self._idle: list[Connection] = []
        self._closed, self._changing, self._room = False, Lock(), BoundedSemaphore(most)

    def do(self, work: Callable[[Connection, bool], T], patience: float | None = None) -> T:
        """Run `work` on a connection, again if the connection was lost.

        Its second argument is whether an earlier try failed, which may have been committed all the
        same. Raises `StoreError` when the server was not reached for `patience` seconds, ten by
        default, or refuses the work.
        """
        until, pause, is_retry = (
            time.monotonic() + (PATIENCE_S if patience is None else patience),
            0.01,
            False,
        )
        with self._room:
            while True:
                db = None
                try:
                    db = self._take()
                    return self._give_back(db, work(db, is_retry))
                except psycopg.Error as error:
                    self._discard(db)
                    if not is_transient(error) or time.monotonic() > until or self._closed:
                        raise self.database.store_error(error) from error
                except BaseException:
                    if db is not None:
                        self._give_back(db, None)
                    raise
                time.sleep(pause)
                pause, is_retry = min(2 * pause, 0.5), True

    def close(self) -> None:
        """Close every connection that nobody uses, and the others when they are given back."""
        with self._changing:
            self._closed = True
            idle, self._idle = self._idle, []
        for db in idle:
            _close(db)

    def _take(self) -> Connection:
        with self._changing:
            if self._closed:
                raise StoreError(Phrase("log.closed"))
            if self._idle:
                return self._idle.pop()
        return self.database.connect()

    def _give_back(self, db: Connection, done: T) -> T:
        with self._changing:
            keep = (
                not self._closed and db.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
            )
            if keep:
                self._idle.append(db)
        if not keep:
            _close(db)
        return done

    def _discard(self, db: Connection | None) -> None:
        """Close a connection after an error; if it was lost, also the idle ones, as likely lost."""
        if db is None:
            return
        lost = db.broken or db.closed
        _close(db)
        if lost:
            with self._changing:
                idle, self._idle = self._idle, []
            for one in idle:
                _close(one)


def _close(db: Connection) -> None:
    with suppress(psycopg.Error):
        db.close()
