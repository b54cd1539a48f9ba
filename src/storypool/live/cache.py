"""A cache of folded tables: loaded from the store on first use, evicted when unused for long."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial

from storypool.engine.events import Event, Rewound
from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.live.clock import Clock
from storypool.live.fair_queue import FairQueue
from storypool.live.folded import Folded, Step, unfold
from storypool.live.history import History
from storypool.log.store import StoreError, no_table

MAX_TABLES = 256
"""The most tables in the cache that nobody follows."""


class Cache:
    """The folded tables in memory, `kept`; those with an id in `followed` are never evicted.

    `stored` is called with the steps of records that a table lacked, and `deleted` when a table
    turns out to be deleted.
    """

    def __init__(
        self,
        history: History,
        find: Callable[[Table], System],
        followed: Container[str],
        clock: Clock,
        stored: Callable[[str, Sequence[Step]], object],
        deleted: Callable[[str], object],
    ) -> None:
        self.history, self.store = history, history.store
        self.find, self.followed, self.clock = find, followed, clock
        self._stored, self._deleted = stored, deleted
        self.kept: OrderedDict[str, Folded] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Folded]] = {}
        self._snapping: set[asyncio.Task[None]] = set()
        self._old = FairQueue()

    async def folded(self, table_id: str) -> Folded:
        """A table, loaded from the store if it is not cached; `NoTable` if the store lacks it.

        A table that is behind first gets its missing records.
        """
        folded = self.kept.get(table_id)
        if folded is not None and not folded.behind:
            self.kept.move_to_end(table_id)
            return folded
        task = self._loading.get(table_id)
        if task is None or task.done():
            task = self._loading[table_id] = asyncio.create_task(self._newest(table_id))
            task.add_done_callback(lambda done: self._finish_loading(table_id, done))
        return await asyncio.shield(task)

    async def steps(self, table_id: str, after: int, upto: int | None = None) -> Sequence[Step]:
        """The stored records after number `after`, each with the table before it and after it.

        Steps that are no longer in memory are read for one table after another, so that none keeps
        the others waiting.
        """
        folded = await self.folded(table_id)
        steps = folded.after(after)
        if steps is None:
            last = folded.stored.seq if upto is None else min(upto, folded.stored.seq)
            read = partial(asyncio.to_thread, self.history.steps, table_id, after, last)
            return await self._old.do(table_id, read)
        return steps if upto is None else [step for step in steps if step.record.seq <= upto]

    async def past(
        self, folded: Folded, events: Iterable[Event], upto: int | None = None
    ) -> dict[int, Table]:
        """The tables that these events rewind to, by number of the last record, up to `upto`."""
        past = {}
        for event in events:
            if isinstance(event, Rewound) and (upto is None or 0 < event.to <= upto):
                table = folded.past(event.to)
                if table is None:
                    table = await asyncio.to_thread(self.history.table, folded.id, event.to)
                past[event.to] = table
        return past

    def drop_pending(self, folded: Folded, behind: bool) -> None:
        """Replace a table with itself without its pending steps.

        If `behind`, the next use reads more.
        """
        if self.kept.get(folded.id) is folded:
            self.kept[folded.id] = folded.as_stored(behind)

    def stored(self, table_id: str) -> Table | None:
        """A table as it is stored, if it is cached."""
        folded = self.kept.get(table_id)
        return None if folded is None else folded.stored

    def forget(self, table_id: str) -> None:
        """Drop a table from the cache."""
        self.kept.pop(table_id, None)

    def snap(self, folded: Folded, steps: Sequence[Step]) -> None:
        """Store a snapshot of a table in the background, if one is due after these stored steps."""
        if self.history.due(steps):
            task = asyncio.create_task(asyncio.to_thread(self.history.keep, folded.id, steps[-1]))
            self._snapping.add(task)
            task.add_done_callback(self._snapping.discard)

    async def _newest(self, table_id: str) -> Folded:
        while (folded := self.kept.get(table_id)) is not None:
            if not folded.behind or await self._caught_up(folded):
                return folded
        return await self._load(table_id)

    async def _caught_up(self, folded: Folded) -> bool:
        """Fold the newer records of the store; False if the table changed meanwhile."""
        await folded.settled()
        folded.behind, before = False, folded.stored
        try:
            listing = await asyncio.to_thread(self.store.listing, folded.id)
            records = await asyncio.to_thread(self.store.read, folded.id, before.seq)
            past = await self.past(folded, (one.event for one in records if one.event), before.seq)
            steps = list[Step]()
            if len(records) > 1:
                steps = await asyncio.to_thread(unfold, records, before, past.__getitem__)
        except BaseException:
            folded.behind = True
            raise
        if listing is None or listing.deleted:
            self.forget(folded.id)
            self._deleted(folded.id)
            raise no_table(folded.id)
        if (
            self.kept.get(folded.id) is not folded
            or folded.in_flight
            or folded.stored is not before
        ):
            folded.behind = True
            return False
        folded.closed = listing.closed
        if records:
            steps = steps or unfold(records, before, past.__getitem__)
            folded.advance(steps)
            folded.stored = folded.head
            folded.offset = self.clock.offset_at(records[-1].at)
            self._stored(folded.id, steps)
        return True

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
        return Folded(table_id, system, steps, table=table, closed=listing.closed, offset=offset)

    def _finish_loading(self, table_id: str, done: asyncio.Task[Folded]) -> None:
        if self._loading.get(table_id) is done:
            del self._loading[table_id]
        if done.cancelled() or done.exception() is not None:
            return
        self.kept[table_id] = done.result()
        kept = self.kept
        idle = [
            id
            for id in kept
            if id != table_id and id not in self.followed and not kept[id].in_flight
        ]
        for id in idle[: max(0, len(idle) - MAX_TABLES)]:
            del kept[id]
