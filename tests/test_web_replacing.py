"""A server is replaced on the same socket: clients wait meanwhile, and none is refused."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import apsw
import pytest

from storypool.log.disk.database import NAME, connect
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.store import StoreBusy
from storypool.web.network import connection_limit
from storypool.web.network.connection_limit import ConnectionLimit
from storypool.web.serving import supervisor
from storypool.web.serving.host_links import TOKEN
from storypool.web.serving.listener import CannotServe, handed, listen
from tests.browsers import WAIT, serving
from tests.test_cli_roll import listed

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="a socket is handed on where processes are forked"
)
HANDED = """
import os, sys
from storypool.web.serving import supervisor
from storypool.web.serving.listener import hand, listen
listener = listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
hand(listener)
os.execv(sys.executable, [sys.executable, "-m", "storypool.cli", *sys.argv[1:]])
"""
"""A program that acts like systemd: it listens, and lets another program serve."""


class Served:
    """A server that can be replaced."""

    def __init__(self, data: Path, process: subprocess.Popen[str]) -> None:
        self.data, self.process = data, process
        self.link = self.until("#host=").strip().partition("#host=")[2]
        self.port = int(
            json.loads((data / "storypool.lock").read_text())["address"].rpartition(":")[2]
        )

    def until(self, word: str) -> str:
        """The server's line with this text; until then it shows no link."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if word in line:
                return line
            assert "#host=" not in line
        raise AssertionError(f"The server ended without {word}.")

    @property
    def serving(self) -> int:
        """The serving process."""
        pid: int = json.loads((self.data / "storypool.lock").read_text())["pid"]
        return pid

    def replace(self) -> None:
        """Replace it, and wait until the new one serves."""
        self.process.send_signal(signal.SIGUSR2)
        self.until("has taken the place")

    def get(self) -> int:
        """The status of an answer to a new client."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=WAIT)) as http:
            http.request("GET", "/api/health")
            return http.getresponse().status


def until_free(folder: Path) -> None:
    """Wait until no process holds a folder."""
    end = time.monotonic() + WAIT
    while not is_free(folder):
        assert time.monotonic() < end
        time.sleep(0.1)


@contextmanager
def served(folder: Path, *words: str, python: bool = True) -> Iterator[Served]:
    """A separate server, which logs to its output."""
    command = [*([sys.executable] if python else []), *(words or ("-m", "storypool.cli"))]
    options = [
        "serve",
        "--data",
        str(folder),
        "--local",
        "--port",
        "0",
        "--no-browser",
        "--replaceable",
    ]
    environ = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, *options],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield Served(folder, process)
        finally:
            process.kill()


def test_replacement_uses_the_current_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script starts with its current Python, a module with this process's Python."""
    script = tmp_path / "storypool"
    script.touch(0o755)
    for words, first in (
        ([str(script), "serve"], str(script)),
        (["-m", "storypool.cli"], sys.executable),
    ):
        monkeypatch.setattr(sys, "orig_argv", ["python", *words])
        monkeypatch.setattr(sys, "argv", [str(script)])
        path, started = supervisor.program()
        assert (first, first, words[-1]) == (path, started[0], started[-1])


@pytest.mark.slow
def test_replacement_refuses_nobody(tmp_path: Path) -> None:
    """A repeated client is answered each time on an external socket; all end together."""
    with served(tmp_path, "-c", HANDED) as server:
        before, statuses, over = server.serving, set[int](), threading.Event()

        def come() -> None:
            while not over.wait(0.02):
                statuses.add(server.get())

        coming = threading.Thread(target=come)
        coming.start()
        try:
            server.replace()
        finally:
            over.set()
            coming.join(WAIT)
        assert {200} == statuses
        assert before != server.serving
        # However the supervisor ends, the process that serves does not stay behind.
        server.process.kill()
        server.process.wait(WAIT)
        until_free(tmp_path)


