"""A cache of folded tables: loaded from the store on first use, and dropped when they have not been used for long."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial

from storypool.engine.events import Event, Rewound
from storypool.engine.system import System
from storypool.engine.table import Table
from storypool.live.clock import Clock
from storypool.live.fair_queue import FairQueue
from storypool.live.folded import Folded, Step
from storypool.live.history import History
from storypool.log.store import StoreError, no_table

TABLES_KEPT = 256
"""The most tables in the cache that nobody follows."""


class Cache:
    """The folded tables in memory; those with an id in `followed` are never dropped to make room."""

    def __init__(
        self, history: History, find: Callable[[Table], System], followed: Container[str], clock: Clock
    ) -> None:
        self.history, self.store = history, history.store
        self.find, self.followed, self.clock = find, followed, clock
        self._kept: OrderedDict[str, Folded] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Folded]] = {}
        self._snapping: set[asyncio.Task[None]] = set()
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
            last = folded.stored.seq if upto is None else min(upto, folded.stored.seq)
            read = partial(asyncio.to_thread, self.history.steps, table_id, after, last)
            return await self._old.do(table_id, read)
        return steps if upto is None else [step for step in steps if step.record.seq <= upto]

    async def past(self, folded: Folded, events: Iterable[Event]) -> dict[int, Table]:
        """Return the tables that these events rewind to, by the number of the record they follow."""
        past = {}
        for event in events:
            if isinstance(event, Rewound):
                then = folded.past(event.to)
                if then is None:
                    then = await asyncio.to_thread(self.history.table, folded.id, event.to)
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

    def snap(self, folded: Folded, steps: Sequence[Step]) -> None:
        """Keep a snapshot of a table in the background, if it is time for one after these stored steps."""
        if self.history.due(steps):
            task = asyncio.create_task(asyncio.to_thread(self.history.keep, folded.id, steps[-1]))
            self._snapping.add(task)
            task.add_done_callback(self._snapping.discard)

    async def _load(self, table_id: str) -> Folded:
        listing = await asyncio.to_thread(self.store.listing, table_id)
        if listing is None or listing.deleted:
            raise no_table(table_id)
        steps = await asyncio.to_thread(self.history.newest, table_id)
        if not steps:
            raise no_table(table_id)
        table = steps[-1].after
        try:
            system = self.find(table)
        except LookupError as error:
            raise StoreError(*error.args) from None
        offset = self.clock.offset_at(steps[-1].record.at)
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
