"""The errors of SQLite about the database of a folder, as sentences that say what to do."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from storypool.log.disk.lock import DATABASE, cannot_read, cannot_write, full
from storypool.log.store import StoreBusy, StoreDamaged, StoreError, StoreReadOnly
from storypool.words import Phrase

UNSYNCED = (apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC)
"""The errors after which nobody knows what the disk has."""
_UNREADABLE = (apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_SHORT_READ)


@contextmanager
def as_store_errors(path: Path, reads: bool = False) -> Iterator[None]:
    """Raise errors of SQLite and the system about this file as `StoreError`s in plain sentences."""
    try:
        yield
    except apsw.Error as error:
        raise store_error(error, path, reads) from error
    except FileNotFoundError as error:
        raise none_there(path) if reads else cannot_write(path, error) from error
    except OSError as error:
        raise (cannot_read if reads else cannot_write)(path, error) from error


def store_error(error: BaseException, path: Path, reads: bool = False) -> StoreError:
    """The `StoreError` for an error of SQLite: the reason, and what to do."""
    match error:
        case StoreError():
            return type(error)(*error.args)
        case apsw.FullError():
            return full(path)
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            denied = next((file for file in database_files(path) if _is_denied(file)), path)
            return StoreReadOnly(Phrase("log.not_read" if reads else "log.not_opened", path=denied))
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(Phrase("log.locked", path=path))
        case apsw.NotADBError():
            return foreign(path)
        case apsw.CorruptError():
            return damaged(path)
        case apsw.IOError() if getattr(error, "extendedresult", 0) in _UNREADABLE:
            return damaged(path)
        case apsw.IOError() if shutil.disk_usage(path.parent).free < 1 << 16:
            return full(path)
        case OSError():
            return cannot_write(path, error)
    return StoreError(Phrase("log.failed", path=path, why=error))


def _is_denied(file: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.path.exists(file) and not os.access(file, os.R_OK | os.W_OK, effective_ids=effective)


def none_there(path: Path) -> StoreError:
    """The error for a database that does not exist."""
    return StoreError(Phrase("log.no_database", path=path, name=DATABASE))


def database_files(path: Path) -> list[Path]:
    """The files of a database, the write-ahead log first."""
    return [path.with_name(path.name + end) for end in ("-wal", "-shm", "")]


def foreign(path: Path) -> StoreDamaged:
    """The error for a file that another program made, or none."""
    return StoreDamaged(Phrase("log.foreign", path=path))


def damaged(path: Path) -> StoreDamaged:
    """The error for a database that is not as it was written."""
    return StoreDamaged(Phrase("log.damaged", path=path))
