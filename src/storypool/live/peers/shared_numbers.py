"""The numbers of the players' pages if several processes serve a table: agreed on in the store.

Pages may speak to different processes, and a number that any of them has taken must be in the roll.
So the text next to the log has the numbers of one place, and is only ever replaced as a whole, by a
process that has read it. Before a roll the place is closed: from then on it takes no number, and
every process that rolls there has the same ones.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from storypool.engine.events import DiceBound
from storypool.engine.game.system import System
from storypool.engine.table import Binding, Table
from storypool.live.bindings import Numbers
from storypool.live.cache import Cache
from storypool.live.page_numbers import DecideWith, PageNumbers
from storypool.live.peers.following import overtaken
from storypool.live.writer import Decided, Made, Token, Writer
from storypool.log.shared.shared_store import SharedStore
from storypool.log.store import Conflict, StoreError
from storypool.words import Phrase

MAX_TRIES = 16
"""The most retries if another process has replaced the text."""


@dataclass
class _NextRoll:
    """The state of one place of a row: opened numbers, seals for the next, and their processes."""

    row: str = ""
    place: int = -1
    closed: bool = False
    opened: dict[str, str] = field(default_factory=dict)
    sealed: dict[str, str] = field(default_factory=dict)
    by: dict[str, str] = field(default_factory=dict)

    def for_binding(self, bound: Binding) -> _NextRoll | None:
        """The state of the bound place, which may be the next one; None if that is over."""
        if (self.row, self.place) == (bound.row, bound.place):
            return self
        if self.row == bound.row and self.place > bound.place:
            return None
        # Bound numbers were sealed for this place, and for no other.
        bound_now = {one.partition("=")[2] for one in bound.sealed}
        sealed = {hash: seat for hash, seat in self.sealed.items() if hash not in bound_now}
        return _NextRoll(bound.row, bound.place, False, opened={}, sealed=sealed, by=self.by)


class _StillOpen(Exception):
    """A record would end this binding while other processes may still take numbers for it."""

    def __init__(self, bound: Binding) -> None:
        super().__init__()
        self.bound = bound


class SharedNumbers(PageNumbers):
    """The numbers of each table of a shared store."""

    store: SharedStore

    def __init__(self, store: SharedStore, cache: Cache, writer: Writer) -> None:
        super().__init__(store, cache, writer)
        self._process = secrets.token_hex(4)
        self._withdrawing = set[asyncio.Task[None]]()

    async def take(
        self, table_id: str, seat_id: str, numbers: Iterable[str], sealed: str
    ) -> tuple[list[str], Numbers]:
        """Take the numbers that a seat's page opens, and the hash of its next.

        Returns the opened hashes, and all numbers.
        """
        given = tuple(numbers)
        for _ in range(MAX_TRIES):
            folded = await self.cache.folded(table_id)
            text = await asyncio.to_thread(self.store.kept, table_id)
            bound = self.bindings.bound(table_id, folded.stored)
            known = _read(text)
            place = (
                known.for_binding(bound) if bound else _NextRoll(sealed=known.sealed, by=known.by)
            )
            if place is None:
                await overtaken(self.store, self.cache, folded)
                continue
            held = Numbers(place.opened, place.sealed)
            opening = () if place.closed else given
            opened = self.bindings.take(
                table_id,
                folded.stored,
                folded.head,
                seat=seat_id,
                numbers=opening,
                sealed=sealed,
                held=held,
            )
            place.opened, place.sealed = held.opened, held.sealed
            place.by = {hash: place.by.get(hash, self._process) for hash in held.sealed}
            if await self._replace(table_id, text, place):
                return opened, held
        raise Conflict(Phrase("live.busy"))

    async def gathered(self, table_id: str) -> Numbers:
        """The numbers of a table without a row, including those that other processes received."""
        place = _read(await asyncio.to_thread(self.store.kept, table_id))
        return Numbers(place.opened, place.sealed)

    async def append(
        self,
        table_id: str,
        decide: DecideWith,
        held: Numbers | None = None,
        token: Token | None = None,
    ) -> Made:
        """Decide and store a move; a binding is closed in all processes before a record ends it."""
        closed, final = None, Numbers()

        def decided(system: System, table: Table) -> Decided:
            bound = self.bindings.bound(table_id, table)
            is_final = bound is not None and bound == closed
            made = decide(system, table, final if is_final else held or Numbers())
            if bound is None or is_final:
                return made
            if any(isinstance(event, DiceBound) for event in made.events):
                raise _StillOpen(bound)
            return made

        for _ in range(MAX_TRIES):
            try:
                return await self.writer.append(table_id, decided, token)
            except _StillOpen as needed:
                numbers = await self.close(table_id, needed.bound)
                if numbers is None:
                    folded = await self.cache.folded(table_id)
                    await overtaken(self.store, self.cache, folded)
                else:
                    closed, final = needed.bound, numbers
        raise Conflict(Phrase("live.busy"))

    async def close(self, table_id: str, bound: Binding) -> Numbers | None:
        """Close a place and return its numbers; None if it is over."""
        for _ in range(MAX_TRIES):
            text = await asyncio.to_thread(self.store.kept, table_id)
            place = _read(text).for_binding(bound)
            if place is None:
                return None
            was, place.closed = place.closed, True
            if was or await self._replace(table_id, text, place):
                return Numbers(place.opened, place.sealed)
        raise Conflict(Phrase("live.busy"))

    def withdraw(self, table_id: str, seat_id: str) -> None:
        """Drop the numbers that a seat's pages sealed in this process: the pages are gone."""
        task = asyncio.create_task(self._withdraw(table_id, seat_id))
        self._withdrawing.add(task)
        task.add_done_callback(self._withdrawing.discard)

    async def _withdraw(self, table_id: str, seat_id: str) -> None:
        for _ in range(MAX_TRIES):
            try:
                text = await asyncio.to_thread(self.store.kept, table_id)
                place = _read(text)
                gone = {
                    hash
                    for hash, seat in place.sealed.items()
                    if (seat, place.by[hash]) == (seat_id, self._process)
                }
                if not gone:
                    return
                place.sealed = {
                    hash: seat for hash, seat in place.sealed.items() if hash not in gone
                }
                if await self._replace(table_id, text, place):
                    return
            except StoreError:
                # Only the proof of one roll is lost.
                return

    async def _replace(self, table_id: str, text: str, place: _NextRoll) -> bool:
        new = msgspec.json.encode(place).decode()
        return new == text or await asyncio.to_thread(self.store.replace_kept, table_id, text, new)


def _read(text: str) -> _NextRoll:
    """The place in a text; an empty one if another kind of store wrote it."""
    try:
        return msgspec.json.decode(text.encode(), type=_NextRoll)
    except msgspec.DecodeError:
        return _NextRoll()
