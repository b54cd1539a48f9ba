"""A private PostgreSQL server for tests: in a temporary folder, on a private socket."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg

import dev

USER = "storypool"
STANDBY = "standby"
"""The name of a standby at its primary."""
WAIT = 60
"""Seconds after which a server has failed to start."""
CALL_OFF = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
"""Cancels a commit that waits for its standby."""
NONE = (
    "There is no PostgreSQL server here: install it (on Debian: sudo apt-get install postgresql),"
    " name the folder of its programs with STORYPOOL_POSTGRES, or go without the tests that need it"
    " with STORYPOOL_WITHOUT_POSTGRES=1."
)


class NoServer(Exception):
    """PostgreSQL is not installed, or does not start; one sentence with the reason."""


def programs() -> Path | None:
    """The folder with the newest PostgreSQL server, or None."""
    found = dev.find_postgres()
    # Links to single programs lead to the folder of all.
    return (Path(found) / "postgres").resolve().parent if found else None


class Cluster:
    """A server in a new folder; `start` and `kill` may alternate, `remove` ends it.

    With `empty` it has no data of its own, until it becomes the standby of another.
    """

    def __init__(self, settings: tuple[str, ...] = (), empty: bool = False) -> None:
        folder = programs()
        if folder is None:
            raise NoServer(NONE)
        self._programs, self._numbers = folder, count(1)
        self._process: subprocess.Popen[bytes] | None = None
        # The socket's path must be short, and the folders above must be open to another user.
        self.folder = Path(tempfile.mkdtemp(prefix="storypool-pg-"))
        self._settings = (
            "listen_addresses=",
            f"unix_socket_directories={self.folder}",
            "autovacuum=off",
            *settings,
        )
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            user = _user()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        if not empty:
            given = ("-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
            self._run("initdb", "-D", str(self.data), *given)

    @property
    def data(self) -> Path:
        """The folder of its data."""
        return self.folder / "data"

    def url(self, database: str = "postgres", more: str = "") -> str:
        """The address of one of its databases."""
        return f"postgresql://{USER}@/{database}?host={self.folder}{more}"

    def start(self) -> None:
        """Start it, and wait until it answers; after a kill it recovers first."""
        command = [str(self._programs / "postgres"), "-D", str(self.data)]
        for setting in self._settings:
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self._process = self.start_process(command, stdout=log, stderr=log)
        self._until(self._answers)

    def stop(self) -> None:
        """Stop it without waiting for clients."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Kill the server and all its processes with -9."""
        process = self._process
        if process is None:
            return
        others = self.pids[1:]
        self._end(signal.SIGKILL)
        for pid in others:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        # A server refuses to start while one of the old processes still runs.
        while any(map(_runs, others)):
            time.sleep(0.01)

    @property
    def pids(self) -> list[int]:
        """The ids of the server's processes, its own first."""
        if self._process is None:
            return []
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children")
        return [pid, *(map(int, children.read_text().split()) if children.exists() else ())]

    def new_folder(self, name: str) -> Path:
        """A new folder of this server's user in the folder of its data."""
        (folder := self.folder / name).mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, _user().pw_uid, _user().pw_gid)
        return folder

    def remove(self) -> None:
        """Stop it, and remove its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self) -> str:
        """A new database; returns its address."""
        return self.url(self.new_name())

    def new_name(self) -> str:
        """A new database; returns its name."""
        name = f"d{next(self._numbers)}"
        self.ask(f"CREATE DATABASE {name}")
        return name

    def empty(self, database: str) -> None:
        """Remove clients, settings and tables of a database, ten times as fast as a new one."""
        name = database.partition("?")[0].rpartition("/")[2]
        self.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self.ask(f"ALTER DATABASE {name} RESET ALL")
        self.ask("DROP SCHEMA IF EXISTS storypool CASCADE", name)

    def ask(self, sql: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """The rows of a statement."""
        with psycopg.connect(self.url(database), autocommit=True) as db:
            found = db.execute(sql)
            return found.fetchall() if found.description else []

    def follow(self, primary: Cluster) -> None:
        """Become the synchronous standby of another server, with a copy of its data."""
        self.kill()
        shutil.rmtree(self.data, ignore_errors=True)
        source = f"host={primary.folder} user={USER} application_name={STANDBY}"
        # A checkpoint at once: otherwise the copy begins minutes later.
        self._run(
            "pg_basebackup", "-d", source, "-D", str(self.data), "-R", "-c", "fast", "--no-sync"
        )
        primary.wait_for(STANDBY)
        self.start()
        self._until(
            lambda: primary.ask("SELECT sync_state FROM pg_stat_replication") == [("sync",)]
        )

    def wait_for(self, standby: str) -> None:
        """Make each commit wait for a standby of this name, "" for none; it must not be there yet.

        The checkpointer publishes the setting some time after the settings are read: until a commit
        waits, none would.
        """
        self.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        self.ask("SELECT pg_reload_conf()")
        if standby:
            self._until(self._commit_waits)

    def _commit_waits(self) -> bool:
        """Whether a test commit has to wait for a standby; it is cancelled then."""
        found = False
        with psycopg.connect(self.url(), autocommit=True) as db, ThreadPoolExecutor(1) as threads:
            committed = threads.submit(
                db.execute, "SELECT pg_logical_emit_message(true, 'storypool', '')"
            )
            pid = db.info.backend_pid
            while not committed.done():
                found |= bool(self.ask(f"{CALL_OFF} AND pid = {pid}"))
                time.sleep(0.01)
        return found

    def promote(self) -> None:
        """Make a standby the primary, and wait until it takes writes."""
        self.ask("SELECT pg_promote(wait => true)")

    def cut(self, database: str, some: str = "true") -> int:
        """Cut Storypool's connections to a database that fit `some`; returns their number."""
        name = database.partition("?")[0].rpartition("/")[2]
        sql = (
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND"
            f" {some} "
        )
        return len(self.ask(sql + "AND application_name = 'storypool'"))

    def output(self) -> str:
        """Everything in its log so far."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def _answers(self) -> bool:
        try:
            self.ask("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _until(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + WAIT
        while not condition():
            if (
                self._process is None
                or self._process.poll() is not None
                or time.monotonic() > until
            ):
                raise NoServer(f"PostgreSQL does not start: {self.output()[-500:]}")
            # To be asked too often delays a server that recovers: each question is a process of its
            # own there.
            time.sleep(0.05)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(WAIT)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        process = self.start_process(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output, _ = process.communicate(timeout=WAIT)
        if process.returncode:
            raise NoServer(f"{program} failed: {output.decode(errors='replace')[-500:]}")

    def start_process(self, command: list[str], **streams: object) -> subprocess.Popen[bytes]:
        """Start another program as the user of this server."""
        begin: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
        return begin(
            command,
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
            start_new_session=True,
            **streams,
            **self._as,
        )


def _runs(pid: int) -> bool:
    """Whether a process still runs; an ended one may remain until its parent takes note."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _user() -> pwd.struct_passwd:
    """The user for a server where this process is root."""
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise NoServer(
        "PostgreSQL does not run as root, and there is no other user for it: add one called"
        " postgres."
    )


@contextmanager
def running(settings: tuple[str, ...] = ()) -> Iterator[Cluster]:
    """A running server, which is removed at the end."""
    cluster = Cluster(settings)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


@contextmanager
def replicated(settings: tuple[str, ...] = ()) -> Iterator[tuple[Cluster, Cluster]]:
    """A primary and its synchronous standby, which are removed at the end."""
    with running(settings) as primary:
        standby = Cluster(settings, empty=True)
        try:
            standby.follow(primary)
            yield primary, standby
        finally:
            standby.remove()


def either(database: str, *clusters: Cluster) -> str:
    """The address of a database at one of several servers."""
    return f"postgresql://{USER}@/{database}?host={','.join(str(one.folder) for one in clusters)}"
