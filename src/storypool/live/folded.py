"""One folded table in memory, and the steps that lead from one table to the next."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple

from storypool.engine.events import Record
from storypool.engine.fold import fold_on
from storypool.engine.game.system import System
from storypool.engine.ledger import Ledger
from storypool.engine.sight import seen, view
from storypool.engine.table import Seat, Table
from storypool.log.store import Answer, StoreError

MAX_STEPS = 192
"""The most records of each table that stay in memory, so that feeds need not read the store."""


class Step(NamedTuple):
    """A record, the table before it, and the table after it."""

    record: Record
    before: Table
    after: Table


class Folded:
    """One folded table: as it is stored, and with its pending records.

    `failed` is the reason why a pending record was not stored. The cache then replaces this object,
    and no move is decided on it any more. `behind`: the store may have more records, which the
    cache reads before it returns this again. `offset` is that of the clock at its last record.
    """

    def __init__(
        self,
        table_id: str,
        system: System,
        steps: Sequence[Step],
        table: Table,
        closed: int,
        offset: int,
    ) -> None:
        self.id, self.system, self.closed, self.offset = table_id, system, closed, offset
        self.stored = self.head = table
        self.steps = deque(steps[-MAX_STEPS:])
        self.in_flight: deque[asyncio.Future[Answer | None]] = deque()
        self.failed: StoreError | None = None
        self.pending: Future[Answer] | None = None
        self.behind = False

    async def settled(self) -> bool:
        """Wait for the pending steps, and return whether all of them were stored."""
        while self.in_flight:
            await asyncio.wait([self.in_flight[-1]])
        return self.failed is None

    @property
    def played(self) -> System:
        """The current game of the table."""
        # Find the next one from this one: a file may have been read again meanwhile.
        self.system = self.system.played_at(self.stored)
        return self.system

    def after(self, seq: int) -> list[Step] | None:
        """The stored steps after `seq`, or None if the first of them is no longer in memory."""
        newest = self.stored.seq
        if seq >= newest:
            return []
        if not self.steps or self.steps[0].record.seq > seq + 1:
            return None
        first = self.steps[0].record.seq
        return [self.steps[i] for i in range(seq + 1 - first, newest + 1 - first)]

    def past(self, seq: int) -> Table | None:
        """The table after record `seq`, stored or pending, or None if it is no longer in memory."""
        if seq == self.head.seq:
            return self.head
        first = self.steps[0].record.seq if self.steps else self.head.seq + 1
        return self.steps[seq + 1 - first].before if first <= seq + 1 <= self.head.seq else None

    def advance(self, steps: Sequence[Step]) -> None:
        """Add steps that were sent to the store and are pending."""
        self.steps.extend(steps)
        self.head = steps[-1].after
        while len(self.steps) > MAX_STEPS and self.steps[0].record.seq <= self.stored.seq:
            self.steps.popleft()

    def as_stored(self, behind: bool) -> Folded:
        """The same table without its pending steps."""
        steps = [step for step in self.steps if step.record.seq <= self.stored.seq]
        same = Folded(
            self.id, self.system, steps, table=self.stored, closed=self.closed, offset=self.offset
        )
        same.behind = behind
        return same


def unfold(
    records: Sequence[Record],
    table: Table | None = None,
    past: Callable[[int], Table] | None = None,
) -> list[Step]:
    """The steps of a log, or of the records after a `table`.

    `past` returns tables from before `table` to rewind to, by the number of the record that they
    follow.
    """
    steps: list[Step] = []
    begins = table = table or Table()

    def table_after(seq: int) -> Table:
        if seq > begins.seq:
            return steps[seq - begins.seq - 1].after
        if seq == begins.seq:
            return begins
        return past(seq) if past and seq else Table()

    for record in records:
        after = fold_on(table, [record], table_after)
        steps.append(Step(record, table, after))
        table = after
    return steps


def steps_of(
    table: Table, records: Iterable[Record], tables: Sequence[Table], past: Mapping[int, Table]
) -> list[Step]:
    """The steps of records that follow a table.

    `tables` are the known tables after the first of these records; the rest are folded. `past` are
    the tables to rewind to, by record number.
    """
    steps = []
    for n, record in enumerate(records):
        after = tables[n] if n < len(tables) else fold_on(table, [record], past.__getitem__)
        steps.append(Step(record, table, after))
        table = after
    return steps


def ledger_of(system: System, steps: Sequence[Step], seat: Seat | None = None) -> Ledger:
    """The ledger of these steps, or of this seat's view of them."""
    begins, records = steps[0].before, [step.record for step in steps]
    if seat is None:
        return Ledger(system, begins).enter(records)
    return Ledger(system, seen(begins, seat)).enter(view(records, seat))
