"""PgBouncer in transaction mode: each transaction gets one of a few connections."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tools.cluster import USER, WAIT, Cluster, NoServer

NONE = "There is no PgBouncer here: install it (on Debian: sudo apt-get install pgbouncer)."
SERVERS = 3
"""The connections to a database that all clients share."""
PORT = 6432
"""The number in the name of its socket."""


def program() -> str | None:
    """The path of PgBouncer, or None."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


class Pooler:
    """A running PgBouncer with a folder of its own near the server's data."""

    def __init__(self, cluster: Cluster) -> None:
        found = program()
        if found is None:
            raise NoServer(NONE)
        self.folder = cluster.new_folder("pooler")
        (self.folder / "pgbouncer.ini").write_text(
            f"[databases]\n* = host={cluster.folder} user={USER}\n[pgbouncer]\nlisten_addr"
            f" =\nunix_socket_dir = {self.folder}\nlisten_port = {PORT}\nauth_type = any\npool_mode"
            f" = transaction\ndefault_pool_size = {SERVERS}\nmax_client_conn = 100\n"
            # It waits for so long when a new connection to the server fails, as while connections
            # are being cut.
            "server_login_retry = 0.1\n",
            encoding="utf-8",
        )
        with (self.folder / "log").open("ab") as log:
            command = [found, str(self.folder / "pgbouncer.ini")]
            self._process = cluster.start_process(command, stdout=log, stderr=log)
        until = time.monotonic() + WAIT
        while not (self.folder / f".s.PGSQL.{PORT}").exists():
            if self._process.poll() is not None or time.monotonic() > until:
                raise NoServer(f"PgBouncer does not start: {self.output()[-500:]}")
            time.sleep(0.01)

    def url(self, database: str) -> str:
        """The address of a database through it."""
        return f"postgresql://{USER}@/{database}?host={self.folder}&port={PORT}"

    def output(self) -> str:
        """Everything in its log so far."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def stop(self) -> None:
        """Stop it, and remove its folder."""
        self._process.terminate()
        self._process.wait(WAIT)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def pooled(cluster: Cluster) -> Iterator[Pooler]:
    """A PgBouncer before a server, which is stopped at the end."""
    pooler = Pooler(cluster)
    try:
        yield pooler
    finally:
        pooler.stop()
