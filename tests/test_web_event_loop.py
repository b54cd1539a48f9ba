"""Long work runs off the event loop, so that a request never delays others' moves."""

from __future__ import annotations

import sys
import threading
from asyncio import events
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from storypool.engine.events import Event, Said, SeatTaken, TableOpened
from storypool.engine.sight import records_of
from storypool.engine.table import Seat
from storypool.log.memory import MemoryStore
from storypool.log.store import Append
from storypool.web.access import mint
from storypool.web.server_settings import Limits, Rate
from tests.browsers import House, serving

RECORDS = 2000
MOST = 4_000
"""The most function calls of an event loop step: a few milliseconds on any machine."""
# Odds have time on a busy machine: only calls are counted here.
FREE = Limits(client=Rate(1e9, 1e9), session=Rate(1e9, 1e9), odds=60)


class Loop:
    """Counts the calls in each step of a server's event loop."""

    def __init__(self) -> None:
        self.most = 0
        self._calls = 0

    def see(self, frame: FrameType, event: str, arg: object) -> None:
        """Count a call."""
        self._calls += event in ("call", "c_call")

    @contextmanager
    def counted(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """A context that counts steps of all other threads."""
        step, here = events.Handle._run, threading.get_ident()

        def counting(handle: events.Handle) -> None:
            if threading.get_ident() == here:
                step(handle)
                return
            self._calls = 0
            sys.setprofile(self.see)
            try:
                step(handle)
            finally:
                sys.setprofile(None)
                self.most = max(self.most, self._calls)

        with monkeypatch.context() as patched:
            patched.setattr(events.Handle, "_run", counting)
            yield


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with a table that has a long log."""
    store = MemoryStore()
    happened: list[Event] = [
        TableOpened("starwars", "Long", {}),
        SeatTaken(Seat("gm", "Mona", "gm")),
    ]
    happened += [Said("gm", f"And then {n}.") for n in range(RECORDS)]
    store.append(Append("long", 0, records_of(happened, "gm", 0, 1)))
    with serving(
        tmp_path_factory.mktemp("long"), store, lambda: ("starwars", "dune"), limits=FREE
    ) as house:
        yield house


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "",
        "/offers",
        "/odds",
        "/economy",
        "/recap",
        "/recap/whole",
        "/recap.md",
        "/recap.svg",
        "/recap.png",
        "/transcript.md",
        "/sheets",
        "/export",
        "/log?after=0&limit=1000",
        "/log?after=1000&limit=1000",
    ],
)
def test_long_log_does_not_block_the_loop(
    house: House, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """It is read and described in other threads, or in small pieces."""
    gm, loop = house.browser(), Loop()
    gm.post("/api/join", secret=mint(house.store, "device", table="long", seat="gm"), seat="gm")
    gm.get("/api/tables/long")
    with loop.counted(monkeypatch):
        answer = gm.ask("GET", f"/api/tables/long{path}")
    assert 200 == answer.status_code
    assert 0 < loop.most < MOST


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/systems", None),
        ("GET", "/api/systems/starwars", None),
        ("GET", "/api/systems/starwars/reference", None),
        ("GET", "/api/words", None),
        ("GET", "/api/openapi.json", None),
        ("GET", "/api/odds.svg?system=starwars&pool=9+ability+9+difficulty", None),
        (
            "POST",
            "/api/odds",
            {"system": "starwars", "pool": "12 ability 9 proficiency 12 difficulty"},
        ),
        ("POST", "/api/qr", {"text": "https://table.example/join#link=" + "x" * 360}),
        ("POST", "/api/notation", {"system": "starwars", "text": "2 ability 1 boost 2 setback"}),
    ],
)
def test_no_question_blocks_the_loop(
    house: House, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: object
) -> None:
    """On a repeated request a constant answer is made once."""
    browser, loop = house.browser(), Loop()
    assert 200 == browser.ask(method, path, body).status_code
    with loop.counted(monkeypatch):
        assert 200 == browser.ask(method, path, body).status_code
    assert 0 < loop.most < MOST


def test_preview_does_not_block_the_loop(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview's move is decided in another thread."""
    gm, loop = house.browser(), Loop()
    gm.post("/api/join", secret=mint(house.store, "device", table="long", seat="gm"), seat="gm")
    asked = {"move": "adversary.add", "args": {"name": "Thug", "sheet": "brawn=3"}}
    gm.post("/api/tables/long/preview", **asked)
    with loop.counted(monkeypatch):
        assert gm.post("/api/tables/long/preview", **asked)["refused"] is None
    assert 0 < loop.most < MOST / 4


def test_import_does_not_block_the_loop(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is read, judged and stored elsewhere."""
    gm, loop = house.browser(), Loop()
    gm.post("/api/join", secret=mint(house.store, "device", table="long", seat="gm"), seat="gm")
    file = gm.ask("GET", "/api/tables/long/export").content
    with loop.counted(monkeypatch):
        assert 201 == gm.ask("POST", "/api/tables/import", file).status_code
    assert 0 < loop.most < MOST
