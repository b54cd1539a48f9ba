"""The cost of the witness for a committed move, in processor time and by the clock.

Two stores on one disk take the same moves in turns, round by round: one as usual, and one that
counts no commits and has no witness. Moves come one at a time, each waited for, as at a table in
play; and many at once, which share commits, as on a busy server. Only the ratio of one run means
something: the disk is as busy as the machine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks import brief
from storypool.engine.events import MoveMade, PointsSet, TableOpened
from storypool.engine.sight import records_of
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import Append

ROUNDS, ONE_BY_ONE, AT_ONCE = brief((15, 100, 1500), (1, 5, 20))


class Spent(NamedTuple):
    """Milliseconds for a move: of the processor, and by the clock."""

    processor: float
    clock: float


def main() -> None:
    """Print the cost of a move with the witness and without it, and the ratio."""
    with tempfile.TemporaryDirectory(
        prefix="storypool-bench-", dir=os.environ.get("STORYPOOL_BENCH_DIR")
    ) as folder:
        stores = {
            "with": SqliteStore(Path(folder) / "with"),
            "without": blind(SqliteStore(Path(folder) / "without")),
        }
        for name, moves, make in (
            ("one at a time", ONE_BY_ONE, one_by_one),
            ("many at once", AT_ONCE, at_once),
        ):
            spent: dict[str, list[Spent]] = {"with": [], "without": []}
            for n in range(ROUNDS):
                for which in list(stores)[:: 1 if n % 2 else -1]:
                    spent[which].append(measured(stores[which], f"{name} {n}", moves, make))
            report(name, spent["with"], spent["without"])
        for store in stores.values():
            store.close()


def blind(store: SqliteStore) -> SqliteStore:
    """A store without its witness."""

    class Blind:
        """A witness that does nothing."""

        large = False

        def reserve(self, line: bytes) -> None:
            """Do nothing."""

        def add(self, line: bytes) -> None:
            """Do nothing."""

        def close(self) -> None:
            """Do nothing."""

    store._witness.close()
    store._witness = Blind()  # type: ignore[assignment]
    store._count_commit = lambda db, tables: b""  # type: ignore[method-assign]
    return store


def move(table: str, after: int) -> Append:
    """A typical move: its name, and a point that it pays."""
    paid = PointsSet("light", "", 1, -1, "Upgrade a die")
    made = (
        MoveMade("destiny.upgrade", "ann", {"die": "ability"})
        if after
        else TableOpened("starwars", table, {})
    )
    records = records_of([made, paid], "ann", after, 7)
    return Append(
        table,
        after,
        records,
        seat="ann",
        token=f"token {after}",
        request_hash="0" * 64,
        answer=str(after),
    )


def one_by_one(store: SqliteStore, table: str, moves: int) -> None:
    """Make moves, each after the acknowledgement of the one before."""
    for n in range(moves):
        store.append(move(table, 2 * n))


def at_once(store: SqliteStore, table: str, moves: int) -> None:
    """Make moves at once, and wait for all."""
    for future in [store.submit(move(table, 2 * n)) for n in range(moves)]:
        future.result()


def measured(
    store: SqliteStore, table: str, moves: int, make: Callable[[SqliteStore, str, int], None]
) -> Spent:
    """The cost of one of these moves."""
    processor, clock = process_time(), perf_counter()
    make(store, table, moves)
    return Spent(
        1000 * (process_time() - processor) / moves, 1000 * (perf_counter() - clock) / moves
    )


def report(name: str, seen: Sequence[Spent], unseen: Sequence[Spent]) -> None:
    """Print one line for each clock: both medians, and the median of the ratios of each round."""
    for clock in Spent._fields:
        a, b = [getattr(one, clock) for one in seen], [getattr(one, clock) for one in unseen]
        ratio = median(x / y for x, y in zip(a, b, strict=True))
        print(
            f"{name:14} {clock:9} {median(a):7.3f} ms a move with the witness   {median(b):7.3f} ms"
            f" without   ratio {ratio:.2f}"
        )


if __name__ == "__main__":
    main()
