"""Moves with verifiable dice: server and pages are bound to numbers before a roll, as logged."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from storypool.engine.decisions import Decision
from storypool.engine.fold import evolve
from storypool.engine.game.kit import Roll
from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.live.bindings import Numbers
from storypool.live.cache import Cache
from storypool.live.page_numbers import PageNumbers
from storypool.live.writer import Decided, Made, Token

Decide = Callable[[System, Table, Roll], Decision]
Complete = Callable[[System, Table, Decided], Decided]
"""Adds further events to a decided move in the same commit, such as the end of its action."""


class _AlreadyBound(Exception):
    """The next roll is already bound to every page."""


class FairDice:
    """The public dice of each table of a store; all others are rolled with `roll`.

    `gather` is the time in seconds for the pages of a table to seal their numbers before the next
    roll is bound to them.
    """

    def __init__(self, numbers: PageNumbers, cache: Cache, roll: Roll, gather: float) -> None:
        self.numbers, self.cache, self.roll, self.gather = numbers, cache, roll, gather
        self.bindings = numbers.bindings

    async def make(
        self, table_id: str, seat_id: str, decide: Decide, complete: Complete, token: Token | None
    ) -> Made:
        """Make a move, and return it with the proof of its dice once all records are stored."""

        def decided(system: System, table: Table, held: Numbers) -> Decided:
            drawing = self.bindings.drawing(table_id, table, held)
            decision = decide(system, table, drawing or self.roll)
            if drawing and drawing.rolled:
                proof = self.bindings.proof(
                    drawing, decision.events, after=table.seq, dice=system.dice, held=held
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

        return await self.numbers.append(table_id, decided, token=token)

    async def take(
        self, table_id: str, seat_id: str, numbers: Iterable[str], sealed: str
    ) -> list[str]:
        """Take the numbers that a seat's page opens, and the hash of its next.

        Return opened hashes. The binding of the next roll is stored when the first page comes, and
        when a new one comes.
        """
        folded = await self.cache.folded(table_id)
        if folded.closed:
            return []
        opened, held = await self.numbers.take(table_id, seat_id, numbers, sealed)

        def bound(_: System, table: Table, held: Numbers) -> Decided:
            event = self.bindings.due(table_id, table, held)
            if event is None:
                raise _AlreadyBound
            return Decided("", [event], [evolve(table, event)])

        if self.bindings.due(table_id, folded.head, held) is None:
            return opened
        # All pages respond to a record at about the same time: wait for those that come a moment
        # later.
        await asyncio.sleep(self.gather)
        held = await self.numbers.gathered(table_id)
        with suppress(_AlreadyBound):
            await self.numbers.append(table_id, bound, held)
        return opened
