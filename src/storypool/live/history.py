"""The past of tables: their logs as steps, from the nearest snapshot on."""

from collections.abc import Sequence

from storypool.engine.table import Table
from storypool.live.folded import MAX_STEPS, Step, unfold
from storypool.log.snapshots import Snapshots
from storypool.log.store import Store

SNAPSHOT_EVERY = 256
"""The records from one snapshot to the next: some more than stay in memory."""
LAST_SEQ = (1 << 63) - 1
"""The largest number that a record can have."""


class History:
    """Reads the logs of a store as steps, from any thread; methods may raise `StoreError`."""

    def __init__(self, store: Store, snapshots: Snapshots | None = None) -> None:
        self.store, self.snapshots = store, snapshots or Snapshots(store.epoch)

    def newest(self, table_id: str) -> list[Step]:
        """The last steps of a log: at least as many as stay in memory, or all.

        The whole log is read to verify it.
        """
        kept = self.snapshots.before(table_id, LAST_SEQ)
        for seq in [seq for seq in kept if seq <= kept[0] - MAX_STEPS][:1]:
            if steps := self._steps_since(table_id, seq, None):
                self.store.verify(table_id)
                return steps
        steps = unfold(self.store.read(table_id))
        self._keep(table_id, steps)
        return steps

    def steps(self, table_id: str, after: int, upto: int) -> list[Step]:
        """The steps of the records after number `after`, up to and including `upto`."""
        for seq in self.snapshots.before(table_id, after)[:1]:
            if steps := self._steps_since(table_id, seq, upto):
                return [step for step in steps if step.record.seq > after]
        return unfold(self.store.read(table_id, 0, upto))[after:]

    def table(self, table_id: str, seq: int) -> Table:
        """A table after a record."""
        return self.steps(table_id, seq - 1, seq)[-1].after if seq else Table()

    def due(self, steps: Sequence[Step]) -> bool:
        """Whether another snapshot is due, now that these steps are stored."""
        return steps[-1].after.seq // SNAPSHOT_EVERY > steps[0].before.seq // SNAPSHOT_EVERY

    def keep(self, table_id: str, step: Step) -> None:
        """Store a snapshot of the table after a step."""
        self.snapshots.keep(table_id, step.record, step.after)

    def forget(self, table_id: str) -> None:
        """Forget a deleted table."""
        self.snapshots.forget(table_id)

    def _steps_since(self, table_id: str, seq: int, upto: int | None) -> list[Step]:
        """The steps after the snapshot of record `seq`; empty if that is not of this log."""
        records = self.store.read(table_id, seq - 1, upto)
        table = self.snapshots.after(table_id, records[0]) if records else None
        if table is None:
            return []
        return unfold(records[1:], table, lambda then: self.table(table_id, then))

    def _keep(self, table_id: str, steps: Sequence[Step]) -> None:
        for step in steps[SNAPSHOT_EVERY - 1 :: SNAPSHOT_EVERY]:
            self.keep(table_id, step)
