"""The store on PostgreSQL: many processes, and no loss or duplicate on lost connections."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import psycopg
import pytest

from storypool.engine.events import Event, Said, TableOpened
from storypool.engine.sight import records_of
from storypool.log.shared import reconnecting, relations
from storypool.log.shared.postgres import PostgresStore
from storypool.log.shared.reconnecting import Connection
from storypool.log.shared.relations import Pending
from storypool.log.store import (
    Answer,
    Append,
    Conflict,
    Grant,
    NoTable,
    StoreDamaged,
    StoreError,
    StoreNewer,
    StoreReadOnly,
)
from tools.cluster import Cluster

OPENED = TableOpened("starwars", "The Long Haul", {})


def append(after: int, text: str = "x", table: str = "t", token: str = "") -> Append:
    """One record after another; the first opens the table."""
    events: list[Event] = [Said("s1", text) if after else OPENED]
    return Append(
        table, after, records_of(events, "s1", after, 7), seat="s1", token=token, request_hash="h"
    )


def texts(store: PostgresStore, table: str = "t") -> list[str]:
    """The texts of a table."""
    return [record.event.text for record in store.read(table) if isinstance(record.event, Said)]


@pytest.fixture
def stores(database: str) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """Two stores on one database, like two processes."""
    with ExitStack() as opened:
        yield tuple(opened.enter_context(closing(PostgresStore(database))) for _ in range(2))  # type: ignore[misc]


Two = tuple[PostgresStore, PostgresStore]


# Many processes.


@pytest.mark.slow
def test_processes_open_a_new_database_at_once(database: str) -> None:
    """The first process makes the relations; all have one epoch and secret."""
    gate = threading.Barrier(6)

    def opened(_: int) -> tuple[str, str]:
        gate.wait()
        with closing(PostgresStore(database)) as store:
            return store.epoch, store.secret

    with ThreadPoolExecutor(6) as threads:
        assert 1 == len(set(threads.map(opened, range(6))))


def test_number_is_taken_by_one_process(stores: Two) -> None:
    """One of many simultaneous appends to a log gets it, and others a conflict."""
    stores[0].append(append(0))
    for after in range(1, 30):
        futures = [store.submit(append(after, str(n))) for store in stores for n in range(4)]
        kept = [future for future in futures if future.exception() is None]
        assert 1 == len(kept)
        assert {Conflict} == {type(future.exception()) for future in futures if future not in kept}
    assert 30 == len(stores[1].read("t"))


def test_collision_affects_one_table(stores: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number taken between read and write refuses only that log's append in the batch."""
    one, other = stores
    for table in "tuv":
        one.append(append(0, table=table))
    quicker(monkeypatch, lambda: other.append(append(1, "first", table="u")))
    with ThreadPoolExecutor(1):
        gate = one._submit(lambda db, again: threading.Event().wait(0.05), "t")
        futures = {table: one.submit(append(1, "second", table=table)) for table in "tuv"}
        gate.result()
    assert isinstance(futures["u"].exception(), Conflict)
    assert [2, 2] == [futures[table].result().seq for table in "tv"]
    assert [["second"], ["first"], ["second"]] == [texts(one, table) for table in "tuv"]


