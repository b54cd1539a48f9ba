"""The witness of a database: a file of its own with the acknowledged commits.

SQLite ends its write-ahead log at the first frame that does not fit, in silence: after damage
there, acknowledged commits are missing from a database that looks whole. The witness has the number
of each commit and the new heads of the tables in it, synced before the commit is acknowledged. What
it has and the database lacks is lost.

The file is lines of text, each `CRC JSON`, and then zeros: room that was reserved so that a full
disk refuses a commit before it is made, not afterwards.
"""

import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import msgspec

from storypool.log.chain import Head
from storypool.log.disk.lock import keep_owner

NAME = "storypool.witness"
RESERVED_BYTES = 64 << 10
"""How many bytes are reserved at a time, so that a full disk refuses a commit before it is made."""
LARGE_BYTES = 8 << 20
"""Above this many bytes, a file that has doubled is rewritten with the latest heads alone."""


@dataclass(frozen=True, slots=True)
class WitnessedCommits:
    """The contents of a witness: the number of the last commit, and the last head of each table."""

    commit: int = 0
    heads: Mapping[str, Head] = field(default_factory=dict)


class Witness:
    """A witness file, open for writing until `close`; `OSError` if it cannot be written."""

    def __init__(self, path: Path, commit: int, heads: Iterable[tuple[str, Head]]) -> None:
        """Write a file with these heads, and put it in place of an earlier one, all or nothing."""
        self.path = path
        self._file, self._at, self._first_size, self._reserved = -1, 0, 0, 0
        self.begin(commit, heads)

    @property
    def large(self) -> bool:
        """Whether the file has grown so much that it should be rewritten."""
        return self._at > LARGE_BYTES and self._at > 2 * self._first_size

    def begin(self, commit: int, heads: Iterable[tuple[str, Head]]) -> None:
        """Rewrite the file with these heads alone, all or nothing."""
        draft = self.path.with_name(f"{self.path.name}.draft")
        draft.unlink(missing_ok=True)
        file = _open(draft, os.O_CREAT | os.O_EXCL)
        try:
            size = _write(file, 0, commit_line(commit, {}))
            for some in _thousands(heads):
                size += _write(file, size, commit_line(commit, some))
            _reserve(file, size, RESERVED_BYTES)
            _sync(file)
        finally:
            os.close(file)
        keep_owner(draft)
        self.close()
        draft.replace(self.path)
        _sync_folder(self.path.parent)
        self._file = _open(self.path)
        self._at, self._first_size, self._reserved = size, size, size + RESERVED_BYTES

    def reserve(self, line: bytes) -> None:
        """Make room for a line, so that writing it cannot fail for want of room."""
        if self._at + len(line) > self._reserved:
            n = max(RESERVED_BYTES, len(line))
            _reserve(self._file, self._reserved, n)
            self._reserved += n

    def add(self, line: bytes) -> None:
        """Add a line that there is room for, and sync it."""
        self._at += _write(self._file, self._at, line)
        _sync(self._file)

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def commit_line(commit: int, heads: Mapping[str, Head]) -> bytes:
    """The line for a commit and the heads of the tables in it."""
    content = msgspec.json.encode(
        (commit, {table: (head.seq, head.link.hex()) for table, head in heads.items()})
    )
    return b"%08x %s\n" % (zlib.crc32(content), content)


def read_witness(path: Path) -> WitnessedCommits | None:
    """The records of the witness, or None without its file; unreadable lines are skipped."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    commit, heads = 0, dict[str, Head]()
    with file:
        for line in file:
            crc, _, content = line.rstrip(b"\n").partition(b" ")
            if crc != b"%08x" % zlib.crc32(content):
                continue
            number, changed = msgspec.json.decode(content)
            commit = max(commit, number)
            heads.update(
                (table, Head(seq, bytes.fromhex(hash))) for table, (seq, hash) in changed.items()
            )
    return WitnessedCommits(commit, heads)


def _thousands(heads: Iterable[tuple[str, Head]]) -> Iterator[dict[str, Head]]:
    heads = iter(heads)
    while some := dict(islice(heads, 1000)):
        yield some


def _open(path: Path, flags: int = 0) -> int:
    return os.open(path, os.O_RDWR | flags | getattr(os, "O_BINARY", 0), 0o600)


def _write(file: int, at: int, content: bytes) -> int:
    os.lseek(file, at, os.SEEK_SET)
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]
    return len(content)


def _reserve(file: int, at: int, n: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, at, n)
    else:
        _write(file, at, bytes(n))


if sys.platform == "darwin":
    import fcntl

    def _sync(file: int) -> None:
        # Here fsync returns before the disk has written.
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
else:

    def _sync(file: int) -> None:
        getattr(os, "fdatasync", os.fsync)(file)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
