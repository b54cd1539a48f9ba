"""The real server as a process of its own, and its HTTP clients."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from storypool.log.disk.sqlite import SqliteStore
from storypool.log.places import DatabaseUrl, database_store
from storypool.web.server_settings import Limits, Rate, Settings
from storypool.web.serving.host_links import host_link, shared_link
from storypool.web.serving.listener import listen
from storypool.web.serving.serve import serve

WAIT = 60
"""Seconds after which an answer has failed to come, even on a busy machine."""
HERE = "127.0.0.1"
FREE = Rate(1e9, 1e9)


class Gone(Exception):
    """The server did not answer: the connection ended."""


class Process:
    """A server on a folder, which can be killed and started again at the same port.

    Without `free` it has the usual limits; with it, requests are not counted. On the `internet`
    only its host may open tables. With the address of a PostgreSQL `database` its tables are there.
    """

    def __init__(
        self, folder: Path, free: bool = True, internet: bool = False, database: str = ""
    ) -> None:
        self.folder, self.free, self.internet, self.database = folder, free, internet, database
        self.port, self.host = 0, ""
        self.log = folder.with_name(f"{folder.name}.log")
        self._process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        """Start it, without waiting until it serves."""
        given = {"folder": str(self.folder), "database": self.database, "port": self.port}
        settings = json.dumps({**given, "free": self.free, "internet": self.internet})
        with self.log.open("ab") as log:
            command = [sys.executable, "-m", "tools.torture.serve", settings]
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)

    def start(self) -> None:
        """Start it, and wait until it serves."""
        self.begin()
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise Gone(f"The server did not start: {self.output()[-2000:]}")
        answer = json.loads(line)
        self.port, self.host = answer["port"], answer["host"]

    def kill(self) -> None:
        """Kill it with -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to stop."""
        self._end(signal.SIGTERM)

    def output(self) -> str:
        """Everything in its log so far."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(WAIT)
            if process.stdout is not None:
                process.stdout.close()


@contextmanager
def serving(
    folder: Path, free: bool = True, internet: bool = False, database: str = ""
) -> Iterator[Process]:
    """A running server, which is stopped at the end."""
    server = Process(folder, free, internet, database)
    try:
        server.start()
        yield server
    finally:
        server.kill()


class Answer(NamedTuple):
    """An answer of the server."""

    status: int
    body: bytes
    cookie: str = ""

    @property
    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)


class Caller:
    """A program with one connection to the server, with or without a token, from one address."""

    def __init__(self, port: int, token: str = "", source: str = HERE) -> None:
        self.port, self.token, self.source = port, token, source
        self._wire: http.client.HTTPConnection | None = None

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to a request; raises `Gone` without one."""
        sent = {"Sec-Fetch-Site": "same-origin", **(headers or {})}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        if self._wire is None:
            self._wire = http.client.HTTPConnection(
                HERE, self.port, timeout=WAIT, source_address=(self.source, 0)
            )
        try:
            self._wire.request(method, path, content, sent)
            got = self._wire.getresponse()
            answer = got.read()
        except (OSError, http.client.HTTPException) as gone:
            self.close()
            raise Gone(repr(gone)) from gone
        cookie = got.headers.get("set-cookie", "").partition(";")[0].partition("=")[2]
        return Answer(got.status, answer, cookie.strip('"'))

    def get(self, path: str) -> Any:
        """The content at a path; fails when the server refuses."""
        answer = self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.json

    def post(self, path: str, **body: object) -> Any:
        """The answer to a request; fails when the server refuses."""
        answer = self.ask("POST", path, body)
        assert answer.status in (200, 201, 202), answer
        return answer.json

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None


@dataclass
class Party:
    """A table, its game master's token, and the tokens of its other seats by their ids."""

    id: str
    port: int
    gm: str
    seats: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The path of the table."""
        return f"/api/tables/{self.id}"

    def caller(self, seat: str = "") -> Caller:
        """A program of this seat, or of the game master."""
        return Caller(self.port, self.seats[seat] if seat else self.gm)

    def link(self, side: str, **more: object) -> str:
        """The secret of a new link."""
        with self.caller() as gm:
            made = gm.post(f"{self.path}/links", side=side, **more)
        return str(made["path"]).partition("#link=")[2]

    def join(self, side: str, name: str) -> str:
        """Take a new seat; returns its id."""
        secret = self.link(side)
        with Caller(self.port, secret) as guest:
            joined = guest.post("/api/join", secret=secret, name=name, program=True)
        seat = str(joined["seat"]["id"])
        self.seats[seat] = str(joined["token"])
        return seat

    def ask(self, caller: Caller, move: str, args: Mapping[str, object], token: str = "") -> Answer:
        """The answer to a move of a caller."""
        body = {"move": move, "args": args, **({"token": token} if token else {})}
        return caller.ask("POST", f"{self.path}/moves", body)

    def move(self, move: str, **args: object) -> Any:
        """Make a move of the game master; returns its answer."""
        with self.caller() as caller:
            return caller.post(f"{self.path}/moves", move=move, args=args)


def opened(
    server: Process, system: str, *players: str, options: Mapping[str, str] | None = None
) -> Party:
    """A table with seats for these players, opened with the host's link where only the host may."""
    with Caller(server.port) as first:
        if server.internet:
            bearer = {"Authorization": f"Bearer {server.host}"}
            came = first.ask(
                "POST", "/api/join", {"secret": server.host, "host": True, "program": True}, bearer
            )
            first.token = came.json["token"]
        body = {
            "system": system,
            "title": "Torture",
            "name": "Mona",
            "options": dict(options or {}),
        }
        answer = first.ask("POST", "/api/tables", body)
        assert answer.status == 201, answer
        party = Party(answer.json["table"], server.port, first.token or answer.cookie)
    for player in players:
        party.join("player", player)
    return party


def main(settings: str) -> None:
    """Serve until the process is killed; print the port and the host's secret first."""
    given = json.loads(settings)
    listener = listen(HERE, given["port"])
    port = int(listener.getsockname()[1])
    limits = Limits()
    if given["free"]:
        limits = replace(
            limits,
            client=FREE,
            session=FREE,
            joins=FREE,
            new_tables=FREE,
            texts_read=FREE,
            texts_kept=FREE,
            pace=FREE,
            connections=4000,
        )
    public = f"http://{HERE}:{port}" if given["internet"] else ""
    folder = Path(given["folder"])
    store = (
        database_store(DatabaseUrl(given["database"])) if given["database"] else SqliteStore(folder)
    )
    try:
        link = (
            host_link(store, folder)
            if isinstance(store, SqliteStore)
            else shared_link(store, str(port))
        )
        host = link.path.partition("=")[2]
        print(json.dumps({"port": port, "host": host}), flush=True)
        with suppress(KeyboardInterrupt):
            serve(store, Settings(port, public, limits=limits), listener)
    finally:
        store.close()


if __name__ == "__main__":
    main(sys.argv[1])
