"""Notifications of tables just written, between the processes of one PostgreSQL database.

They are only hints. Where they get lost, as behind a pooler that shares connections, or where the
database has none, processes have to poll.
"""

import secrets
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from threading import Event, Thread

import psycopg

from storypool.log.shared.reconnecting import Connection, Connections, Database
from storypool.log.store import StoreError

CHANNEL = "storypool"
MAX_NAMED = 200
"""The most tables that one notification names: the database takes 8,000 bytes."""
RETRY_PAUSE_S = 0.5
"""Seconds until a lost connection is opened again, and the longest that closing takes."""


class Notifications:
    """Notifies a database's other processes about tables, and receives theirs once it listens."""

    def __init__(self, database: Database) -> None:
        self._database, self._own, self._closed = database, secrets.token_hex(4), Event()
        self._can_notify = True
        self._thread: Thread | None = None

    def notify(self, tables: Collection[str], connections: Connections) -> None:
        """Notify the other processes that these tables were written to, if possible at once."""
        named = sorted(tables)
        for some in (named[n : n + MAX_NAMED] for n in range(0, len(named), MAX_NAMED)):
            if not self._can_notify:
                return
            payload = " ".join([self._own, *some])
            with suppress(StoreError):
                try:
                    connections.do(partial(_notify, payload), patience=0)
                except _Unknown:
                    self._can_notify = False

    def listen(self, notify: Callable[[Collection[str]], object]) -> None:
        """Call `notify` from a thread with tables that other processes wrote to, until closed."""
        self._thread = Thread(
            target=self._listen, args=(notify,), name="storypool-listening", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _listen(self, notify: Callable[[Collection[str]], object]) -> None:
        while not self._closed.is_set():
            try:
                with self._database.connect() as db:
                    if _is_shared(db):
                        return
                    db.execute(f"LISTEN {CHANNEL}")
                    while not self._closed.is_set():
                        for one in db.notifies(timeout=RETRY_PAUSE_S):
                            sender, *tables = one.payload.split(" ")
                            if sender != self._own:
                                notify(tables)
            except psycopg.errors.FeatureNotSupported:
                return
            except psycopg.Error:
                time.sleep(RETRY_PAUSE_S)


class _Unknown(Exception):
    """The database knows no notifications."""


def _is_shared(db: Connection) -> bool:
    """Whether a pooler is in front of the database: it would give notifications to any client."""
    return db.execute("SELECT pg_backend_pid()").fetchone() != (db.info.backend_pid,)


def _notify(payload: str, db: Connection, is_retry: bool) -> None:
    try:
        db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFunction) as error:
        raise _Unknown from error
