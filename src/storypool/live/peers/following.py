"""The other processes of a store: their writes are noticed, read, and passed to followers here.

A notification names the tables that another process wrote to. It may get lost, so once a second the
log ends of the cached tables are read from the store.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress

from storypool.live.cache import Cache
from storypool.live.folded import Folded
from storypool.log.shared.shared_store import GRANTS, PRESENCE, End, SharedStore
from storypool.log.store import Grant, StoreError

logger = logging.getLogger("storypool.live")

POLL_EVERY_S = 1.0
"""Seconds between two polls of the store."""
OVERLAP_S = 10.0
"""Seconds for which a transaction may last and still be seen by the next poll."""


class Peers:
    """The other processes of a store; tables in `followed` are updated at once, others when used.

    `granted` is called with grants that any process stored or revoked recently, often repeatedly.
    `elsewhere` is called with the seats that follow a table at other processes, when they have
    changed.
    """

    def __init__(self, store: SharedStore, cache: Cache, followed: Collection[str]) -> None:
        self.store, self.cache, self.followed = store, cache, followed
        self.granted: Callable[[Sequence[Grant]], object] = lambda grants: None
        self.elsewhere: Callable[[str, frozenset[str]], object] = lambda table_id, seats: None
        self._process, self._here = secrets.token_hex(4), dict[str, Collection[str]]()
        self._elsewhere = dict[str, frozenset[str]]()
        self._tasks: set[asyncio.Task[None]] = set()
        self._looked_at_grants = time.monotonic()

    async def run(self) -> None:
        """Listen and poll until cancelled."""
        loop = asyncio.get_running_loop()

        def notify(tables: Collection[str]) -> None:
            # Once the loop is closed, nobody follows any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._take_notification, tables)

        await asyncio.to_thread(self.store.listen, notify)
        try:
            while True:
                try:
                    await self._look()
                except StoreError:
                    # The next poll covers everything since the last successful one.
                    pass
                except Exception:
                    logger.exception("What other processes have written could not be looked at.")
                await asyncio.sleep(POLL_EVERY_S)
        finally:
            for task in self._tasks:
                task.cancel()

    def present(self, table_id: str, seats: Collection[str]) -> None:
        """Notify the other processes of the seats that follow a table here."""
        if not self._here:
            self._begin(self._send_presence())
        self._here[table_id] = seats

    def _take_notification(self, tables: Collection[str]) -> None:
        changed = [id.removeprefix(PRESENCE) for id in tables if id.startswith(PRESENCE)]
        if present := [id for id in changed if id in self.followed]:
            self._begin(self._look_at_presence(present))
        for id in tables:
            if id == GRANTS:
                self._begin(self._look_at_grants())
            elif not id.startswith(PRESENCE):
                if folded := self.cache.kept.get(id):
                    folded.behind = True
                self._begin_catching_up(id)

    async def _look(self) -> None:
        await self._look_at_grants()
        await self._send_presence()
        await self._look_at_presence(list(self.followed))
        ids = list(self.cache.kept)
        ends = await asyncio.to_thread(self.store.ends, ids) if ids else {}
        for id, folded in list(self.cache.kept.items()):
            # The answers to own pending records show whether a table is behind.
            if (end := ends.get(id)) and not folded.in_flight and end != end_of(folded):
                folded.behind = True
                self._begin_catching_up(id)

    async def _look_at_grants(self) -> None:
        now = time.monotonic()
        with suppress(StoreError):
            self.granted(
                await asyncio.to_thread(
                    self.store.grants_since, now - self._looked_at_grants + OVERLAP_S
                )
            )
            self._looked_at_grants = now

    async def _send_presence(self) -> None:
        here = dict(self._here)
        try:
            await asyncio.to_thread(self.store.present, self._process, here)
        except StoreError:
            return
        # Send changes made meanwhile next.
        self._here = {id: seats for id, seats in self._here.items() if here.get(id) is not seats}
        if self._here:
            self._begin(self._send_presence())

    async def _look_at_presence(self, tables: Sequence[str]) -> None:
        with suppress(StoreError):
            found = (
                await asyncio.to_thread(self.store.present_elsewhere, self._process, tables)
                if tables
                else {}
            )
            self._elsewhere = {
                id: seats for id, seats in self._elsewhere.items() if id in self.followed
            }
            for id in tables:
                seats = frozenset(found.get(id, ()))
                if seats != self._elsewhere.get(id, frozenset()):
                    self._elsewhere[id] = seats
                    self.elsewhere(id, seats)

    def _begin_catching_up(self, table_id: str) -> None:
        if table_id in self.followed and self._behind(table_id):
            self._begin(self._catch_up(table_id))

    async def _catch_up(self, table_id: str) -> None:
        # The next poll tries again.
        with suppress(StoreError):
            while self._behind(table_id):
                await self.cache.folded(table_id)

    def _behind(self, table_id: str) -> bool:
        folded = self.cache.kept.get(table_id)
        return folded is not None and folded.behind

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def end_of(folded: Folded) -> End:
    """The end of the log of a cached table."""
    return End(folded.stored.seq, folded.closed, 0)


async def overtaken(
    store: SharedStore, cache: Cache, folded: Folded, seen: End | None = None
) -> bool:
    """Whether another process wrote to a table, so that decisions based on `seen` are void."""
    ends = await asyncio.to_thread(store.ends, [folded.id])
    if ends.get(folded.id) != end_of(folded):
        folded.behind = True
    # This table may have caught up while the store was asked.
    return (
        folded.behind
        or cache.kept.get(folded.id) is not folded
        or end_of(folded) != (seen or end_of(folded))
    )
