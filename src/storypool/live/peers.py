"""What other processes write to the same store: heard of, read, and passed on to those who follow a table here.

A notification names the tables that somebody wrote to. It may get lost, so once a second the store is asked where the
cached tables stand.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Container, Coroutine, Sequence
from contextlib import suppress

from storypool.live.cache import Cache
from storypool.log.store import GRANTS, Grant, SharedStore, StoreError

logger = logging.getLogger("storypool.live")

EVERY = 1.0
"""Seconds between two looks at the store."""
OVERLAP = 10.0
"""Seconds for which a transaction may last and still be seen by the next look."""


class Peers:
    """The other processes of a store. Tables in `followed` are brought up to date at once, others when they are used.

    `granted` is called with grants that were stored or revoked lately, by any process; it gets most of them repeatedly.
    """

    def __init__(
        self,
        store: SharedStore,
        cache: Cache,
        followed: Container[str],
        granted: Callable[[Sequence[Grant]], object],
    ) -> None:
        self.store, self.cache, self.followed, self.granted = store, cache, followed, granted
        self._tasks: set[asyncio.Task[None]] = set()
        self._looked = time.monotonic()

    async def run(self) -> None:
        """Listen and look until this is cancelled."""
        loop = asyncio.get_running_loop()

        def hear(tables: Collection[str]) -> None:
            # When the loop is closed, nobody follows any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._heard, tables)

        self.store.listen(hear)
        try:
            while True:
                try:
                    await self._look()
                except StoreError:
                    # The next look asks for everything since the last one that went well.
                    pass
                except Exception:
                    logger.exception("What other processes have written could not be looked at.")
                await asyncio.sleep(EVERY)
        finally:
            for task in self._tasks:
                task.cancel()

    def _heard(self, tables: Collection[str]) -> None:
        for id in tables:
            if id == GRANTS:
                self._begin(self._look_at_grants())
            else:
                self.cache.written(id)
                self._bring(id)

    async def _look(self) -> None:
        await self._look_at_grants()
        ids = self.cache.ids()
        ends = await asyncio.to_thread(self.store.ends, ids) if ids else {}
        for id in self.cache.compare(ends):
            self._bring(id)

    async def _look_at_grants(self) -> None:
        now = time.monotonic()
        with suppress(StoreError):
            self.granted(await asyncio.to_thread(self.store.grants_since, now - self._looked + OVERLAP))
            self._looked = now

    def _bring(self, table_id: str) -> None:
        if table_id in self.followed and self.cache.behind(table_id):
            self._begin(self._brought(table_id))

    async def _brought(self, table_id: str) -> None:
        # What fails now is tried again with the next look.
        with suppress(StoreError):
            while self.cache.behind(table_id):
                await self.cache.folded(table_id)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
