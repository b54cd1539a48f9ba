"""The hosting page's way to PostgreSQL and back, typed as it stands."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from storypool.log.disk.sqlite import SqliteStore
from storypool.log.shared.postgres import PostgresStore
from tests.test_hosting_docs import BLOCKS, own_program
from tests.test_log_moving import everything, filled
from tests.test_wheel import serving
from tools.cluster import USER, Cluster, programs

pytestmark = pytest.mark.exhaustive
BLOCK = next(block for block in BLOCKS if block[0].startswith("createuser"))
PASSWORD = "correct horse"


@pytest.fixture
def server() -> Iterator[Cluster]:
    """A PostgreSQL server as Debian installs it: its only user is `postgres`."""
    cluster = Cluster()
    try:
        cluster.start()
        cluster.ask("CREATE ROLE postgres SUPERUSER LOGIN")
        with psycopg.connect(cluster.url().replace(f"{USER}@", "postgres@"), autocommit=True) as db:
            db.execute(f"ALTER ROLE {USER} RENAME TO another")
        yield cluster
    finally:
        cluster.remove()


def test_page_leads_to_a_database_and_back(server: Cluster, tmp_path: Path) -> None:
    """User, database, the move of a folder, a start with four processes, and the move back."""
    folder, back = tmp_path / "var/lib/storypool", tmp_path / "back"
    folder.mkdir(parents=True)
    with closing(SqliteStore(folder)) as store:
        filled(store)
        before = everything(store)
    program = tmp_path / "bin" / "storypool"
    own_program(program)
    postgres = programs()
    assert postgres is not None
    environ = {
        **os.environ,
        "PATH": f"{program.parent}:{postgres}:{os.environ['PATH']}",
        "PGHOST": str(server.folder),
        "PGUSER": "postgres",
        "PYTHONUNBUFFERED": "1",
    }
    address = f"@/storypool?host={server.folder}"
    makes, exports, moves, serves = (
        line.replace("@db.example.org/storypool", address).replace(
            "/var/lib/storypool", str(folder)
        )
        for line in BLOCK
    )
    exports = exports.replace("=", "='", 1) + "'"  # the page's address has no letter for a shell

    def run(command: str) -> None:
        # Without a terminal of its own, createuser reads the password from its input.
        done = subprocess.run(
            ["bash", "-c", f"{exports}\n{command}"],
            input=f"{PASSWORD}\n{PASSWORD}\n",
            env=environ,
            capture_output=True,
            text=True,
            start_new_session=True,
        )
        assert 0 == done.returncode, f"{command}\n{done.stdout}{done.stderr}"

    run(makes)
    run(moves)
    url = f"postgresql://{USER}{address}"
    with closing(PostgresStore(url)) as database:
        assert before == everything(database)
    with serving(
        "bash", "-c", f"{exports}\nexec {serves} --port 0 --no-browser", **environ
    ) as address_printed:
        assert "https://table.example.org" == address_printed
    with closing(PostgresStore(url)) as database:
        after = everything(database)
    run(f'storypool move-data "$STORYPOOL_DATA" {back}')
    with closing(SqliteStore(back)) as store:
        assert after == everything(store)
    rights = "SELECT rolcanlogin, rolsuper, rolpassword LIKE 'SCRAM%' FROM pg_authid"
    with psycopg.connect(url.replace(f"{USER}@", "postgres@")) as db:
        assert (True, False, True) == db.execute(f"{rights} WHERE rolname = '{USER}'").fetchone()
