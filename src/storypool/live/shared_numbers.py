"""The numbers of the players' pages where several processes serve a table: kept beside its log,
agreed on there.

Pages may speak to different processes, and a number that any of them has taken must be in the roll.
So the text beside the log has the numbers of one place, and is only ever replaced as a whole, by a
process that has read it. Before a roll the place is closed: from then on it takes no number, and
every process that rolls there has the same ones.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from storypool.engine.table import Binding
from storypool.live.bindings import Bindings, Numbers
from storypool.live.cache import Cache
from storypool.log.store import Conflict, SharedStore, StoreError
from storypool.words import Phrase

MAX_TRIES = 16
"""The most times that the text is read again because another process has replaced it."""


@dataclass
class _NextRoll:
    """What is known of one place of a row: the numbers opened for it, the seals for the next, who
    took those.
    """

    row: str = ""
    place: int = -1
    closed: bool = False
    opened: dict[str, str] = field(default_factory=dict)
    sealed: dict[str, str] = field(default_factory=dict)
    by: dict[str, str] = field(default_factory=dict)

    def at(self, bound: Binding) -> _NextRoll | None:
        """Return what is known of the place that is bound, which may be the next; None when that
        has gone by.
        """
        if (self.row, self.place) == (bound.row, bound.place):
            return self
        if self.row == bound.row and self.place > bound.place:
            return None
        # What is bound now was sealed for this place, and is for no other.
        bound_now = {one.partition("=")[2] for one in bound.sealed}
        sealed = {hash: seat for hash, seat in self.sealed.items() if hash not in bound_now}
        return _NextRoll(bound.row, bound.place, False, opened={}, sealed=sealed, by=self.by)


class SharedNumbers:
    """The numbers of each table of a shared store."""

    def __init__(self, store: SharedStore, cache: Cache, bindings: Bindings) -> None:
        self.store, self.cache, self.bindings = store, cache, bindings
        self._process = secrets.token_hex(4)

    async def take(
        self, table_id: str, seat_id: str, numbers: Iterable[str], sealed: str
    ) -> tuple[list[str], Numbers]:
        """Take what a seat's page opens, and the hash of its next number; return opened hashes, all
        numbers.
        """
        given = tuple(numbers)
        for _ in range(MAX_TRIES):
            folded = await self.cache.folded(table_id)
            text = await asyncio.to_thread(self.store.kept, table_id)
            bound = self.bindings.bound(table_id, folded.stored)
            known = _read(text)
            place = known.at(bound) if bound else _NextRoll(sealed=known.sealed, by=known.by)
            if place is None:
                await self.cache.overtaken(folded)
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
        """Return the numbers of a table that has no row yet, those that came to other processes
        too.
        """
        place = _read(await asyncio.to_thread(self.store.kept, table_id))
        return Numbers(place.opened, place.sealed)

    async def close(self, table_id: str, bound: Binding) -> Numbers | None:
        """Take no more numbers for a place, and return those it has; None when it has gone by."""
        for _ in range(MAX_TRIES):
            text = await asyncio.to_thread(self.store.kept, table_id)
            place = _read(text).at(bound)
            if place is None:
                return None
            was, place.closed = place.closed, True
            if was or await self._replace(table_id, text, place):
                return Numbers(place.opened, place.sealed)
        raise Conflict(Phrase("live.busy"))

    async def withdraw(self, table_id: str, seat_id: str) -> None:
        """Bind no number that a seat's pages have sealed by this process: they are gone."""
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
                # It costs the proof of one roll, and nothing else.
                return

    async def _replace(self, table_id: str, text: str, place: _NextRoll) -> bool:
        now = msgspec.json.encode(place).decode()
        return now == text or await asyncio.to_thread(self.store.replace_kept, table_id, text, now)


def _read(text: str) -> _NextRoll:
    """Return the place that a text holds; an empty one when a store of another kind wrote it."""
    try:
        return msgspec.json.decode(text.encode(), type=_NextRoll)
    except msgspec.DecodeError:
        return _NextRoll()
