"""The lock of a data folder: one server at a time; the error of a second one names the holder."""

import errno
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from storypool.log.store import StoreBusy, StoreError, StoreFull, StoreReadOnly
from storypool.words import Phrase

NAME = "storypool.lock"
_FAR = 1 << 30  # Far beyond the text, which stays readable on systems where a locked range cannot be read.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class FolderLock:
    """A data folder held by this process until `release`, or until the process ends in any way.

    Creates the folder if there is none. Raises `StoreBusy` if another process holds it, `StoreReadOnly` or
    `StoreFull` if the lock cannot be written. A process that only reads holds it too, if there is a lock; where
    there is none, nobody writes.
    """

    def __init__(self, folder: Path, address: str = "", writes: bool = True) -> None:
        self._folder = folder
        try:
            self._file = _open(folder / NAME) if writes else _open_to_read(folder / NAME)
            taken = self._file < 0 or _taken(self._file)
        except OSError as error:
            raise cannot_write(folder, error) from error
        if not taken:
            busy = _busy(folder, self._file)
            os.close(self._file)
            raise busy
        try:
            self.publish(address)
        except StoreError:
            if writes:
                self.release()
                raise

    def publish(self, address: str) -> None:
        """Record in the lock file which process holds the folder, and at which address it can be reached."""
        try:
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, json.dumps({"pid": os.getpid(), "address": address}).encode())
        except OSError as error:
            raise cannot_write(self._folder, error) from error

    def release(self) -> None:
        """Release the lock; calling it twice is fine. The file stays: the next holder may already have it open."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def cannot_write(folder: Path, error: OSError) -> StoreFull | StoreReadOnly:
    """Return the error for a folder that cannot be written to."""
    if error.errno in _FULL:
        return full(folder)
    return StoreReadOnly(Phrase("log.cannot_write", path=folder, why=os.strerror(error.errno or 0)))


def full(folder: Path) -> StoreFull:
    """Return the error for a full disk."""
    return StoreFull(Phrase("log.full", path=folder))


def _open(file: Path) -> int:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)


def _open_to_read(file: Path) -> int:
    """Open a lock file that is there, for writing if that may be; -1 if there is none."""
    if not file.exists():
        return -1
    try:
        return os.open(file, os.O_RDWR)
    except OSError:
        return os.open(file, os.O_RDONLY)


def _busy(folder: Path, file: int) -> StoreBusy:
    try:
        os.lseek(file, 0, os.SEEK_SET)
        holder = json.loads(os.read(file, 4096))
    except ValueError:  # The holder has only just taken the lock and has not written yet.
        holder = {}
    since = datetime.fromtimestamp(os.fstat(file).st_mtime, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    address = holder.get("address", "")
    id = "log.in_use.at" if address else "log.in_use"
    return StoreBusy(
        Phrase(id, path=folder, process=holder.get("pid", "?"), since=since, address=address), address
    )


if sys.platform == "win32":
    import msvcrt

    def _taken(file: int) -> bool:
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _taken(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
