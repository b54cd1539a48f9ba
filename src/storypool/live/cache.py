"""A cache of folded tables: loaded from the store on first use, and dropped when they have not been used for long."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Sequence

from storypool.engine.events import Event, Rewound
from storypool.engine.system import System
from storypool.engine.table import Table
from storypool.live.clock import Clock
from storypool.live.fair_queue import FairQueue
from storypool.live.folded import Folded, Step, unfold
from storypool.log.store import Store, StoreError, no_table

TABLES_KEPT = 256
"""The most tables in the cache that nobody follows."""


class Cache:
    """The folded tables in memory; those with an id in `followed` are never dropped to make room."""

    def __init__(self, store: Store, find: Callable[[Table], System], followed: Container[str], clock: Clock) -> None:
        self.store, self.find, self.followed, self.clock = store, find, followed, clock
        self._kept: OrderedDict[str, Folded] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Folded]] = {}
        self._old = FairQueue()

    async def folded(self, table_id: str) -> Folded:
        """Return a table, loaded from the store if it is not cached; `NoTable` when the store does not have it."""
        folded = self._kept.get(table_id)
        if folded is not None:
            self._kept.move_to_end(table_id)
            return folded
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda done: self._loaded(table_id, done))
        return await asyncio.shield(task)

    async def steps(self, table_id: str, after: int, upto: int | None = None) -> Sequence[Step]:
        """Return the stored records after number `after`, each with the table before it and the table after it.

        What is no longer in memory is read for one after another of the tables, so that none keeps the others waiting.
        """
        folded = await self.folded(table_id)
        steps = folded.after(after)
        if steps is None:
            upto_now = folded.stored.seq
            steps = (await self._old.do(table_id, lambda: asyncio.to_thread(self._read, table_id, upto_now)))[after:]
        return steps if upto is None else [step for step in steps if step.record.seq <= upto]

    async def past(self, folded: Folded, events: Iterable[Event]) -> dict[int, Table]:
        """Return the tables that these events rewind to, by the number of the record they follow."""
        past = {}
        for event in events:
            if isinstance(event, Rewound):
                then = folded.past(event.to)
                if then is None:
                    records = await asyncio.to_thread(self.store.read, folded.id, 0, event.to)
                    then = (await asyncio.to_thread(unfold, records))[-1].after
                past[event.to] = then
        return past

    def replace(self, folded: Folded, by: Folded | None) -> None:
        """Replace this entry if it is still cached; with None, drop it, and the next use loads it again."""
        if self._kept.get(folded.id) is folded:
            if by is None:
                del self._kept[folded.id]
            else:
                self._kept[folded.id] = by

    def forget(self, table_id: str) -> None:
        """Drop a table from the cache."""
        self._kept.pop(table_id, None)

    def _read(self, table_id: str, upto: int) -> list[Step]:
        return unfold(self.store.read(table_id, 0, upto))

    async def _load(self, table_id: str) -> Folded:
        listing = await asyncio.to_thread(self.store.listing, table_id)
        if listing is None or listing.deleted:
            raise no_table(table_id)
        records = await asyncio.to_thread(self.store.read, table_id)
        if not records:
            raise no_table(table_id)
        steps = await asyncio.to_thread(unfold, records)
        table = steps[-1].after
        try:
            system = self.find(table)
        except LookupError as error:
            raise StoreError(*error.args) from None
        offset = self.clock.offset_at(records[-1].at)
        return Folded(table_id, system, steps, table, bool(listing.closed), offset)

    def _loaded(self, table_id: str, done: asyncio.Task[Folded]) -> None:
        del self._loading[table_id]
        if done.cancelled() or done.exception() is not None:
            return
        self._kept[table_id] = done.result()
        kept = self._kept
        idle = [id for id in kept if id != table_id and id not in self.followed and not kept[id].in_flight]
        for id in idle[: max(0, len(idle) - TABLES_KEPT)]:
            del kept[id]
