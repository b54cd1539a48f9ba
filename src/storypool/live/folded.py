"""One table kept folded, and the steps that lead from one table to the next."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from storypool.engine.events import Record
from storypool.engine.fold import fold_on
from storypool.engine.system import System
from storypool.engine.table import Table
from storypool.log.store import Answer, StoreError

STEPS_KEPT = 192
"""Records of each table in memory, from which feeds go on without reading the store."""


class Step(NamedTuple):
    """A record, the table that it met, and the table that it made."""

    record: Record
    before: Table
    after: Table


class Folded:
    """One table kept folded: as it is stored, and as it will be once what is on its way is stored too.

    `failed` says why something on its way was not stored: then this is kept no longer, and nothing is decided on it.
    """

    def __init__(self, table_id: str, system: System, steps: Sequence[Step], table: Table, closed: bool) -> None:
        self.id, self.system, self.closed = table_id, system, closed
        self.stored = self.head = table
        self.steps = deque(steps[-STEPS_KEPT:])
        self.in_flight: deque[asyncio.Future[Answer | None]] = deque()
        self.failed: StoreError | None = None

    def after(self, seq: int) -> list[Step] | None:
        """The stored steps behind `seq`, or None where the first of them is no longer kept."""
        newest = self.stored.seq
        if seq >= newest:
            return []
        if not self.steps or self.steps[0].record.seq > seq + 1:
            return None
        first = self.steps[0].record.seq
        return [self.steps[i] for i in range(seq + 1 - first, newest + 1 - first)]

    def past(self, seq: int) -> Table | None:
        """The table as it was after record `seq`, stored or not, or None where it is no longer kept."""
        if seq == self.head.seq:
            return self.head
        first = self.steps[0].record.seq if self.steps else self.head.seq + 1
        return self.steps[seq + 1 - first].before if first <= seq + 1 <= self.head.seq else None

    def advance(self, steps: Sequence[Step]) -> None:
        """Take steps that are on their way to the store."""
        self.steps.extend(steps)
        self.head = steps[-1].after
        while len(self.steps) > STEPS_KEPT and self.steps[0].record.seq <= self.stored.seq:
            self.steps.popleft()

    def as_stored(self) -> Folded:
        """The same table without what is on its way."""
        steps = [step for step in self.steps if step.record.seq <= self.stored.seq]
        return Folded(self.id, self.system, steps, self.stored, self.closed)


def unfold(records: Sequence[Record]) -> list[Step]:
    """Every record of a whole log with the table that it met and the one that it made."""
    steps: list[Step] = []
    table = Table()
    for record in records:
        after = fold_on(table, [record], lambda seq: steps[seq - 1].after if seq else Table())
        steps.append(Step(record, table, after))
        table = after
    return steps


def stepped(table: Table, records: Iterable[Record], tables: Sequence[Table], past: Mapping[int, Table]) -> list[Step]:
    """Further records as steps, given the tables that are known after the first of them, and those to rewind to."""
    steps = []
    for n, record in enumerate(records):
        after = tables[n] if n < len(tables) else fold_on(table, [record], past.__getitem__)
        steps.append(Step(record, table, after))
        table = after
    return steps
