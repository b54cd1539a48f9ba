"""The SQLite file: open it with checksums on pages, migrate, check, back up and restore it."""

import logging
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import apsw.sqlite_extra

from storypool.log import logs
from storypool.log.disk import witness
from storypool.log.disk.lock import DATABASE, FolderLock, full, keep_owner
from storypool.log.disk.sqlite_errors import (
    as_store_errors,
    damaged,
    database_files,
    foreign,
    none_there,
)
from storypool.log.store import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreNewer,
    StoreReadOnly,
    whole_picture,
)
from storypool.words import Phrase

NAME = DATABASE
APPLICATION_ID = 0x5374506C
RESERVED = 8  # Bytes at the end of each page in which the checksum VFS keeps its sum.
BUSY_MS = 5000
COPIES_KEPT = 3
"""The number of copies of a database from before a newer version that stay next to it."""
MIGRATION_ROOM = 3
"""The room needed for copying and migrating a database, as a multiple of its size."""

logger = logging.getLogger("storypool.log")

SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO facts VALUES ('epoch', lower(hex(randomblob(8))));

CREATE TABLE tables (
    id TEXT PRIMARY KEY, system TEXT NOT NULL, title TEXT NOT NULL, created INTEGER NOT NULL,
    changed INTEGER NOT NULL, closed INTEGER NOT NULL, archived INTEGER NOT NULL,
    deleted INTEGER NOT NULL
) STRICT;

-- The log. The key is the compare-and-swap. In a log that a player took home, a hidden event has
-- no name.
CREATE TABLE events (
    table_id TEXT NOT NULL REFERENCES tables (id), seq INTEGER NOT NULL, at INTEGER NOT NULL,
    seat TEXT NOT NULL, seen_by TEXT, name TEXT, v INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) STRICT;

CREATE TABLE answers (
    table_id TEXT NOT NULL REFERENCES tables (id), seat TEXT NOT NULL, token TEXT NOT NULL,
    seq INTEGER NOT NULL, request_hash TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (table_id, seat, token)
) STRICT, WITHOUT ROWID;

-- Not tied to a table by a foreign key: an empty table_id is the whole server.
CREATE TABLE grants (
    hash TEXT NOT NULL, kind TEXT NOT NULL, table_id TEXT NOT NULL, seat TEXT NOT NULL,
    side TEXT NOT NULL, note TEXT NOT NULL, made INTEGER NOT NULL, revoked INTEGER NOT NULL,
    PRIMARY KEY (hash, table_id, seat)
) STRICT;
CREATE INDEX grants_at_table ON grants (table_id, seat);
"""

PICTURES = """
-- Pictures, each with its SHA-256; a key cannot be guessed.
CREATE TABLE pictures (
    table_id TEXT NOT NULL REFERENCES tables (id), key TEXT NOT NULL, hash BLOB NOT NULL,
    data BLOB NOT NULL, PRIMARY KEY (table_id, key)
) STRICT;
"""

MIGRATIONS: tuple[str | Callable[[apsw.Connection], None], ...] = (
    SCHEMA,
    logs.add_chains,
    PICTURES,
)
"""The migration from each version of the schema to the next; a new database runs all from 0."""


def open_database(path: Path) -> apsw.Connection:
    """Open the database at this path for writing, creating or migrating it if necessary.

    An older database is copied to a file next to it before it is migrated, and the last few of such
    copies stay. If `StoreError` is raised, nothing has been changed.
    """
    with as_store_errors(path):
        db = connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            _migrate(db, path)
            for name, value in (("foreign_keys", 1), ("secure_delete", 1)):
                _set(db, name, value)
        except BaseException:
            db.close()
            raise
        return db


def connect(path: Path, flags: int, parameters: str = "") -> apsw.Connection:
    """A connection that verifies every page's checksum and syncs every commit, both checked here.

    `parameters` are for SQLite, such as `immutable=1`.
    """
    if flags & apsw.SQLITE_OPEN_CREATE:
        _keep_private(path)
    name = f"{path.absolute().as_uri()}?{parameters}" if parameters else str(path)
    db = apsw.Connection(
        name, flags=flags | (apsw.SQLITE_OPEN_URI if parameters else 0), vfs=_checksum_vfs()
    )
    try:
        db.set_busy_timeout(BUSY_MS)
        reads_only = not flags & apsw.SQLITE_OPEN_READWRITE
        if db.readonly("main") and not reads_only:
            raise StoreReadOnly(Phrase("log.read_only", path=path))
        if db.pragma("application_id") != APPLICATION_ID:
            if reads_only or db.execute("SELECT count(*) FROM sqlite_schema").get:
                raise foreign(path)
            # Set this before WAL mode and before the first page, or the checksums silently stay
            # off.
            db.reserve_bytes(reserve=RESERVED)
        if not reads_only:
            _set(db, "journal_mode", "wal")
        for name, value in (
            ("synchronous", 2),
            ("fullfsync", 1),
            ("checkpoint_fullfsync", 1),
            ("trusted_schema", 0),
        ):
            _set(db, name, value)
        if db.reserve_bytes() != RESERVED or str(db.pragma("checksum_verification")) != "1":
            raise StoreDamaged(Phrase("log.no_checksums", path=path))
    except BaseException:
        db.close()
        raise
    return db


def connect_alone(path: Path) -> apsw.Connection:
    """A connection that reads a database with its write-ahead log, and writes no file at all."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=_checksum_vfs())
    try:
        # Set this before the first read: it keeps the index of the write-ahead log in memory.
        _set(db, "locking_mode", "exclusive")
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        _set(db, "query_only", 1)
        if db.pragma("application_id") != APPLICATION_ID:
            raise foreign(path)
        if db.reserve_bytes() != RESERVED or str(db.pragma("checksum_verification")) != "1":
            raise StoreDamaged(Phrase("log.no_checksums", path=path))
    except BaseException:
        db.close()
        raise
    return db


