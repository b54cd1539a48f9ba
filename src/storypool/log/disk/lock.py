"""The lock of a data folder: one server at a time; the error of a second one names the holder."""

import errno
import json
import os
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from storypool.log.store import StoreBusy, StoreError, StoreFull, StoreReadOnly
from storypool.words import Phrase

NAME = "storypool.lock"
DATABASE = "storypool.db"
"""The file in a data folder that has the tables."""
READERS_S = 10.0
"""Seconds for which a server waits for commands that only read."""
_FAR = (
    1 << 30
)  # Far beyond the text, which stays readable on systems where a locked range cannot be read.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class FolderLock:
    """A data folder held by this process until `release`, or until the process ends in any way.

    Creates the folder if there is none. Raises `StoreBusy` if another process holds it,
    `StoreReadOnly` or `StoreFull` if the lock cannot be written. A process that only reads holds it
    too, if there is a lock; where there is none, nobody writes. With `shares`, any number of
    processes read, and nothing is written or published.
    """

    def __init__(
        self, folder: Path, address: str = "", writes: bool = True, shares: bool = False
    ) -> None:
        self._folder = folder
        try:
            writes = writes and not shares
            self._file = _open(folder / NAME) if writes else _open_to_read(folder / NAME, shares)
            taken = (
                self._file < 0
                or _try_lock(self._file, shares)
                or (writes and _taken_after_readers(self._file))
            )
        except OSError as error:
            raise cannot_write(folder, error) from error
        if not taken:
            busy = _busy(folder, self._file)
            os.close(self._file)
            raise busy
        if shares:
            return
        try:
            self.publish(address)
        except StoreError:
            if writes:
                self.release()
                raise

    def publish(self, address: str) -> None:
        """Record in the lock file the process that holds the folder, and its address."""
        try:
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, json.dumps({"pid": os.getpid(), "address": address}).encode())
        except OSError as error:
            raise cannot_write(self._folder, error) from error

    def release(self) -> None:
        """Release the lock; calling it twice is fine.

        The file stays: the next holder may already have it open.
        """
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _taken_after_readers(file: int) -> bool:
    """Take a lock that only readers hold, who are soon done; whether it was taken."""
    until = time.monotonic() + READERS_S
    while _try_lock(file, shares=True):
        if _try_lock(file, shares=False):
            return True
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    return False


def cannot_write(path: Path, error: OSError) -> StoreFull | StoreReadOnly:
    """The error for an unwritable file: the one that the system names, or this one."""
    if error.errno in _FULL:
        return full(path)
    return StoreReadOnly(
        Phrase("log.cannot_write", path=_named(path, error), why=os.strerror(error.errno or 0))
    )


def cannot_read(path: Path, error: OSError) -> StoreReadOnly:
    """The error for what cannot be read: the file that the system names, or this one."""
    return StoreReadOnly(
        Phrase("log.cannot_read", path=_named(path, error), why=os.strerror(error.errno or 0))
    )


def _named(path: Path, error: OSError) -> Path:
    named = error.filename
    return Path(named) if isinstance(named, str | os.PathLike) and os.path.exists(named) else path


def keep_owner(file: Path) -> None:
    """Give a file made by root in a data folder to the owner of the tables, else of the folder."""
    if os.name == "nt" or os.geteuid() != 0:
        return
    tables = file.with_name(DATABASE)
    owned = (tables if tables != file and tables.exists() else file.parent).stat()
    os.chown(file, owned.st_uid, owned.st_gid)


def full(folder: Path) -> StoreFull:
    """The error for a full disk."""
    return StoreFull(Phrase("log.full", path=folder))


def _open(file: Path) -> int:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.exists():
        return os.open(file, os.O_RDWR)
    opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    keep_owner(file)
    return opened


def _open_to_read(file: Path, shares: bool) -> int:
    """Open an existing lock file, for writing if possible and not shared; -1 if there is none."""
    with suppress(FileNotFoundError):
        if not shares:
            with suppress(PermissionError):
                return os.open(file, os.O_RDWR)
        return os.open(file, os.O_RDONLY)
    return -1


def _busy(folder: Path, file: int) -> StoreBusy:
    try:
        os.lseek(file, 0, os.SEEK_SET)
        holder = json.loads(os.read(file, 4096))
    except ValueError:  # The holder has only just taken the lock and has not written yet.
        holder = {}
    since = (
        datetime.fromtimestamp(os.fstat(file).st_mtime, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    )
    address = holder.get("address", "")
    id = "log.in_use.at" if address else "log.in_use"
    return StoreBusy(
        Phrase(id, path=folder, process=holder.get("pid", "?"), since=since, address=address),
        address,
    )


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int, shares: bool) -> bool:
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(file: int, shares: bool) -> bool:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shares else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
