"""A server in this process with browsers and programs, for tests of the web."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from websockets.sync.client import ClientConnection, connect

from storypool import systems
from storypool.live.peers.shared_tables import tables_class
from storypool.log.memory import MemoryStore
from storypool.log.store import Store
from storypool.web.access import mint
from storypool.web.app import ENDPOINTS
from storypool.web.interface.openapi import document_of
from storypool.web.server_settings import Limits, Settings
from storypool.web.serving.listener import listen
from storypool.web.serving.serve import Serving, configure
from storypool.words.languages import Languages
from tools.documented import Documented

NOW = 1_700_000_000_000
WAIT = 60
"""Seconds to wait for an event, enough for a busy machine."""
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No certificates, which cost each client 25 ms: these servers use HTTP."""
SHELL = (
    '<!doctype html><html lang="en"><title>Storypool</title><script src="/static/page.js"'
    ' type="module"></script>'
)


def page(folder: Path) -> Path:
    """A folder with a page of one line, and a script long enough to compress."""
    folder.mkdir(exist_ok=True)
    (folder / "index.html").write_text(SHELL, encoding="utf-8")
    (folder / "page.js").write_text("// " + "a page " * 100, encoding="utf-8")
    return folder


@cache
def documented() -> Documented:
    """Every refusal that a server may send."""
    return Documented(document_of(ENDPOINTS))


def keeps_its_word(answer: httpx.Response, folder: Path, english: bool) -> None:
    """No answer contains the host's data path; refusals are documented, and say when to try again.

    Endless answers are not read here.
    """
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        return
    answer.read()
    assert str(folder) not in answer.text, f"{answer.url}: {answer.text}"
    assert answer.status_code != 429 or int(answer.headers["retry-after"]) > 0
    asked = answer.request
    assert not (
        fault := documented().fault(
            asked.method, asked.url.path, answer.status_code, answer.content, english
        )
    ), fault