def quicker(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Run something when the next appends are decided but not yet written."""
    write = relations._Transaction.write
    left = [meanwhile]

    def late(work: relations._Transaction) -> None:
        if left:
            left.pop()()
        write(work)

    monkeypatch.setattr(relations._Transaction, "write", late)


def test_colliding_append_is_a_conflict(stores: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that loses a close race gets a conflict with the record, not a database error."""
    one, other = stores
    one.append(append(0))
    quicker(monkeypatch, lambda: other.append(append(1, "first")))
    with pytest.raises(Conflict, match="at record 2, and this was decided at 1"):
        one.append(append(1, "second"))
    assert ["first"] == texts(one)


def test_move_on_a_lost_append_is_refused(stores: Two) -> None:
    """Another process filled the failed append's place, so dependent moves must not follow."""
    one, other = stores
    one.append(append(0))
    other.append(append(1, "of the other"))
    lost = one.submit(append(1, "lost"))
    child = one.submit(Append("t", 2, append(2, "child").records, on=lost))
    assert [Conflict, Conflict] == [type(future.exception()) for future in (lost, child)]
    late = one.submit(Append("t", 2, append(2, "late").records, on=lost))
    assert isinstance(late.exception(), Conflict)
    assert ["of the other"] == texts(one)
    stands = one.submit(append(2, "stands"))
    assert 4 == one.submit(Append("t", 3, append(3, "on it").records, on=stands)).result().seq


def test_move_on_a_repeated_append_is_refused(stores: Two) -> None:
    """A repeated command stores nothing, so its dependents must not follow others' records."""
    one, other = stores
    one.append(append(0))
    one.append(append(1, "once", token="a"))
    other.append(append(2, "of the other"))
    again = one.submit(append(1, "once", token="a"))
    child = one.submit(Append("t", 3, append(3, "child").records, on=again))
    assert again.result().repeated
    assert isinstance(child.exception(), Conflict)


def test_token_is_unique_across_processes(stores: Two) -> None:
    """A command on two processes at once is stored once, with one answer."""
    stores[0].append(append(0))
    for after in range(1, 20):
        both = [store.submit(append(after, "once", token=f"k{after}")) for store in stores]
        answers = [future.result() for future in both]
        assert [Answer(after + 1, "h", "")] * 2 == [Answer(*_three(answer)) for answer in answers]
        assert [False, True] == sorted(answer.repeated for answer in answers)
    assert 19 == len(texts(stores[0]))


def _three(answer: Answer) -> tuple[int, str, str]:
    return answer.seq, answer.request_hash, answer.answer


def test_table_deleted_meanwhile_takes_nothing(
    stores: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that goes between read and write stores and leaves nothing."""
    one, other = stores
    one.append(append(0))
    quicker(monkeypatch, lambda: other.delete("t", 9))
    with pytest.raises(NoTable):
        one.append(append(1))
    assert [] == one.read("t")


def test_token_bucket_is_shared(stores: Two, database: str) -> None:
    """Simultaneous takers share one burst; each id has its own, and full ones take no room."""
    with ThreadPoolExecutor(8) as threads:
        waits = list(threads.map(lambda n: stores[n % 2].take("ann", 5, 0.01), range(24)))
    assert 5 == waits.count(0)
    assert all(0 < wait <= 100 for wait in waits if wait)
    assert 0 == stores[1].take("bo", 5, 0.01)
    with psycopg.connect(database, autocommit=True) as db:
        later = "UPDATE storypool.buckets SET full_at = full_at - %s * interval '1 second'"
        db.execute(later, (200,))
        assert [0, 0] == [store.take("ann", 5, 0.01) for store in stores]
        assert stores[0].take("ann", 5, 0.01) > 0
        assert [("ann",)] == db.execute("SELECT id FROM storypool.buckets").fetchall()
        db.execute(later, (1000,))
        assert [0] * 5 == [stores[n % 2].take("ann", 5, 0.01) for n in range(5)]
        assert stores[1].take("ann", 5, 0.01) > 0


# Lost connections.


def test_lost_connection_does_not_store_twice(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows prove a commit, which is answered, and only the rest is retried."""
    append_all, lost = relations.append_all, [True, True]

    def cut(db: Connection, pending: Sequence[Pending], again: bool) -> list[Answer | StoreError]:
        results = append_all(db, pending, again)
        if lost:
            lost.pop()
            db.close()
            raise psycopg.OperationalError("the connection was lost")
        return results

    monkeypatch.setattr(relations, "append_all", cut)
    with closing(PostgresStore(database)) as store:
        assert Answer(1, "h", "") == store.append(append(0))
        lost.append(True)
        assert Answer(2, "h", "") == store.append(append(1, "once", token="a"))
        assert Answer(2, "h", "", repeated=True) == store.append(append(1, "once", token="a"))
        assert ["once"] == texts(store)


def test_deletion_and_revocation_are_retried(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both find their own work done, and give the missing answer."""
    with closing(PostgresStore(database)) as store:
        store.append(append(0))
        store.grant(Grant("a", "session", "u", "s1"))
        do, lost = store._writing.do, [True, True]

        def twice(work: Callable[[Connection, bool], object], patience: float = 1) -> object:
            def cut(db: Connection, again: bool) -> object:
                done = work(db, again)
                if not again and lost:
                    lost.pop()
                    db.close()
                    raise psycopg.OperationalError("the connection was lost")
                return done

            return do(cut)

        monkeypatch.setattr(store._writing, "do", twice)
        store.delete("t", 9)
        assert 1 == store.revoke(9, table="u")
        assert [] == lost
        with pytest.raises(NoTable):
            store.delete("t", 10)


@pytest.mark.slow
def test_cut_connections_lose_and_double_nothing(
    postgres: Cluster, database: str, stores: Two
) -> None:
    """Two processes append while connections are cut: each text is there once in order."""
    stores[0].append(append(0))
    sent: list[list[str]] = [[], []]

    def play(which: int) -> None:
        store, last = stores[which], 1
        for n in range(60):
            text = f"{which}.{n}"
            while True:
                try:
                    last = store.append(append(last, text, token=text)).seq
                    break
                except Conflict:
                    last = len(store.read("t"))
            sent[which].append(text)

    with ThreadPoolExecutor(2) as threads:
        playing = [threads.submit(play, which) for which in range(2)]
        cuts = 0
        while cuts < 20 and not all(one.done() for one in playing):
            cuts += postgres.cut(database)
        for one in playing:
            one.result()
    assert cuts >= 20
    found = texts(stores[0])
    assert sent == [[text for text in found if text.startswith(f"{which}.")] for which in range(2)]
    stores[0].check()


@pytest.mark.slow
def test_killed_server_has_everything(
    stores: Two, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acknowledged records survive, and later ones are stored after the restart."""
    # However long the recovery takes on this machine.
    monkeypatch.setattr(reconnecting, "PATIENCE_S", 300.0)
    # The databases of other tests need no recovery; later steps do.
    postgres.ask("CHECKPOINT")
    one, _ = stores
    for after in range(20):
        one.append(append(after, str(after)))
    postgres.kill()
    waiting = one.submit(append(20, "while it was away"))
    postgres.start()
    assert 21 == waiting.result().seq
    assert 21 == len(one.read("t"))
    one.check()


def test_missing_server_is_reported(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names the place, but neither user nor password."""
    monkeypatch.setattr(reconnecting, "PATIENCE_S", 0.0)
    with pytest.raises(StoreError, match="nowhere/d does not answer") as caught:
        PostgresStore("postgresql://someone:very-secret@/d?host=/tmp/nowhere")
    message = f"{caught.value} {caught.value.__cause__}"
    assert "someone" not in str(caught.value)
    assert "very-secret" not in message


@pytest.mark.parametrize(
    "url", ["postgresql://u:very%secret@h/d", "postgresql://u:very secret@h/d?nothing=1"]
)
def test_invalid_address_is_not_repeated(url: str) -> None:
    """An unreadable address may contain a password, so the error omits it."""
    with pytest.raises(StoreError, match="write it as postgresql://USER@HOST/DATABASE") as caught:
        PostgresStore(url)
    assert caught.value.__cause__ is None
    assert "secret" not in str(caught.value)


# What a database must be, and what it has.


def test_unsafe_database_is_refused(postgres: Cluster, database: str) -> None:
    """Asynchronous commits could break every promise."""
    postgres.ask(
        f"ALTER DATABASE {database.partition('?')[0].rpartition('/')[2]} SET synchronous_commit"
        " = off"
    )
    with pytest.raises(StoreError, match="turn synchronous_commit on"):
        PostgresStore(database)


def test_wrong_encoding_is_refused(postgres: Cluster) -> None:
    """A database that cannot keep every text is not used."""
    postgres.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(StoreError, match="has the encoding LATIN1"):
        PostgresStore(postgres.url("latin"))


def test_newer_database_is_refused(database: str) -> None:
    """A later version's data are left alone."""
    PostgresStore(database).close()
    with psycopg.connect(database) as db:
        db.execute("UPDATE storypool.facts SET value = '99' WHERE name = 'schema'")
    with pytest.raises(StoreNewer, match="schema 99"):
        PostgresStore(database)


def test_older_database_is_upgraded(database: str) -> None:
    """Opened by many processes at once, it keeps its epoch, secret and records."""
    with closing(PostgresStore(database)) as store:
        store.append(append(0))
        before = store.epoch, store.secret
    with psycopg.connect(database) as db:
        db.execute("DROP TABLE storypool.buckets, storypool.pictures")
        db.execute("UPDATE storypool.facts SET value = '1' WHERE name = 'schema'")
    gate = threading.Barrier(4)

    def opened(_: int) -> tuple[str, str]:
        gate.wait()
        with closing(PostgresStore(database)) as store:
            assert 0 == store.take("ann", 5, 0.01)
            assert 1 == len(store.read("t"))
            return store.epoch, store.secret

    with ThreadPoolExecutor(4) as threads:
        assert [before] * 4 == list(threads.map(opened, range(4)))


def test_read_only_user_is_reported(postgres: Cluster, database: str) -> None:
    """A user without write permission gets one sentence for each write."""
    with closing(PostgresStore(database)) as store:
        store.append(append(0))
    name = database.partition("?")[0].rpartition("/")[2]
    postgres.ask("CREATE ROLE guest LOGIN")
    postgres.ask("GRANT USAGE ON SCHEMA storypool TO guest", name)
    postgres.ask("GRANT SELECT ON ALL TABLES IN SCHEMA storypool TO guest", name)
    with closing(PostgresStore(database.replace("storypool@", "guest@"))) as store:
        assert 1 == len(store.read("t"))
        with pytest.raises(StoreReadOnly, match=r"cannot be written \(permission denied"):
            store.append(append(1))


def test_external_change_is_found(database: str) -> None:
    """A changed row is not served, and the check names it."""
    with closing(PostgresStore(database)) as store:
        for after in range(4):
            store.append(append(after, str(after)))
        store.check()
        with psycopg.connect(database) as db:
            db.execute("UPDATE storypool.events SET at = at + 1 WHERE seq = 3")
        for look in (
            store.check,
            lambda: store.verify("t"),
            lambda: store.read("t"),
            lambda: store.read("t", 2),
        ):
            with pytest.raises(StoreDamaged, match="Record 3 of table t"):
                look()
        assert 1 == len(store.read("t", 3))


def test_shortened_log_is_found(database: str) -> None:
    """The check reports missing last records."""
    with closing(PostgresStore(database)) as store:
        for after in range(4):
            store.append(append(after, str(after)))
        with psycopg.connect(database) as db:
            db.execute("DELETE FROM storypool.events WHERE seq = 4")
        with pytest.raises(StoreDamaged, match="Record 4 of table t"):
            store.check()


def test_zero_character_is_kept(database: str) -> None:
    """Tokens and notes use a substitute in PostgreSQL, and records are unchanged."""
    with closing(PostgresStore(database)) as store:
        store.append(append(0))
        store.append(append(1, "a\0b", token="k\0"))
        assert store.append(append(1, "a\0b", token="k\0")).repeated
        assert store.answered("t", "s1", "k\0") == Answer(2, "h", "")
        assert ["a\0b"] == texts(store)
        store.grant(Grant("h", "link", "t", note="for\0Ann"))
        assert ["for\N{SYMBOL FOR NULL}Ann"] == [grant.note for grant in store.grants()]


def test_unstorable_append_fails_alone(database: str) -> None:
    """Others of its batch are stored."""
    with closing(PostgresStore(database)) as store:
        gate = store._submit(lambda db, again: threading.Event().wait(0.05), "t")
        wrong, right = store.submit(append(0, table="w\0")), store.submit(append(0, table="r"))
        gate.result()
        assert isinstance(wrong.exception(), StoreError)
        assert 1 == right.result().seq


def test_check_counts_and_restart_changes_epoch(database: str) -> None:
    """The check gives counts; after a restored backup the epoch shows changed numbers."""
    with closing(PostgresStore(database)) as store:
        for table in "tu":
            store.append(append(0, table=table))
        store.append(append(1))
        store.delete("u", 9)
        assert (1, 2) == store.check()
        before = store.epoch
        store.begin_epoch()
    with closing(PostgresStore(database)) as again:
        assert before != again.epoch == store.epoch