@pytest.mark.slow
def test_replacement_keeps_the_host_signed_in(tmp_path: Path) -> None:
    """The host's link, browser and linked program continue, and no other link is printed."""
    with served(tmp_path) as server:

        def ask(
            method: str, path: str, body: object = None, token: str = "", **headers: str
        ) -> tuple[Any, str]:
            with closing(HTTPConnection("127.0.0.1", server.port, timeout=WAIT)) as http:
                headers |= {"Authorization": f"Bearer {token}"} if token else {}
                headers |= {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
                http.request(method, path, json.dumps(body) if body is not None else None, headers)
                answer = http.getresponse()
                cookie = answer.headers.get("Set-Cookie", "").partition(";")[0]
                return json.loads(answer.read()), cookie

        came = {"secret": server.link, "host": True}
        _, cookie = ask("POST", "/api/join", came)
        program = ask("POST", "/api/join", {**came, "program": True})[0]["token"]
        for _ in range(2):
            server.replace()
            assert ask("GET", "/api/session", Cookie=cookie)[0]["host"]
            assert ask("GET", "/api/session", token=program)[0]["host"]
            assert ask("GET", "/api/session", token=(tmp_path / TOKEN).read_text())[0]["host"]
            assert "host" == ask("POST", "/api/join", {"secret": server.link})[0]["link"]
        assert (
            "table" in ask("POST", "/api/tables", {"system": "starwars", "name": "Mo"}, program)[0]
        )
    # A start has another link, and the one before ends.
    until_free(tmp_path)
    with (
        served(tmp_path) as server,
        closing(HTTPConnection("127.0.0.1", server.port, timeout=WAIT)) as http,
    ):
        assert came["secret"] != server.link
        http.request("POST", "/api/join", json.dumps(came), {"Content-Type": "application/json"})
        assert http.getresponse().status in (401, 403, 404)


@pytest.mark.slow
def test_incompatible_version_replaces_nothing(tmp_path: Path) -> None:
    """If the tables are of a newer form, the new process ends and the old one goes on."""
    with served(tmp_path) as server:
        before = server.serving
        with closing(connect(tmp_path / NAME, apsw.SQLITE_OPEN_READWRITE)) as db:
            db.pragma("user_version", 99)
        server.process.send_signal(signal.SIGUSR2)
        server.until("comes from a newer Storypool")
        server.until("so the old one goes on")
        assert (before, 200) == (server.serving, server.get())
        server.process.terminate()
        assert 0 == server.process.wait(WAIT)


def is_free(folder: Path) -> bool:
    """Whether no process holds a data folder."""
    try:
        SqliteStore(folder).close()
    except StoreBusy:
        return False
    return True


IMPATIENT = """
import sys
from storypool.cli import main
from storypool.web.serving import supervisor
supervisor.ENDING_S = 1
sys.exit(main())
"""
"""The program with a supervisor that gives a server one second to end."""


@pytest.mark.slow
def test_hanging_server_is_replaced(tmp_path: Path) -> None:
    """It is killed after a while, and its successor has all stored moves."""
    with served(tmp_path, "-c", IMPATIENT) as server:
        before = server.serving
        os.kill(before, signal.SIGSTOP)
        server.replace()
        assert before != server.serving
        assert 200 == server.get()


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_hanging_server_cannot_block_the_end(tmp_path: Path, end: signal.Signals) -> None:
    """A supervisor that must end kills it after the same time."""
    with served(tmp_path, "-c", IMPATIENT) as server:
        os.kill(server.serving, signal.SIGSTOP)
        server.process.send_signal(end)
        assert 0 == server.process.wait(WAIT)
        assert is_free(tmp_path)


EARLY = """
import os, signal
from storypool.web.serving import supervisor
kill = os.kill
os.kill = lambda pid, number: kill(os.getpid(), number)
supervisor.wait_for_turn()
print("my turn")
"""
"""A process that gets its signal before it waits."""


def test_early_signal_is_not_missed() -> None:
    """It is kept for the waiting thread, whatever other threads there are."""
    environ = {**os.environ, "STORYPOOL_SUPERVISOR": str(os.getpid())}
    done = subprocess.run(
        [sys.executable, "-c", EARLY], env=environ, capture_output=True, text=True
    )
    assert (0, "my turn\n") == (done.returncode, done.stdout), done.stderr


SUPERVISOR_ALONE = """
from storypool.cli import main
from storypool.web.serving import supervisor
supervisor.supervise = lambda listener: 0
main(["serve", "--replaceable", "--local", "--port", "0"])
"""


def test_supervisor_is_small() -> None:
    """It imports no serving code, since it stays in memory with every server."""
    modules = listed("-c", SUPERVISOR_ALONE)
    assert "storypool.web.serving.listener" in modules
    assert not {
        "storypool.web.app",
        "storypool.web.serving.serve",
        "uvicorn",
        "starlette",
        "apsw",
    } & set(modules)


def test_inherited_socket_must_be_one_tcp_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are refused with a sentence, and those for another process are left alone."""
    assert handed() is None
    monkeypatch.setenv("LISTEN_PID", "1")
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert handed() is None
    with closing(listen("127.0.0.1", 0)) as tcp, closing(socket.socket(socket.AF_UNIX)) as other:
        for given, n in ((tcp, "2"), (other, "1")):
            monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
            monkeypatch.setenv("LISTEN_FDS", n)
            monkeypatch.setattr("storypool.web.serving.listener.HANDED_FD", os.dup(given.fileno()))
            with pytest.raises(CannotServe, match=r"one socket of TCP.*ListenStream"):
                handed()


@pytest.mark.slow
def test_accepted_client_is_answered_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late request on an accepted connection is still answered."""
    settle = ConnectionLimit.settle
    wires: list[socket.socket] = []

    async def ask(limit: ConnectionLimit) -> None:
        assert 1 == limit.unasked
        wires[0].sendall(b"GET /api HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await settle(limit)
        assert 0 == limit.unasked

    monkeypatch.setattr(connection_limit, "UNASKED_S", WAIT)
    monkeypatch.setattr(ConnectionLimit, "settle", ask)
    with serving(tmp_path) as house:
        limit = house.app.state.server.connections
        wires.append(socket.create_connection(("127.0.0.1", house.port), timeout=WAIT))
        while not limit.unasked:
            time.sleep(0.01)
    with wires[0] as wire:
        assert wire.recv(1000).startswith(b"HTTP/1.1 200")
