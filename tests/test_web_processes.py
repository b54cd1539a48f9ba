"""Several processes on one database: each accepts and signs out the same clients."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import psycopg
import pytest

from storypool.log.shared import processes, reconnecting, relations
from storypool.log.shared.postgres import PostgresStore
from storypool.log.shared.reconnecting import Connection
from storypool.log.shared.relations import Pending
from storypool.log.store import Answer, StoreError
from storypool.web.server_settings import Limits, Rate
from tests.browsers import serving
from tests.test_log_postgres import texts
from tools.cluster import Cluster
from tools.torture.serve import Caller

ROOT = Path(__file__).resolve().parent.parent
WAIT = 60
"""Seconds to wait for an event."""
ALONE = {"Sec-Fetch-Site": "same-origin"}


@contextmanager
def served(database: str, *more: str) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """A server on a database, with its address and its host link's secret."""
    command = [
        sys.executable,
        "-m",
        "storypool.cli",
        "serve",
        "--local",
        "--no-browser",
        "--port",
        "0",
        *more,
    ]
    environ = {**os.environ, "STORYPOOL_DATA": database}
    process = subprocess.Popen(command, env=environ, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = secret = ""
        while not secret:
            line = process.stdout.readline()
            assert line
            address = line.split()[-1] if "Storypool is at" in line else address
            secret = line.strip().partition("#host=")[2]
        yield address, secret, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT)


def client(address: str, token: str = "") -> httpx.Client:
    """A program as a client of a server."""
    return httpx.Client(
        base_url=address, headers=ALONE | ({"Authorization": f"Bearer {token}"} if token else {})
    )


@pytest.fixture(scope="module")
def servers(postgres: Cluster) -> Iterator[tuple[str, str, str]]:
    """The addresses of two servers on a database, and the first one's host link secret."""
    database = postgres.new_database()
    with served(database) as (one, secret, _), served(database) as (other, _, _):
        yield one, other, secret


def opened(address: str, host: str) -> tuple[str, str, str]:
    """A table opened by a program: its id, its GM's token, and a player link's secret."""
    with client(address) as http:
        token = http.post("/api/join", json={"secret": host, "host": True, "program": True}).json()[
            "token"
        ]
    with client(address, token) as http:
        body = {"system": "starwars", "title": "Far away", "name": "Mona"}
        id = http.post("/api/tables", json=body).raise_for_status().json()["table"]
        link = (
            http.post(f"/api/tables/{id}/links", json={"side": "player"})
            .raise_for_status()
            .json()["path"]
        )
    return id, token, link.partition("#link=")[2]


def joined(address: str, link: str, name: str) -> tuple[str, str]:
    """An admitted player: the token and the seat."""
    with client(address) as http:
        answer = (
            http.post("/api/join", json={"secret": link, "name": name, "program": True})
            .raise_for_status()
            .json()
        )
    return answer["token"], answer["seat"]["id"]


@pytest.mark.exhaustive
def test_accepted_client_is_known_elsewhere_at_once(
    servers: tuple[str, str, str],
) -> None:
    """A seat's first move may be at the other server, even if the table was known there."""
    one, other, host = servers
    id, _, link = opened(one, host)
    for n in range(12):
        here, there = (one, other) if n % 2 else (other, one)
        token, seat = joined(here, link, f"P{n}")
        with client(there, token) as http:
            sent = http.post(
                f"/api/tables/{id}/moves", json={"move": "table.say", "args": {"text": "I am here"}}
            )
            assert (200, seat) == (sent.status_code, sent.json()["records"][0]["seat"])
            assert [seat] == [one["seat"] for one in http.get("/api/session").json()["seats"]]


@pytest.mark.slow
def test_sign_out_reaches_other_processes(
    servers: tuple[str, str, str],
) -> None:
    """Within about a second nobody has the seat, and its feeds have ended."""
    one, other, host = servers
    id, _, link = opened(one, host)
    token, _ = joined(one, link, "Ann")
    with client(other, token) as there, client(one, token) as here:
        path = f"/api/tables/{id}"
        assert 200 == there.get(path).status_code
        with there.stream("GET", f"{path}/events", timeout=WAIT) as feed:
            lines = feed.iter_lines()
            assert "event: hello" == next(lines)
            assert 200 == here.delete("/api/session").status_code
            assert any("signed out" in line for line in lines)
        assert 401 == there.get(path).status_code


@pytest.mark.slow
def test_claim_is_answered_at_another_process(servers: tuple[str, str, str]) -> None:
    """The GM hears and grants it at another server, and the claimant is in at the first."""
    one, other, host = servers
    id, gm, link = opened(one, host)
    _, seat = joined(one, link, "Ann")
    with (
        client(other, gm) as there,
        there.stream("GET", f"/api/tables/{id}/events", timeout=WAIT) as feed,
    ):
        lines = feed.iter_lines()
        assert "event: hello" == next(lines)
        with client(one) as http:
            asked = http.post(
                "/api/join", json={"secret": link, "seat": seat, "program": True}
            ).json()
        assert any(asked["claim"]["code"] in line for line in lines)
        claim = asked["claim"]["id"]
        assert (
            200 == there.post(f"/api/tables/{id}/claims/{claim}", json={"agree": True}).status_code
        )
    for address in (one, other):
        with client(address, asked["token"]) as http:
            assert "granted" == http.get(f"/api/claims/{claim}").json()["state"]
            assert [seat] == [found["seat"] for found in http.get("/api/session").json()["seats"]]