@contextmanager
def serving(
    folder: Path,
    store: Store | None = None,
    games: Callable[[], Iterable[str]] = lambda: ("tiny",),
    languages: Languages | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    **changes: Any,
) -> Iterator[House]:
    """A server that lists the tiny game and plays any, with settings `changes`.

    It listens on `host`, where 127.0.0.1 must reach it, and on a free port or this one. Dice
    show their first face. Odds have enough time on a busy machine, unless the limits say otherwise.
    """
    kept = MemoryStore() if store is None else store
    listener = listen(host, port)
    port = int(listener.getsockname()[1])
    limits = replace(Limits(), odds=WAIT)
    settings = replace(
        Settings(port, lan="127.0.0.1", static=page(folder / "static"), limits=limits), **changes
    )
    config = configure(
        tables_class(kept)(kept, systems.get, lambda sides: 0, lambda: NOW, languages),
        settings,
        games,
    )
    server = Serving(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        address, hooks = (
            f"http://127.0.0.1:{port}",
            {"response": [lambda answer: keeps_its_word(answer, folder, languages is None)]},
        )
        with httpx.Client(
            base_url=address, timeout=WAIT, trust_env=False, verify=PLAIN, event_hooks=hooks
        ) as client:
            yield House(config.app, client, kept, port)
    finally:
        server.should_exit = True
        ending = threading.Thread(target=_finish, args=(thread, listener))
        ending.start()
        if store is not None:
            # Who brought the store closes it.
            ending.join()


def _finish(server: threading.Thread, listener: socket.socket) -> None:
    """Wait for a server to end, which takes one tick: the next test need not wait for it."""
    server.join(WAIT)
    listener.close()


class House:
    """A running server with all its clients."""

    def __init__(self, app: Any, client: httpx.Client, store: Store, port: int) -> None:
        self.app: Starlette = app
        self.client, self.store, self.port = client, store, port
        self.here = f"http://127.0.0.1:{port}"

    def browser(self) -> Browser:
        """A new browser without a cookie."""
        return Browser(self)

    def host(self) -> Browser:
        """The browser of the host."""
        browser = self.browser()
        browser.post("/api/join", secret=mint(self.store, "host"), host=True)
        return browser

    def table(self) -> Party:
        """A table with a GM, two players and a spectator, each in their own browser."""
        gm = self.browser()
        opened = gm.post("/api/tables", system="tiny", title="Coins", name="Mona")
        party = Party(self, opened["table"], gm)
        party.ann, party.bo = party.join("player", "Ann"), party.join("player", "Bo")
        party.vera = party.join("spectator", "Vera")
        gm.move(party.id, "session.begin")
        gm.move(party.id, "points.correct", account="luck", to=3, why="the start")
        party.ann.move(party.id, "character.add", name="Ilse")
        return party

    def raw(self, data: bytes) -> bytes:
        """The server's answer to these bytes, until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=WAIT) as wire:
            wire.sendall(data)
            parts = []
            while part := wire.recv(65536):
                parts.append(part)
        return b"".join(parts)


class Party:
    """A table and the browsers around it."""

    ann: Browser
    bo: Browser
    vera: Browser

    def __init__(self, house: House, id: str, gm: Browser) -> None:
        self.house, self.id, self.gm = house, id, gm
        self.path = f"/api/tables/{id}"

    def secret(self, side: str, **more: str) -> str:
        """The secret of a new link from the game master."""
        return secret_of(self.gm.post(f"{self.path}/links", side=side, **more))

    def join(self, side: str, name: str) -> Browser:
        """A new browser with a new seat on that side."""
        browser = self.house.browser()
        browser.post("/api/join", secret=self.secret(side), name=name)
        return browser

    def token(self, side: str, name: str) -> str:
        """A program's token for a new seat."""
        secret = self.secret(side)
        joined = self.house.client.post(
            "/api/join",
            json={"name": name, "program": True},
            headers={"Authorization": f"Bearer {secret}"},
        )
        return str(joined.json()["token"])


class Browser:
    """A browser that keeps its cookies and marks its requests as the server's own page."""

    def __init__(self, house: House) -> None:
        self.house, self.client = house, house.client
        self.cookies: dict[str, str] = {}
        self.headers = {"Sec-Fetch-Site": "same-origin"}

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """The whole answer to a request."""
        self.client.cookies.clear()
        sent = {**self.headers, **self._cookie(), **(headers or {})}
        content = (
            None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        )
        if content is not None and "Content-Type" not in sent:
            sent["Content-Type"] = "application/json"
        answer = self.client.request(method, path, content=content, headers=sent)
        self.cookies.update({name: value.strip('"') for name, value in answer.cookies.items()})
        self.client.cookies.clear()
        return answer

    def get(self, path: str) -> Any:
        """The answer to a request, which must not be refused."""
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: object) -> Any:
        """The result of a posted request, which must not be refused."""
        answer = self.ask("POST", path, body)
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()

    def refused(self, status: int, method: str, path: str, **body: object) -> dict[str, Any]:
        """The error of a refused request, with this status and the one shape."""
        answer = self.ask(method, path, body if method == "POST" else None)
        return error_of(answer, status)

    def move(self, table: str, move: str, **args: object) -> Any:
        """A move made."""
        return self.post(f"/api/tables/{table}/moves", move=move, args=args)

    @contextmanager
    def live(self, table: str, query: str = "", **more: Any) -> Iterator[Socket]:
        """A WebSocket to a table, as a browser opens it."""
        headers = {"Origin": self.house.here, **self._cookie(), **more.pop("headers", {})}
        address = f"ws://127.0.0.1:{self.house.port}/api/tables/{table}/live{query}"
        options: dict[str, Any] = {"compression": None, "proxy": None, "max_queue": None, **more}
        with connect(
            address, additional_headers=headers, open_timeout=WAIT, **options
        ) as connection:
            yield Socket(connection)

    def _cookie(self) -> dict[str, str]:
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": pairs} if pairs else {}


class Socket:
    """One end of a WebSocket that speaks JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, **message: object) -> None:
        """Send a message."""
        self.connection.send(json.dumps(message))

    def hear(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types, or of any; others are skipped."""
        end = time.monotonic() + WAIT
        while True:
            heard: dict[str, Any] = json.loads(self.connection.recv(max(0, end - time.monotonic())))
            if not types or heard["type"] in types:
                return heard

    def follow(self, after: int = 0, **more: object) -> dict[str, Any]:
        """The hello of the table, which is followed from after this record."""
        hello = self.hear("hello")
        self.send(type="follow", after=after, **more)
        return hello

    def records(self, upto: int) -> list[dict[str, Any]]:
        """The records that arrive, up to and including this number."""
        heard = [self.hear("record")]
        while heard[-1]["seq"] < upto:
            heard.append(self.hear("record"))
        return heard


def secret_of(link: Mapping[str, Any]) -> str:
    """The secret in a link's address."""
    return str(link["path"]).partition("#link=")[2]


def error_of(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The error in an answer of the common shape."""
    assert status == answer.status_code, answer.text
    assert answer.headers["content-type"] == "application/json"
    error: dict[str, Any] = answer.json()["error"]
    assert {"code", "text", "rule", "remedy", "field", "overridable"} == error.keys()
    assert error["text"]
    return error
