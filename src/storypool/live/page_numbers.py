"""The numbers of the players' pages, in memory, and moves that are decided with them.

They are stored when a page leaves, so that its opened numbers remain if it does not return.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress

from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.live.bindings import Bindings, Numbers
from storypool.live.cache import Cache
from storypool.live.writer import Decided, Made, Token, Writer
from storypool.log.fair import seal
from storypool.log.store import Store, StoreError

MAX_TABLES = 1024
"""The most tables whose numbers are cached; pages of evicted tables send theirs again."""

DecideWith = Callable[[System, Table, Numbers], Decided]
"""Decides a move with the numbers of its table."""


class PageNumbers:
    """The numbers of each table of a store."""

    def __init__(self, store: Store, cache: Cache, writer: Writer) -> None:
        self.store, self.cache, self.writer = store, cache, writer
        self.bindings = Bindings(store)
        self._tables: OrderedDict[str, Numbers] = OrderedDict()

    async def take(
        self, table_id: str, seat_id: str, numbers: Iterable[str], sealed: str
    ) -> tuple[list[str], Numbers]:
        """Take the numbers that a seat's page opens, and the hash of its next.

        Returns the opened hashes, and all numbers.
        """
        folded = await self.cache.folded(table_id)
        if table_id not in self._tables:
            kept = await asyncio.to_thread(self.store.kept, table_id)
            if table_id not in self._tables:
                self._numbers_of(table_id).opened = {
                    seal(number): number for number in kept.split()
                }
        held = self._numbers_of(table_id)
        opened = self.bindings.take(
            table_id,
            folded.stored,
            folded.head,
            seat=seat_id,
            numbers=numbers,
            sealed=sealed,
            held=held,
        )
        return opened, held

    async def gathered(self, table_id: str) -> Numbers:
        """The numbers of a table that were taken up to now."""
        return self._numbers_of(table_id)

    async def append(
        self,
        table_id: str,
        decide: DecideWith,
        held: Numbers | None = None,
        token: Token | None = None,
    ) -> Made:
        """Decide a move with the numbers of its table, by default the current ones; store it."""

        def decided(system: System, table: Table) -> Decided:
            return decide(system, table, held or self._numbers_of(table_id))

        return await self.writer.append(table_id, decided, token)

    def withdraw(self, table_id: str, seat_id: str) -> None:
        """Drop the sealed numbers of a seat whose pages are gone, and store the opened ones."""
        if (held := self._tables.get(table_id)) is None:
            return
        held.sealed = {hash: seat for hash, seat in held.sealed.items() if seat != seat_id}
        # If the store fails, only the proof of one roll is lost.
        with suppress(StoreError):
            if held.opened:
                self.store.keep(table_id, " ".join(held.opened.values()))

    def _numbers_of(self, table_id: str) -> Numbers:
        held = self._tables.setdefault(table_id, Numbers())
        self._tables.move_to_end(table_id)
        while len(self._tables) > MAX_TABLES:
            self._tables.popitem(last=False)
        return held
