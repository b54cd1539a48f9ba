"""Moves with verifiable dice: server and pages are bound to numbers before a roll, as logged."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from storypool.engine.decisions import Decision
from storypool.engine.fold import evolve
from storypool.engine.game.kit import Roll
from storypool.engine.game.system import System
from storypool.engine.table import Binding, Table
from storypool.live.bindings import Bindings, Numbers
from storypool.live.cache import Cache
from storypool.live.shared_numbers import SharedNumbers
from storypool.live.writer import MAX_TRIES, Decided, Made, Token, Writer
from storypool.log.store import Conflict, SharedStore, Store, StoreError
from storypool.words import Phrase

Decide = Callable[[System, Table, Roll], Decision]
Complete = Callable[[System, Table, Decided], Decided]
"""Adds further events to a decided move in the same commit, such as the end of its action."""


class _AlreadyBound(Exception):
    """The next roll is already bound to every page."""


class _DiceNeeded(Exception):
    """A move needs dice of this binding, and other processes may still take numbers for them."""

    def __init__(self, bound: Binding) -> None:
        super().__init__()
        self.bound = bound


@dataclass(slots=True)
class _Closed:
    """A binding that takes no more numbers, and its numbers."""

    bound: Binding | None = None
    numbers: Numbers = field(default_factory=Numbers)


class FairDice:
    """The public dice of each table of a store; all others are rolled with `roll`.

    `gather` is the time in seconds for the pages of a table to seal their numbers before the next
    roll is bound to them.
    """

    def __init__(
        self, store: Store, cache: Cache, writer: Writer, roll: Roll, gather: float
    ) -> None:
        self.store, self.cache, self.writer, self.roll, self.gather = (
            store,
            cache,
            writer,
            roll,
            gather,
        )
        self.bindings = Bindings(store)
        self.shared = (
            SharedNumbers(store, cache, self.bindings) if isinstance(store, SharedStore) else None
        )
        self._withdrawing = set[asyncio.Task[None]]()

    async def make(
        self, table_id: str, seat_id: str, decide: Decide, complete: Complete, token: Token | None
    ) -> Made:
        """Make a move, and return it with the proof of its dice once all records are stored."""
        closed = _Closed()

        def decided(system: System, table: Table) -> Decided:
            held = closed.numbers if self.shared else None
            drawing = self.bindings.drawing(table_id, table, held)
            decision = decide(system, table, drawing or self.roll)
            if drawing and drawing.rolled:
                if self.shared and closed.bound != drawing.binding:
                    raise _DiceNeeded(drawing.binding)
                proof = self.bindings.proof(
                    table_id, drawing, decision.events, after=table.seq, dice=system.dice, held=held
                )
                if proof is not None:
                    tables = [*decision.tables, evolve(decision.tables[-1], proof)]
                    return complete(
                        system, table, Decided(seat_id, [*decision.events, proof], tables)
                    )
                # Dice that only some see must leave no trace in public events: roll them
                # separately.
                decision = decide(system, table, self.roll)
            return complete(system, table, Decided(seat_id, decision.events, decision.tables))

        return await self._append(table_id, decided, closed, token)

    async def take(
        self, table_id: str, seat_id: str, numbers: Iterable[str], sealed: str
    ) -> list[str]:
        """Take the numbers that a seat's page opens, and the hash of its next.

        Return opened hashes. The binding of the next roll is stored when the first page comes, and
        when a new one comes.
        """
        folded, bindings, shared = await self.cache.folded(table_id), self.bindings, self.shared
        if folded.closed:
            return []
        closed, held = _Closed(), None
        if shared:
            opened, held = await shared.take(table_id, seat_id, numbers, sealed)
        else:
            if not bindings.knows(table_id):
                bindings.recall(table_id, await asyncio.to_thread(self.store.kept, table_id))
            opened = bindings.take(
                table_id, folded.stored, folded.head, seat=seat_id, numbers=numbers, sealed=sealed
            )

        def bound(_: System, table: Table) -> Decided:
            place = bindings.bound(table_id, table)
            is_closed = place is not None and closed.bound == place
            event = bindings.due(table_id, table, closed.numbers if is_closed else held)
            if event is None:
                # Another process may have bound all pages meanwhile, and its place stays open for
                # their numbers.
                raise _AlreadyBound
            if shared and place and not is_closed:
                raise _DiceNeeded(place)
            return Decided("", [event], [evolve(table, event)])

        if bindings.due(table_id, folded.head, held) is None:
            return opened
        # All pages respond to a record at about the same time: wait for those that come a moment
        # later.
        await asyncio.sleep(self.gather)
        if shared:
            held = await shared.gathered(table_id)
        with suppress(_AlreadyBound):
            await self._append(table_id, bound, closed)
        return opened

    def withdraw(self, table_id: str, seat_id: str) -> None:
        """Drop the sealed numbers of a seat whose pages are gone, and store the opened ones."""
        if self.shared:
            task = asyncio.create_task(self.shared.withdraw(table_id, seat_id))
            self._withdrawing.add(task)
            task.add_done_callback(self._withdrawing.discard)
        elif self.bindings.knows(table_id):
            numbers = self.bindings.withdraw(table_id, seat_id)
            # If the store fails, only the proof of one roll is lost.
            with suppress(StoreError):
                if numbers:
                    self.store.keep(table_id, numbers)

    async def _append(
        self,
        table_id: str,
        decide: Callable[[System, Table], Decided],
        closed: _Closed,
        token: Token | None = None,
    ) -> Made:
        """Decide and store a move; close its binding in all processes before rolling its dice."""
        for _ in range(MAX_TRIES):
            try:
                return await self.writer.append(table_id, decide, token)
            except _DiceNeeded as needed:
                assert self.shared is not None
                numbers = await self.shared.close(table_id, needed.bound)
                if numbers is None:
                    await self.cache.overtaken(await self.cache.folded(table_id))
                else:
                    closed.bound, closed.numbers = needed.bound, numbers
        raise Conflict(Phrase("live.busy"))