@pytest.mark.slow
def test_servers_share_their_limits(database: str, tmp_path: Path) -> None:
    """Trying secrets at two servers in turn gives no more tries, and others still join."""
    limits = replace(Limits(), joins=Rate(4, 0.001))
    with ExitStack() as stack:
        stores = [stack.enter_context(closing(PostgresStore(database))) for _ in range(2)]
        houses = [stack.enter_context(serving(tmp_path, store, limits=limits)) for store in stores]
        guessing = [house.browser() for house in houses]
        tries = [
            guessing[n % 2].ask("POST", "/api/join", {"secret": f"guess {n}"}) for n in range(8)
        ]
        assert [401] * 4 + [429] * 4 == [answer.status_code for answer in tries]
        assert int(tries[-1].headers["retry-after"]) > 1
        with Caller(houses[1].port, source="127.0.0.2") as elsewhere:
            assert 401 == elsewhere.ask("POST", "/api/join", {"secret": "another"}).status
    with psycopg.connect(database) as db:
        kept = db.execute("SELECT id FROM storypool.buckets").fetchall()
        assert 2 == len(kept)
        assert "127.0.0" not in str(kept)


def test_join_fails_while_limits_are_unknown(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the database a right link gets a 503, and works once it is back."""
    with closing(PostgresStore(database)) as store, serving(tmp_path, store) as house:
        secret = house.table().secret("player")
        with monkeypatch.context() as patch:
            patch.setattr(reconnecting, "PATIENCE_S", 0.0)
            patch.setattr(processes, "take", away)
            house.browser().refused(503, "POST", "/api/join", secret=secret, name="Cy")
        assert house.browser().post("/api/join", secret=secret, name="Cy")["joined"]


@pytest.mark.slow
def test_uncertain_move_says_so(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit during a database loss is answered as open; its token repeats it once."""
    append_all = relations.append_all

    def cut(db: Connection, pending: Sequence[Pending], again: bool) -> list[Answer | StoreError]:
        append_all(db, pending, again)
        db.close()
        raise psycopg.OperationalError("the connection was lost")

    with closing(PostgresStore(database)) as store, serving(tmp_path, store) as house:
        party = house.table()
        sent = {"move": "table.say", "args": {"text": "Once"}, "token": "t"}
        with monkeypatch.context() as patch:
            patch.setattr(reconnecting, "PATIENCE_S", 0.0)
            patch.setattr(relations, "append_all", cut)
            error = party.ann.refused(503, "POST", f"{party.path}/moves", **sent)
            assert "unreachable" == error["code"]
        seq = party.ann.post(f"{party.path}/moves", **sent)["seq"]
        assert seq == party.ann.post(f"{party.path}/moves", **sent)["seq"]
        assert ["Once"] == texts(store, party.id)


def away(*given: object) -> float:
    """Fail like a missing database."""
    raise psycopg.OperationalError("the connection was lost")


@pytest.mark.slow
def test_database_password_is_never_shown(database: str) -> None:
    """A server prints and logs neither the user nor the password of its database."""
    PostgresStore(database).close()
    url = database.replace("storypool@", "storypool:very-secret@")
    command = [sys.executable, "-m", "storypool.cli", "check", "--json"]
    for given in (url, url.replace("?host=/", "?host=/nowhere/")):
        environ = {**os.environ, "STORYPOOL_DATA": given}
        done = subprocess.run(
            command, env=environ, cwd=ROOT, capture_output=True, text=True, timeout=WAIT
        )
        assert "very-secret" not in done.stdout + done.stderr
        assert (given == url) == (done.returncode == 0)


def children(pid: int) -> list[int]:
    """The child processes of a process."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.exhaustive
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="sees the children of a process on Linux alone"
)
def test_killed_process_is_replaced(database: str) -> None:
    """Any process of an address may be killed without losing moves, and all end together."""
    with served(database, "--processes", "2") as (address, host, process):
        id, token, _ = opened(address, host)
        sent = []
        for n in range(3):
            victim = children(process.pid)[0]
            os.kill(victim, signal.SIGKILL)
            until = time.monotonic() + WAIT
            while victim in (now := children(process.pid)) or len(now) < 2:
                assert time.monotonic() < until
                time.sleep(0.05)
            with client(address, token) as http:
                move = {"move": "table.say", "args": {"text": str(n)}, "token": str(n)}
                assert 200 == http.post(f"/api/tables/{id}/moves", json=move).status_code
            sent.append(str(n))
        last = children(process.pid)
    assert not any(Path(f"/proc/{pid}").exists() for pid in last)
    with closing(PostgresStore(database)) as store:
        assert sent == texts(store, id)
        store.check()


@pytest.mark.exhaustive
def test_processes_are_replaced_together(postgres: Cluster) -> None:
    """Their successors have the tables and sessions, and all end with the first."""
    with served(postgres.new_database(), "--processes", "2", "--replaceable") as (
        address,
        host,
        process,
    ):
        id, token, _ = opened(address, host)
        process.send_signal(signal.SIGUSR2)
        assert process.stdout is not None
        assert any("has taken the place" in line for line in process.stdout)
        with client(address) as http:
            assert "host" == http.post("/api/join", json={"secret": host}).json()["link"]
        for _ in range(4):
            with client(address, token) as http:
                assert 200 == http.get(f"/api/tables/{id}").status_code
    assert 0 == process.returncode
    with pytest.raises(httpx.ConnectError), client(address) as http:
        http.get("/api/health")
