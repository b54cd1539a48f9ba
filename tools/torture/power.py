"""After a power cut no acknowledged record is missing; on a disk that lies, the loss is named.

Planted and found: `synchronous` 1 instead of 2 in `log.database.connect` (41 of 150 cuts),
`Witness.add` without its sync, and `Witness.begin` without that of the folder.
"""

from __future__ import annotations

import random
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from storypool.engine.events import Said
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import StoreError
from tools.torture.harness import Harness, Run
from tools.torture.recording import Op, Recording, recorded

LIFE = 25
"""The power cuts that share one recorded life of a store."""
SECTOR = 512
"""The bytes that a disk writes whole or not at all."""


class Disk:
    """The contents of a disk: the synced bytes of each file, and later writes that may be lost."""

    def __init__(self, unsynced: str = "") -> None:
        """`unsynced` is the file whose syncs do nothing."""
        self.unsynced = unsynced
        self.synced: dict[int, bytearray] = {}
        self.pending: dict[int, list[Op]] = {}
        self.names: dict[str, int] = {}
        self.folders: list[dict[str, int]] = [{}]
        """The folder as it was synced, and as it was after each change since: whichever of them may
        be found.
        """

    def do(self, op: Op) -> None:
        """Apply an operation."""
        match op.kind:
            case "create":
                self.names = {**self.names, op.name: len(self.synced)}
                self.pending[len(self.synced)] = []
                self.synced[len(self.synced)] = bytearray()
                self.folders.append(self.names)
            case "unlink":
                self.names = {name: file for name, file in self.names.items() if name != op.name}
                self.folders.append(self.names)
            case "rename":
                self.names = {
                    name: file for name, file in self.names.items() if name != op.name
                } | {op.data: self.names[op.name]}
                self.folders.append(self.names)
            case "folder":
                self.folders = [self.names]
            case "sync" if op.name != self.unsynced:
                file = self.names[op.name]
                for pending in self.pending[file]:
                    _write(self.synced[file], pending)
                self.pending[file] = []
            case "write" | "truncate":
                self.pending[self.names[op.name]].append(op)

    def found(self, chance: random.Random) -> dict[str, bytes]:
        """The files after a power cut: later writes are there, lost, torn or out of order."""
        files = {}
        for name, file in sorted(chance.choice(self.folders).items()):
            content, how = (
                bytearray(self.synced[file]),
                chance.choice(("lost", "kept", "early", "any", "torn")),
            )
            pending = self.pending[file] if how != "lost" else []
            if how == "early":
                pending = pending[: chance.randint(0, len(pending))]
            for op in pending:
                if how == "torn" and op.kind == "write":
                    for torn in _sectors(op):
                        if chance.random() < 0.5:
                            _write(content, torn)
                elif how in ("kept", "early") or chance.random() < 0.5:
                    _write(content, op)
            files[name] = bytes(content)
        return files


def _write(content: bytearray, op: Op) -> None:
    if op.kind == "truncate":
        del content[op.at :]
        return
    content.extend(bytes(max(0, op.at - len(content))))
    content[op.at : op.at + len(op.data)] = op.data


def _sectors(op: Op) -> list[Op]:
    """A write as writes of whole sectors."""
    ends = [
        op.at,
        *range((op.at // SECTOR + 1) * SECTOR, op.at + len(op.data), SECTOR),
        op.at + len(op.data),
    ]
    return [op._replace(at=a, data=op.data[a - op.at : b - op.at]) for a, b in pairwise(ends)]


def cut(run: Run) -> None:
    """Record lives of a store, and cut the power at random moments."""
    lives: dict[int, Recording] = {}
    for n in run.numbers:
        if n // LIFE not in lives:
            lives = {n // LIFE: recorded(f"{run.name} {run.seed} {n // LIFE}", run.folder)}
        _cut(run, n, lives[n // LIFE])


def _cut(run: Run, n: int, life: Recording) -> None:
    chance = run.chance(n)
    unsynced = chance.choice(("storypool.db", "storypool.db-wal")) if chance.random() < 0.2 else ""
    disk, acked = Disk(unsynced), dict[str, int]()
    for op in life.ops[: chance.randint(0, len(life.ops))]:
        disk.do(op)
        if op.kind == "acked":
            acked[op.name] = op.at
    room = run.room(n)
    for name, content in disk.found(chance).items():
        (room / name).write_bytes(content)
    run.count("cuts")
    run.count("acked", sum(acked.values()))
    if why := _missing(room, acked, life.texts):
        if not why.startswith("named"):
            run.fail(n, why)
        elif unsynced:
            run.count("named")
        else:
            run.fail(n, f"after an honest sync, what was acknowledged is gone ({why})")
    for file in room.iterdir():
        file.unlink()


def _missing(room: Path, acked: dict[str, int], texts_of: dict[str, list[str]]) -> str:
    """The faults of a store after a power cut, or ""."""
    try:
        with closing(SqliteStore(room)) as store:
            for table, texts in texts_of.items():
                records = store.read(table)
                found = []
                for record in records:
                    found.append(record.event.text if isinstance(record.event, Said) else "")
                if found != texts[: len(found)]:
                    return f"table {table} has records that nobody wrote"
                if len(found) < acked.get(table, 0):
                    return (
                        f"table {table} was acknowledged up to {acked[table]}, and ends with"
                        f" {len(found)}"
                    )
            store.check()
    except StoreError as error:
        return f"named: {error}"
    return ""


HARNESS = Harness(
    "power",
    "After a power cut, what was synced last is there, all else is there, lost, torn or out of"
    " order, and nothing acknowledged is missing; if the disk lied about its syncs, it is named.",
    "{cuts} power cuts with {acked} acknowledged records before them; named on a disk that lies:"
    " {named}",
    quick=150,
    long=3500,
    run=cut,
)
