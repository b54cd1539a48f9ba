"""A record of a store's file operations: every write, sync, truncation and folder change, in order.

It runs as a process of its own, because its VFS must exist before the checksum VFS is loaded on top
of it.
"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, NamedTuple

import apsw

from storypool.engine.events import Said, TableOpened
from storypool.engine.sight import records_of
from storypool.log.store import Append

KEPT = (
    "storypool.db",
    "storypool.db-wal",
    "storypool.db-journal",
    "storypool.witness",
    "storypool.witness.draft",
)
"""The recorded files. SQLite's shared memory is not one: no power cut leaves it."""


class Op(NamedTuple):
    """One operation.

    `kind` is write, truncate, sync, create, unlink, rename (`name` to `data`), folder (the folder
    was synced), or acked: table `name` was acknowledged up to record `at`.
    """

    kind: str
    name: str = ""
    at: int = 0
    data: Any = b""


class Recording(NamedTuple):
    """The operations, and the texts of each table's records; the opening one is an empty text."""

    ops: list[Op]
    texts: dict[str, list[str]]


def recorded(seed: str, folder: Path) -> Recording:
    """The recording of one life of a store."""
    file = folder / f"recording-{seed.replace(' ', '-')}"
    subprocess.run([sys.executable, "-m", "tools.torture.recording", seed, str(file)], check=True)
    loaded: Recording = pickle.loads(file.read_bytes())
    return loaded


class _File(apsw.VFSFile):
    def __init__(self, ops: list[Op], filename: Any, flags: list[int]) -> None:
        path = Path(
            filename.filename() if isinstance(filename, apsw.URIFilename) else filename or ""
        )
        self.ops, self.name, self.new = ops, path.name if path.name in KEPT else "", False
        if self.name and not path.exists():
            self.new = True
            ops.append(Op("create", self.name))
        super().__init__("unix", filename, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._did(Op("write", self.name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._did(Op("truncate", self.name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._did(Op("sync", self.name))
        if self.new and not self.name.endswith(".db"):
            # SQLite syncs the folder with the first sync of a new log or journal.
            self.new = False
            self._did(Op("folder"))

    def _did(self, op: Op) -> None:
        if self.name:
            self.ops.append(op)


class _Recorder(apsw.VFS):
    def __init__(self, ops: list[Op]) -> None:
        self.ops = ops
        super().__init__("recorder", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self.ops, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        if Path(filename).name in KEPT:
            self.ops.append(Op("unlink", Path(filename).name))
        if syncdir:
            self.ops.append(Op("folder"))


def _watch_os(ops: list[Op], folder: Path) -> None:
    """Record the file operations of `os`, which the witness uses."""
    real: Any = {
        name: getattr(os, name)
        for name in ("open", "write", "lseek", "close", "replace", "unlink", "fsync")
    }
    reserve, names, places = os.posix_fallocate, dict[int, str](), dict[int, int]()

    def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        there = Path(path).exists()
        fd: int = real["open"](path, flags, *more, **named)
        name = Path(path).name
        if Path(path) == folder or (Path(path).parent == folder and name in KEPT):
            names[fd], places[fd] = "" if Path(path) == folder else name, 0
            if not there:
                ops.append(Op("create", name))
        return fd

    def written(fd: int, data: Any) -> int:
        n: int = real["write"](fd, data)
        if fd in names:
            ops.append(Op("write", names[fd], places[fd], bytes(data[:n])))
            places[fd] += n
        return n

    def sought(fd: int, at: int, how: int) -> int:
        places[fd] = real["lseek"](fd, at, how)
        return places[fd]

    def reserved(fd: int, at: int, n: int) -> None:
        size = os.fstat(fd).st_size
        reserve(fd, at, n)
        if fd in names and at + n > size:
            ops.append(Op("write", names[fd], size, bytes(at + n - size)))

    def synced(fd: int) -> None:
        real["fsync"](fd)
        if fd in names:
            ops.append(Op("sync", names[fd]) if names[fd] else Op("folder"))

    def closed(fd: int) -> None:
        names.pop(fd, None)
        real["close"](fd)

    def replaced(old: Any, new: Any, **named: Any) -> None:
        real["replace"](old, new, **named)
        if Path(old).name in KEPT:
            ops.append(Op("rename", Path(old).name, 0, Path(new).name))

    def unlinked(path: Any, **named: Any) -> None:
        real["unlink"](path, **named)
        if Path(path).name in KEPT:
            ops.append(Op("unlink", Path(path).name))

    watched: Any = {
        "open": opened,
        "write": written,
        "lseek": sought,
        "close": closed,
        "replace": replaced,
    }
    watched |= {
        "unlink": unlinked,
        "fsync": synced,
        "fdatasync": synced,
        "posix_fallocate": reserved,
    }
    for name, function in watched.items():
        setattr(os, name, function)


def _live(chance: random.Random, folder: Path, ops: list[Op]) -> dict[str, list[str]]:
    """Use a store: open it a few times, store one record at a time or several in one commit."""
    from storypool.log.disk import witness
    from storypool.log.disk.sqlite import SqliteStore

    if chance.random() < 0.5:
        witness.LARGE_BYTES = chance.randint(2_000, 20_000)
    texts_of: dict[str, list[str]] = {}

    def append(table: str) -> Append:
        texts = texts_of.setdefault(table, [])
        texts.append(
            f"{table} {len(texts) + 1} " + "x" * chance.choice((1, 50, 300, 5000)) if texts else ""
        )
        event = Said("s1", texts[-1]) if texts[-1] else TableOpened("starwars", table, {})
        after = len(texts) - 1
        return Append(
            table,
            after,
            records_of([event], "s1", after, 7),
            seat="s1",
            token=f"{table}-{after}",
            request_hash="hash",
            answer=texts[-1],
        )

    def acked(one: Append) -> Any:
        return lambda future: ops.append(Op("acked", one.table, future.result().seq))

    for _ in range(chance.randint(1, 3)):
        with closing(SqliteStore(folder)) as store:
            # Make checkpoints frequent.
            store._writer.pragma("wal_autocheckpoint", chance.choice((8, 50, 1000)))
            for _ in range(chance.randint(10, 60)):
                started, go = Event(), Event()
                # While this waits, everything else gathers for the next commit.
                waiting = store._submit(partial(_wait, started, go))
                started.wait()
                some = [append(chance.choice("abc")) for _ in range(chance.choice((1, 1, 1, 2, 5)))]
                futures = [store.submit(one) for one in some]
                for one, future in zip(some, futures, strict=True):
                    future.add_done_callback(acked(one))
                go.set()
                waiting.result()
                for future in futures:
                    future.result()
    return texts_of


def _wait(started: Event, go: Event, _: apsw.Connection) -> None:
    started.set()
    go.wait()


def main(seed: str, to: str) -> None:
    """Write the recording of one life of a store to a file."""
    import apsw.sqlite_extra

    ops: list[Op] = []
    with TemporaryDirectory(prefix="storypool-torture-") as place:
        folder = Path(place) / "data"
        folder.mkdir()
        recorder = _Recorder(ops)
        with closing(apsw.Connection(":memory:")) as db:
            apsw.sqlite_extra.load(db, "cksumvfs")
        _watch_os(ops, folder)
        texts_of = _live(random.Random(seed), folder, ops)
        # Stop before the folder is removed, which is not part of this life.
        Path(to).write_bytes(pickle.dumps(Recording(ops, texts_of)))
        del recorder


if __name__ == "__main__":
    # Under its own name, so that the pickle can be read by any module that imports it.
    from tools.torture import recording

    recording.main(*sys.argv[1:])