def check(db: apsw.Connection, path: Path) -> None:
    """Read every page and count every log; `StoreDamaged` if anything is not as it was written."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check")]
    if found != ["ok"] or db.execute("PRAGMA foreign_key_check").fetchall():
        raise damaged(path)
    if db.pragma("user_version") < 2:
        gaps = (
            "SELECT count(*) FROM (SELECT 1 FROM events GROUP BY table_id HAVING count(*) <>"
            " max(seq))"
        )
        if db.execute(gaps).get:
            raise damaged(path)
        return
    tables = [table for table, _ in logs.heads(db)]
    for table in tables:
        if n := logs.broken(db, table):
            raise logs.not_as_written(path, table, n)
    if not all(logs.side_data_intact(db, table) for table in ("", *tables)):
        raise damaged(path)
    if db.pragma("user_version") > 2:
        for key, hash, picture in db.execute("SELECT key, hash, data FROM pictures"):
            whole_picture(key, hash, picture)


def backup(source: Path, target: Path) -> None:
    """Copy the database, as it is at this moment, to a new file, even while a server is writing.

    The copy has checksums too, has been read back in full, and is a single file. Raises
    `StoreError`.
    """
    if target.exists():
        raise StoreError(Phrase("log.there", path=target))
    if not source.exists():
        raise none_there(source)
    with reading(source) as db:
        refuse_newer(db, source)
        _copy(db, source, target)


def restore(source: Path, folder: Path) -> Path | None:
    """Replace a folder's database with a backup, all or nothing; return the old one's path, if any.

    Raises `StoreBusy` if a server holds the folder, `StoreDamaged` or `StoreNewer` if the backup
    cannot be used.
    """
    if not source.exists():
        raise StoreError(Phrase("log.no_backup", path=source))
    lock = FolderLock(folder)
    path, new = folder / NAME, free_name(folder / f"{NAME}.restoring")
    try:
        with reading_backup(source) as db:
            refuse_newer(db, source)
            _copy(db, source, new)
        with as_store_errors(new), closing(apsw.Connection(str(new), vfs=_checksum_vfs())) as db:
            # A new epoch: numbers may now stand for other records, and subscribers have to notice.
            # The old witness goes with the old database.
            db.execute("UPDATE facts SET value = lower(hex(randomblob(8))) WHERE name = 'epoch'")
            kept = _set_aside(path)
            path.with_name(witness.NAME).unlink(missing_ok=True)
            with (
                as_store_errors(path),
                closing(connect(path, _MADE)) as live,
                live.backup("main", db, "main") as copying,
            ):
                copying.step(-1)
        return kept
    finally:
        for file in database_files(new):
            file.unlink(missing_ok=True)
        lock.release()


@contextmanager
def reading(path: Path) -> Iterator[apsw.Connection]:
    """A connection that reads a database of any form, also while a server writes to it.

    No file is made or changed, and no server is kept waiting. Raises `StoreError`, and `StoreBusy`
    if a server that started meanwhile has changed the data.
    """
    with ExitStack() as opened, as_store_errors(path, reads=True):
        before = path.stat()
        with ExitStack() as locked:
            try:
                locked.callback(FolderLock(path.parent, shares=True).release)
            except StoreBusy:
                if path.with_name(f"{path.name}-shm").exists():
                    _refuse_empty(path)
                    yield opened.enter_context(closing(connect(path, apsw.SQLITE_OPEN_READONLY)))
                    return
            db = connect_to_read(path, opened, keeps_lock=False)
        try:
            yield db
        finally:
            now = path.stat()
            if (before.st_mtime_ns, before.st_size) != (now.st_mtime_ns, now.st_size):
                raise StoreBusy(Phrase("log.changed", path=path))


@contextmanager
def reading_backup(path: Path) -> Iterator[apsw.Connection]:
    """A connection that reads a backup; its errors do not concern the tables that are in use."""
    try:
        with reading(path) as db:
            yield db
    except StoreDamaged as error:
        wrong = "foreign" if error.args[0].key == "log.foreign" else "damaged"
        raise StoreDamaged(Phrase(f"log.backup.{wrong}", path=path)) from error


def connect_to_read(path: Path, opened: ExitStack, keeps_lock: bool = True) -> apsw.Connection:
    """A connection that reads a database and its write-ahead log, and writes no file.

    Nobody may write to it meanwhile: this process has the folder's lock, and `keeps_lock` for as
    long as it reads. It is closed with `opened`.
    """
    left = path.with_name(f"{path.name}-wal")
    if not left.exists() or not left.stat().st_size:
        # Without a write-ahead log the database is complete.
        _refuse_empty(path)
        return opened.enter_context(
            closing(connect(path, apsw.SQLITE_OPEN_READONLY, "immutable=1"))
        )
    if keeps_lock:
        with suppress(apsw.Error, StoreReadOnly):
            return opened.enter_context(closing(connect_alone(path)))
    # Copy first: SQLite reads a write-ahead log only if it may lock the database for writing.
    folder = Path(opened.enter_context(TemporaryDirectory(prefix="storypool-reading-")))
    for file in (path, left):
        shutil.copyfile(file, folder / file.name)
    return opened.enter_context(closing(connect_alone(folder / path.name)))


def _refuse_empty(path: Path) -> None:
    """Raise `StoreError` for the empty file that a server left when it was killed at once."""
    if not path.stat().st_size:
        raise StoreError(Phrase("log.empty", path=path))


def in_current_form(db: apsw.Connection, path: Path, opened: ExitStack) -> apsw.Connection:
    """A database in this version's form: this one, or a copy that is closed with `opened`.

    Raises `StoreNewer`, or `StoreError` where it could not be brought to that form.
    """
    refuse_newer(db, path)
    if db.pragma("user_version") == len(MIGRATIONS):
        return db
    folder = Path(opened.enter_context(TemporaryDirectory(prefix="storypool-reading-")))
    copy = opened.enter_context(closing(connect(folder / path.name, _MADE)))
    with copy.backup("main", db, "main") as copying:
        copying.step(-1)
    check(copy, path)
    _bring_up(copy, path, Phrase("log.kept.read"))
    return copy


def free_name(path: Path) -> Path:
    """This path if it is free, else the first free one with a number appended."""
    others = (path.with_name(f"{path.name}-{n}") for n in range(2, 10_000))
    return next(name for name in (path, *others) if not name.exists())


_MADE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


def _checksum_vfs() -> str:
    if "cksmvfs" not in apsw.vfs_names():
        try:
            with closing(apsw.Connection(":memory:")) as db:
                apsw.sqlite_extra.load(db, "cksumvfs")
        except (LookupError, apsw.sqlite_extra.NotAvailable, apsw.Error) as error:
            raise StoreError(Phrase("log.no_vfs", why=error)) from error
    return "cksmvfs"


def _keep_private(path: Path) -> None:
    """Let only the owner read a database, in a folder of any mode.

    SQLite's other files get both owner and mode.
    """
    if not path.exists():
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
        keep_owner(path)
    mode = path.stat().st_mode & 0o777
    if mode & 0o077 and os.name != "nt":
        path.chmod(mode & 0o700)


def _set(db: apsw.Connection, name: str, value: int | str) -> None:
    db.pragma(name, value)
    if (found := db.pragma(name)) != value:
        raise StoreError(Phrase("log.not_set", name=name, value=value, found=found))


def _migrate(db: apsw.Connection, path: Path) -> None:
    refuse_newer(db, path)
    version = db.pragma("user_version")
    if version == len(MIGRATIONS):
        return
    kept, copy = Phrase("log.kept.nothing"), None
    if version:
        copy = free_name(path.with_name(f"{path.name}.v{version}"))
        _copy(db, path, copy)
        kept = Phrase("log.kept.copy", path=copy)
    _bring_up(db, path, kept)
    if copy:
        for old in _copies(path, r"\d+")[:-COPIES_KEPT]:
            old.unlink()
        forms = (path, version, len(MIGRATIONS), copy)
        logger.warning(
            "%s was brought from form %s to form %s. A copy of it as it was is %s.", *forms
        )


def _bring_up(db: apsw.Connection, path: Path, kept: Phrase) -> None:
    """Bring a whole database to the form of this version, all or nothing.

    `kept` names the remaining files in the error of a failure.
    """
    version = db.pragma("user_version")
    try:
        db.execute("BEGIN EXCLUSIVE")
        for step in MIGRATIONS[version:]:
            if callable(step):
                step(db)
            else:
                db.execute(step)
        _set(db, "application_id", APPLICATION_ID)
        _set(db, "user_version", len(MIGRATIONS))
        check(db, path)
        db.execute("COMMIT")
    except (apsw.SQLError, apsw.ConstraintError, StoreDamaged) as error:
        db.execute("ROLLBACK")
        versions = {"old": version, "new": len(MIGRATIONS)}
        # It was whole before, so nothing has to be restored.
        why = Phrase("log.not_migrated.whole") if isinstance(error, StoreDamaged) else error
        raise StoreError(
            Phrase("log.not_migrated", path=path, why=why, kept=kept, **versions)
        ) from error


def refuse_newer(db: apsw.Connection, path: Path) -> None:
    """Raise `StoreNewer` for a newer version's database, naming any copy in this form."""
    version, known = db.pragma("user_version"), len(MIGRATIONS)
    if version <= known:
        return
    if copies := _copies(path, str(known)):
        then = (
            datetime.fromtimestamp(copies[-1].stat().st_mtime, UTC)
            .astimezone()
            .strftime("%Y-%m-%d %H:%M")
        )
        raise StoreNewer(Phrase("log.newer_schema.copy", path=path, copy=copies[-1], then=then))
    raise StoreNewer(Phrase("log.newer_schema", path=path, found=version, known=known))


