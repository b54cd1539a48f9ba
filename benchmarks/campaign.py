"""A long campaign: the time to open a table with many records after a start.

Evenings of the lab, one after the other at one table, stored in SQLite. It is opened cold with
snapshots and without them, in turns in one run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import brief
from storypool.engine.events import Record
from storypool.lab.evenings import evening
from storypool.lab.playing import Setting
from storypool.lab.study import prepare
from storypool.live.history import History
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.snapshots import NAME, Snapshots
from storypool.log.store import Append

RECORDS = brief(50_000, 2_000)
TURNS = brief(5, 1)
GAME = "dune"
TABLE = "campaign"


def log() -> list[Record]:
    """This many records: an evening repeated, as if it were played every week."""
    lab = prepare(evening(GAME), Setting(), 1, keep=True)
    lab.play(1)
    start, evening_ = len(lab.begins.records), list(lab.records)
    records = evening_[:]
    while len(records) < RECORDS:
        records += evening_[start:]
    return [record._replace(seq=n) for n, record in enumerate(records[:RECORDS], 1)]


def timed(work: Callable[[str], object]) -> float:
    """The milliseconds until the table is open."""
    began = time.perf_counter()
    work(TABLE)
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory(dir=os.environ.get("STORYPOOL_BENCH_DIR")) as folder:
        store = SqliteStore(Path(folder))
        records = log()
        for after in range(0, len(records), 1000):
            store.append(Append(TABLE, after, records[after : after + 1000]))
        store.close()
        cold, warm, verified = [], [], []
        for turn in range(TURNS + 1):
            store = SqliteStore(Path(folder))
            cold.append(timed(History(store).newest))
            kept = Snapshots(store.epoch, Path(folder) / NAME)
            past = History(store, kept)
            if turn:
                warm.append(timed(past.newest))
                verified.append(timed(store.verify))
            else:
                past.newest(TABLE)
            kept.close()
            store.close()
        size = (Path(folder) / NAME).stat().st_size / 1e6
        print(
            f"{len(records):,} records: there after {min(warm):.0f} ms with snapshots, of which the"
            f" chain takes {min(verified):.0f} ms, and {min(cold):.0f} ms without; the snapshots"
            f" take {size:.1f} MB"
        )
