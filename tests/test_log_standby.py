"""A primary with a synchronous standby: no reads from the standby, and no loss on failover."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest

from storypool.log.shared import reconnecting
from storypool.log.shared.postgres import PostgresStore
from storypool.log.shared.reconnecting import Database
from storypool.log.store import StoreError, StoreUnreachable
from tests.test_log_postgres import append, texts
from tools.cluster import Cluster, either, replicated

WAIT = 60
"""Seconds to wait for an event."""
IN_RECOVERY = "SELECT pg_is_in_recovery()"
WAITING = (
    "SELECT pid FROM pg_stat_activity WHERE (wait_event = 'SyncRep' OR wait_event_type = 'Lock') "
    "AND application_name = 'storypool'"
)


@pytest.fixture
def pair(postgres: Cluster) -> Iterator[tuple[Cluster, Cluster]]:
    """A test's own primary and standby; without a server the first fixture reports it."""
    with replicated() as (primary, standby):
        yield primary, standby


@pytest.mark.parametrize("wanted", ["any", "standby", "prefer-standby", "read-only"])
def test_replica_address_is_refused(wanted: str) -> None:
    """A request for any server learns that only the primary is allowed."""
    with pytest.raises(
        StoreError,
        match=f"asks for target_session_attrs={wanted}, and a replica must decide nothing",
    ):
        Database(f"postgresql://someone@a,b/d?target_session_attrs={wanted}")
    Database("postgresql://someone@a,b/d?target_session_attrs=primary")


@pytest.mark.slow
def test_libpq_variable_reaches_no_replica(
    pair: tuple[Cluster, Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address lists the standby first and the environment any server: all reach the primary."""
    primary, standby = pair
    monkeypatch.setenv("PGTARGETSESSIONATTRS", "any")
    with closing(PostgresStore(either(primary.new_name(), standby, primary))) as store:
        store.append(append(0))
        for connections in (store._writing, store._reading):
            assert [(False,)] == connections.do(lambda db, _: db.execute(IN_RECOVERY).fetchall())
    monkeypatch.setattr(reconnecting, "PATIENCE_S", 0.0)
    with pytest.raises(StoreError, match="does not answer"):
        PostgresStore(standby.url())


def test_read_only_connection_is_given_up(database: str) -> None:
    """A write retries on a new connection, as when a pooler's server becomes a standby."""
    with closing(PostgresStore(database)) as store:
        store.append(append(0))
        store._writing.do(lambda db, _: db.execute("SET default_transaction_read_only = on"))
        assert 2 == store.append(append(1)).seq


def test_unwritable_server_is_awaited(
    postgres: Cluster, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests to a standby are done once it is the primary, or finally refused."""
    name = database.partition("?")[0].rpartition("/")[2]
    with closing(PostgresStore(database)) as store:
        store.append(append(0))
        postgres.ask(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        postgres.cut(database)
        with monkeypatch.context() as patch:
            patch.setattr(reconnecting, "PATIENCE_S", 0.0)
            with pytest.raises(StoreUnreachable, match="does not answer"):
                store.append(append(1))
        waiting = store.submit(append(1))
        assert not waiting.done()
        postgres.ask(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        assert 2 == waiting.result(WAIT).seq


@pytest.mark.exhaustive
def test_promoted_standby_has_everything(
    pair: tuple[Cluster, Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the primary is killed acknowledged records are there, and both stores continue."""
    # However long the promotion takes on this machine.
    monkeypatch.setattr(reconnecting, "PATIENCE_S", 300.0)
    primary, standby = pair
    url = either(primary.new_name(), primary, standby)
    heard = threading.Event()

    def hear(tables: Collection[str]) -> None:
        if "t" in tables:
            heard.set()

    with ExitStack() as opened:
        one, other = (opened.enter_context(closing(PostgresStore(url))) for _ in range(2))
        other.listen(hear)
        for after in range(20):
            one.append(append(after, str(after), token=str(after)))
        primary.kill()
        waiting = one.submit(append(20, "meanwhile", token="20"))
        standby.promote()
        assert 21 == waiting.result().seq
        assert 20 == other.append(append(19, "19", token="19")).seq
        assert [str(n) for n in range(1, 20)] + ["meanwhile"] == texts(other)
        one.check()
        heard.clear()
        last, until = 21, time.monotonic() + WAIT
        while not heard.wait(0.1):
            assert time.monotonic() < until
            last = one.append(append(last, "again")).seq
        primary.follow(standby)
        assert last + 1 == one.append(append(last, "with a standby again")).seq


def test_lost_connection_acknowledges_nothing(postgres: Cluster, database: str) -> None:
    """A commit without its standby is visible after a cut, but must wait again."""
    with ExitStack() as opened:
        store, other = (opened.enter_context(closing(PostgresStore(database))) for _ in range(2))
        threads = opened.enter_context(ThreadPoolExecutor(1))
        store.append(append(0))
        opened.callback(postgres.wait_for, "")
        postgres.wait_for("nobody")
        once = append(1, "once", token="k")
        first = store.submit(once)
        seen = now_waiting(postgres, set())
        assert postgres.cut(database, "wait_event = 'SyncRep'") == 1
        seen |= now_waiting(postgres, seen)
        assert ["once"] == texts(other)
        # An answer from another process that it is stored is an answer that it cannot be lost.
        second = other.submit(once)
        seen |= now_waiting(postgres, seen)
        third = threads.submit(other.answered, "t", "s1", "k")
        now_waiting(postgres, seen)
        assert [False] * 3 == [future.done() for future in (first, second, third)]
        postgres.wait_for("")
        assert [2, 2] == [future.result(WAIT).seq for future in (first, second)]
        assert third.result(WAIT) is not None


def test_caller_waits_for_durable_commits(postgres: Cluster, database: str) -> None:
    """The confirming process may be late, so a caller who needs durable commits waits."""
    [(pid,)] = postgres.ask("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
    assert isinstance(pid, int)
    with ExitStack() as opened:
        store = opened.enter_context(closing(PostgresStore(database)))
        threads = opened.enter_context(ThreadPoolExecutor(1))
        opened.callback(postgres.wait_for, "")
        opened.callback(os.kill, pid, signal.SIGCONT)
        os.kill(pid, signal.SIGSTOP)
        switched = threads.submit(postgres.wait_for, "nobody")
        until = time.monotonic() + WAIT
        while postgres.ask("SHOW synchronous_standby_names") != [("nobody",)]:
            assert time.monotonic() < until, "The server does not read its settings."
        # It is not known to those that commit.
        store.append(append(0))
        assert not switched.done()
        os.kill(pid, signal.SIGCONT)
        switched.result(WAIT)
        once = store.submit(append(1))
        now_waiting(postgres, set())
        assert not once.done()
        postgres.wait_for("")
        assert 2 == once.result(WAIT).seq


def now_waiting(cluster: Cluster, before: Collection[object]) -> set[object]:
    """The commit that newly waits for a standby or for another such commit."""
    until = time.monotonic() + WAIT
    while True:
        found = {pid for (pid,) in cluster.ask(WAITING)} - set(before)
        if found:
            return found
        assert time.monotonic() < until, "No commit waits for a standby."
        time.sleep(0.05)
