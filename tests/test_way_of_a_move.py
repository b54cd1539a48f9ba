"""The path of a move in docs/architecture.md: each function exists, and moves pass in order."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import pytest

from storypool.log.disk.sqlite import SqliteStore
from storypool.web.server_settings import Limits, Rate
from tests.browsers import serving

ROOT = Path(__file__).parent.parent
JS = ROOT / "src" / "storypool" / "web" / "static" / "js"
WALK = (
    (ROOT / "docs" / "architecture.md")
    .read_text(encoding="utf-8")
    .partition("## The way of a move\n")[2]
)

NEVER = (
    "live.cache.Cache.steps",
    "log.disk.sqlite.SqliteStore.read",
    "log.disk.sqlite.SqliteStore.answered",
    "engine.fold.fold_on",
)
"""Repeated work: reading new records, requesting a token before the commit, folding again."""


class Hop(NamedTuple):
    """One hop of the walk: a function and its description."""

    name: str
    text: str


HOPS = [
    Hop(*found)
    for found in re.findall(r"^\d+\. `([^`]+)` (.*)$", WALK.partition("\n## ")[0], re.MULTILINE)
]
SERVED = [hop for hop in HOPS if ".js:" not in hop.name]


def code_of(name: str) -> CodeType:
    """The code of a package's function, by its dotted name."""
    parts = name.split(".")
    depth = next(
        n for n in (2, 3, 4) if not (ROOT / "src" / "storypool" / "/".join(parts[:n])).is_dir()
    )
    module = import_module(".".join(["storypool", *parts[:depth]]))
    function: Callable[..., object] = reduce(getattr, parts[depth:], module)  # type: ignore[assignment]
    return function.__code__


class Trace:
    """The calls of some functions during a recording, in any thread that starts meanwhile."""

    def __init__(self, names: list[str]) -> None:
        self.names = {code_of(name): name for name in names}
        self.calls: list[str] = []
        self.on = False
        self._seen: set[FrameType] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call, but not the resumption of a coroutine."""
        if self.on and event == "call" and frame.f_code in self.names and frame not in self._seen:
            self._seen.add(frame)
            self.calls.append(self.names[frame.f_code])

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record calls from here on."""
        self.on = True
        try:
            yield
        finally:
            self.on = False


@pytest.fixture
def trace() -> Iterator[Trace]:
    """A trace of the walk's functions and of those that must not occur in it."""
    made = Trace([*(hop.name for hop in SERVED), *NEVER])
    threading.setprofile(made)
    yield made
    threading.setprofile(None)


def test_walk_is_numbered_and_short() -> None:
    """Hops are numbered from 1 without a gap, up to this limit."""
    numbers = [int(n) for n in re.findall(r"^(\d+)\. `", WALK.partition("\n## ")[0], re.MULTILINE)]
    assert list(range(1, 23)) == numbers
    assert 22 == len({hop.name for hop in HOPS})


@pytest.mark.parametrize(
    "hop", [hop for hop in HOPS if hop not in SERVED], ids=lambda hop: hop.name
)
def test_page_has_this_function(hop: Hop) -> None:
    """The walk's function of the page is at the stated place."""
    module, _, name = hop.name.partition(":")
    assert re.search(
        rf"^(export )?(async )?function {name}\(|^  #?{name}\(",
        (JS / module).read_text("utf-8"),
        re.M,
    )


def test_move_follows_the_walk(trace: Trace, tmp_path: Path) -> None:
    """A running server's move passes each function once, or once a record, in this order."""
    store = SqliteStore(tmp_path / "data")
    free = replace(Limits(), client=Rate(1e9, 1e9), session=Rate(1e9, 1e9))
    with serving(tmp_path, store, limits=free) as house:
        party = house.table()
        with party.bo.live(party.id) as socket:
            before = socket.follow(0)["seq"]
            socket.hear("presence")
            with trace.recording():
                body = {"move": "table.say", "args": {"text": "Hello"}, "token": "once"}
                made = party.ann.post(f"{party.path}/moves", **body)
                socket.records(made["seq"])
    store.close()
    records = made["seq"] - before
    assert 2 == records
    assert [hop.name for hop in SERVED] == list(dict.fromkeys(trace.calls))
    times = {hop.name: records if "once for each record" in hop.text else 1 for hop in SERVED}
    assert times == dict(Counter(trace.calls))
