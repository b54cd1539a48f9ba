"""The tables of a store that other processes write to as well."""

from collections.abc import Iterable
from typing import Any

from storypool.engine.table import Table
from storypool.live.peers.following import Peers, overtaken
from storypool.live.peers.shared_numbers import SharedNumbers
from storypool.live.peers.shared_writer import SharedWriter
from storypool.live.tables import LogSlice, Tables
from storypool.log.shared.shared_store import SharedStore
from storypool.log.store import Store


class SharedTables(Tables):
    """The tables of a shared store; `peers` follows what other processes do.

    Without that no decision uses outdated tables, but subscribers are not notified.
    """

    store: SharedStore

    def __init__(self, store: SharedStore, *given: Any, **named: Any) -> None:
        super().__init__(store, *given, **named)
        cache = self._cache
        self._writer = SharedWriter(store, cache, cache.clock, self._stored)
        self.peers = Peers(store, cache, self._subscribers)
        if self._fair is not None:
            self._fair.numbers = SharedNumbers(store, cache, self._writer)

    async def renew(self, table_id: str) -> None:
        """Mark a cached table that another process has written to, so that it is read again."""
        await overtaken(self.store, self._cache, await self._cache.folded(table_id))

    async def log(self, table_id: str, after: int, limit: int) -> LogSlice:
        """A slice of the log: all that is stored, by whichever process."""
        await self.renew(table_id)
        return await super().log(table_id, after, limit)

    async def look_at(self, table_ids: Iterable[str]) -> dict[str, Table]:
        """These tables by id, as any process has stored them."""
        ids = list(table_ids)
        for id in ids:
            await self.renew(id)
        return await super().look_at(ids)


def tables_class(store: Store) -> type[Tables]:
    """The class for the tables of this store, which other processes may write to."""
    return SharedTables if isinstance(store, SharedStore) else Tables
