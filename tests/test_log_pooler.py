"""PgBouncer in transaction mode: no loss or duplicate, and polling for notifications."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from storypool.engine.fold import fold
from storypool.live.peers import following
from storypool.live.peers.shared_tables import SharedTables
from storypool.log.shared.postgres import PostgresStore
from storypool.log.store import Conflict
from tests.test_live_peers import NOW, Follower, find, opened, played, until
from tests.test_log_postgres import append, texts
from tools.cluster import Cluster
from tools.pooler import NONE, Pooler, pooled, program


@pytest.fixture(scope="module")
def pooler(postgres: Cluster) -> Iterator[Pooler]:
    """A PgBouncer before this run's server."""
    if program() is None:
        pytest.skip(NONE)
    with pooled(postgres) as running:
        yield running


@pytest.mark.slow
def test_pooler_loses_and_doubles_nothing(postgres: Cluster, pooler: Pooler) -> None:
    """Two processes append to a table with tokens while the pooler's connections are cut."""
    name = postgres.new_name()
    with (
        closing(PostgresStore(pooler.url(name))) as one,
        closing(PostgresStore(pooler.url(name))) as other,
    ):
        one.append(append(0))

        def play(store: PostgresStore, who: str) -> list[str]:
            sent, last = [f"{who}.{n}" for n in range(60)], 1
            for text in sent:
                while True:
                    try:
                        last = store.append(append(last, text, token=text)).seq
                        break
                    except Conflict:
                        last = len(store.read("t"))
            return sent

        with ThreadPoolExecutor(2) as threads:
            playing = [
                threads.submit(play, store, who) for store, who in ((one, "a"), (other, "b"))
            ]
            cuts = 0
            while cuts < 20 and not all(future.done() for future in playing):
                cuts += postgres.cut(name)
            sent = [future.result() for future in playing]
        assert cuts
        found = texts(other)
        assert sent == [[text for text in found if text.startswith(who)] for who in "ab"]
        assert one.append(append(1, "a.0", token="a.0")).repeated
        one.check()


@pytest.mark.slow
def test_polling_works_behind_a_pooler(
    postgres: Cluster, pooler: Pooler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process's follower gets each record once, and other clients no notification."""
    monkeypatch.setattr(following, "POLL_EVERY_S", 0.02)
    url = pooler.url(postgres.new_name())
    follower = Follower()

    async def play(one: SharedTables, other: SharedTables) -> None:
        id = await opened(one)
        first = (await other.look(id)).seq
        other.subscribe(id, follower)
        for n in range(20):
            await one.make(id, "ann", "table.say", {"text": str(n)})
        log = one.store.read(id)
        await until(lambda: len(follower.records) >= len(log) - first)
        assert log[first:] == follower.records
        assert fold(log) == await other.look(id)

    with closing(PostgresStore(url)) as one, closing(PostgresStore(url)) as other:
        played(
            play,
            (
                SharedTables(one, find, lambda n: 0, lambda: NOW),
                SharedTables(other, find, lambda n: 0, lambda: NOW),
            ),
        )
    assert "got packet 'A'" not in pooler.output()
