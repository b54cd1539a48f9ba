"""This machine: versions, packages, the data, the port, the clock, open files and certificates."""

import errno
import os
import platform
import re
import shutil
import socket
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import apsw

from storypool.cli.address import Address
from storypool.cli.built_from import version_with_commit
from storypool.cli.data_folder import TOKEN, nearest
from storypool.cli.examination.findings import Observation, Verdict, note, well, wrong
from storypool.engine.refusal import Refused
from storypool.log import snapshots
from storypool.log.disk import database, lock, witness
from storypool.log.places import Data, DatabaseUrl
from storypool.log.store import StoreError
from storypool.web.network.connection_limit import raise_descriptor_limit
from storypool.web.serving.listener import address_from_here, family_of

LOW_DISK = 200 * 1000 * 1000
"""Bytes of free space below which a disk is soon full."""
FEW_FILES = 1024
"""The limit of open files below which the pages of a club soon fail to connect."""
CLOCK_OFF_S = 60
"""Seconds by which the clock may be behind a file that this machine has written."""


def examine(data: Data, host: str, port: int) -> Iterator[Observation]:
    """Observations about this machine, the place of its tables, and its port."""
    yield from _versions()
    yield from _shared(data) if isinstance(data, DatabaseUrl) else _folder(data)
    yield _port(host, port)
    yield _clock(data)
    yield _files()
    yield _certificates()


def _versions() -> Iterator[Observation]:
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    yield well(
        "doctor.version",
        version=version_with_commit(),
        python=platform.python_version(),
        system=system,
    )
    try:
        needed = [
            re.split(r"[^\w-]", one)[0]
            for one in requires("storypool") or ()
            if "extra ==" not in one
        ]
    except PackageNotFoundError:
        yield note("doctor.package.none")
        return
    found = {name: _version(name) for name in needed}
    if missing := [name for name in needed if not found[name]]:
        yield wrong("doctor.package.missing", missing=", ".join(missing))
    there = ", ".join(f"{name} {number}" for name, number in found.items() if number)
    yield well("doctor.package", packages=there, sqlite=apsw.sqlite_lib_version())
    brought = dict(
        re.findall(r"(?m)^([\w-]+).*extra == [\"']([\w-]+)", "\n".join(requires("storypool") or ()))
    )
    for name, extra in brought.items():
        number = _version(name)
        if number:
            yield well("doctor.extra", extra=extra, package=f"{name} {number}")
        else:
            yield note("doctor.extra.missing", extra=extra)


def _version(package: str) -> str:
    """The version of an installed package, or ""."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _shared(url: DatabaseUrl) -> Iterator[Observation]:
    """Observations about a PostgreSQL database, without changing it."""
    try:
        import psycopg
    except ImportError:
        yield wrong("log.postgres.missing")
        return
    from storypool.log.shared import relations

    try:
        with closing(psycopg.connect(url.whole, connect_timeout=5, autocommit=True)) as db:
            yield well("doctor.postgres", version=db.info.parameter_status("server_version"))
            relations.prepared(db, makes=False)
            with db.transaction(force_rollback=True):
                denied = relations.denied(db)
            yield wrong("doctor.postgres.rights") if denied else well("doctor.postgres.written")
    except psycopg.errors.ReadOnlySqlTransaction:
        yield wrong("doctor.postgres.read_only")
    except psycopg.errors.InsufficientPrivilege:
        yield wrong("doctor.postgres.rights")
    except psycopg.Error:  # its text names the user
        yield wrong("doctor.postgres.away")
    except StoreError as error:
        yield Observation(Verdict.WRONG, error.args[0])


def _folder(folder: Path) -> Iterator[Observation]:
    """Observations about a data folder, without changing it."""
    there = next(
        one for one in (folder.absolute(), *folder.absolute().parents) if os.path.exists(one)
    )
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"whether this can be kept")
            os.fsync(file)
    except OSError as error:
        yield wrong("doctor.folder.unwritable", why=os.strerror(error.errno or errno.EIO))
        if isinstance(error, PermissionError) and not os.access(folder, os.X_OK):
            return
    else:
        yield well("doctor.folder") if folder.exists() else well("doctor.folder.none")
        if not os.path.exists(folder / database.NAME) and nearest(folder):
            yield note("doctor.folder.near")
    free = shutil.disk_usage(there).free
    left = f"{free / 1e9:,.1f}"
    yield wrong("doctor.disk.low", free=left) if free < LOW_DISK else well("doctor.disk", free=left)
    if os.name != "nt" and folder.exists() and folder.stat().st_mode & 0o077:
        yield note("doctor.folder.open")
    if os.path.exists(kept := folder / database.NAME):
        yield from _denied(kept)
        yield _form(kept)


def _denied(tables: Path) -> Iterator[Observation]:
    """The files next to the tables that a server of this user, or of their owner, cannot open."""
    ends, owner = ("", "-wal", "-shm"), tables.stat().st_uid
    names = [
        *(f"{tables.name}{end}" for end in ends),
        witness.NAME,
        lock.NAME,
        snapshots.NAME,
        TOKEN,
    ]
    for file in (tables.with_name(name) for name in names):
        try:
            os.close(os.open(file, os.O_RDWR))
            if file.stat().st_uid != owner:
                yield wrong("doctor.file.owner", name=file.name, tables=tables.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            yield wrong(
                "doctor.file.denied", name=file.name, why=os.strerror(error.errno or errno.EIO)
            )


def _form(file: Path) -> Observation:
    """The format of the tables, which another version may have written."""
    try:
        with database.reading(file) as db:
            form = int(str(db.pragma("user_version")))
    except StoreError:
        return wrong("doctor.form.unread")
    if form > len(database.MIGRATIONS):
        return wrong("doctor.form.newer")
    return note("doctor.form.older") if form < len(database.MIGRATIONS) else well("doctor.form")


def _port(host: str, port: int) -> Observation:
    with socket.socket(family_of(host), socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                why = os.strerror(error.errno or errno.EIO)
                return wrong("doctor.port.denied", port=port, why=why)
        else:
            return well("doctor.port", port=port)
    try:
        Address(f"http://{address_from_here(host)}:{port}").json("GET", "/api/health", "")
    except (Refused, ValueError):
        return wrong("doctor.port.taken", port=port)
    return well("doctor.port.served", port=port)


def _clock(data: Data) -> Observation:
    now = datetime.now(UTC)
    values: dict[str, object] = {"now": f"{now:%Y-%m-%d %H:%M:%S}"}
    file = data / database.NAME if isinstance(data, Path) else None
    if file and os.path.exists(file):
        kept = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        if (kept - now).total_seconds() > CLOCK_OFF_S:
            return wrong("doctor.clock.behind", then=f"{kept:%Y-%m-%d %H:%M:%S}", **values)
    return well("doctor.clock", **values)


def _files() -> Observation:
    n = raise_descriptor_limit()
    return well("doctor.files", files=n) if n >= FEW_FILES else note("doctor.files.few", files=n)


def _certificates() -> Observation:
    context, folder = ssl.create_default_context(), ssl.get_default_verify_paths().capath
    # Those of a folder are read on demand.
    known = context.cert_store_stats()["x509_ca"] or (folder and any(Path(folder).glob("*.0")))
    return well("doctor.authorities") if known else note("doctor.authorities.none")