def _copies(path: Path, form: str) -> list[Path]:
    """The copies made of a database before it got a newer form than this, the oldest first."""
    name = re.compile(rf"{re.escape(path.name)}\.v(?:{form})(?:-\d+)?")
    found = [file for file in path.parent.iterdir() if name.fullmatch(file.name)]
    return sorted(found, key=lambda file: file.stat().st_mtime_ns)


def check_can_open(path: Path) -> None:
    """Raise `StoreError` if this version cannot open a database; safe while a server writes."""
    with (
        suppress(apsw.Error),
        closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db,
    ):
        refuse_newer(db, path)
        is_older = db.pragma("user_version") < len(MIGRATIONS)
        if is_older and shutil.disk_usage(path.parent).free < MIGRATION_ROOM * path.stat().st_size:
            raise full(path)


def _copy(db: apsw.Connection, source: Path, target: Path) -> None:
    """Copy the database at `source` to a new file, and read that in full."""
    part = free_name(target.with_name(f"{target.name}.part"))
    try:
        with as_store_errors(part):
            with closing(connect(part, _MADE)) as copy:
                with copy.backup("main", db, "main") as copying:
                    copying.step(-1)
                # Without WAL it is one plain file, which is readable even on a read-only disk.
                _set(copy, "journal_mode", "delete")
            with closing(connect(part, apsw.SQLITE_OPEN_READONLY)) as copy:
                check(copy, part)
            part.rename(target)
    except StoreDamaged as error:
        # The copy has the faults of what was copied, which is the file to name.
        [phrase] = error.args
        raise type(error)(Phrase(phrase.key, **{**phrase.values, "path": source})) from error
    finally:
        for file in database_files(part):
            file.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path | None:
    """Keep the database under a new path and return it: a copy, or its own files if damaged."""
    if not path.exists():
        return None
    kept = free_name(path.with_name(f"{path.name}.before-restore"))
    try:
        with as_store_errors(path), closing(connect(path, apsw.SQLITE_OPEN_READWRITE)) as db:
            logs.compare_with_witness(
                db,
                path,
                witness.read_witness(path.with_name(witness.NAME)) or witness.WitnessedCommits(),
            )
            check(db, path)
            _copy(db, path, kept)
    except StoreDamaged:
        for old, new in zip(database_files(path), database_files(kept), strict=True):
            if old.exists():
                old.rename(new)
    return kept
