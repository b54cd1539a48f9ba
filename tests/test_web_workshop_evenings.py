"""Evenings of an unfinished game: results, refusals, limits and their end."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from storypool import systems
from storypool.lab.drafts import evening_job
from storypool.systems import game_files
from storypool.web import later_points, workshop_evenings
from tests.browsers import WAIT, House, error_of, serving

GAMES = Path(__file__).parents[1] / "docs" / "games"
NIGHTSHIFT, SUMP = (
    (GAMES / f"{name}{game_files.ENDING}").read_text(encoding="utf-8")
    for name in ("nightshift", "sump")
)
pytestmark = pytest.mark.slow

LINGERS = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
"""A program that prints its process id and runs until it is killed."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A running server with a public workshop and few evenings."""
    monkeypatch.setattr(workshop_evenings, "EVENINGS", 4)
    with serving(tmp_path, workshop=True) as found:
        yield found


def post(house: House, text: str) -> httpx.Response:
    """The answer to an author's request for evenings of a text."""
    headers = {"Origin": house.here}
    return house.client.post("/api/workshop/evenings", json={"text": text}, headers=headers)


def asking(house: House) -> socket.socket:
    """A client that waits for requested evenings."""
    body = json.dumps({"text": NIGHTSHIFT}).encode()
    head = (
        f"POST /api/workshop/evenings HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nOrigin:"
        f" {house.here}\r\n"
    )
    found = socket.create_connection(("127.0.0.1", house.port), WAIT)
    found.sendall(
        f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )
    return found


def running(file: Path) -> bool:
    """Whether the process that wrote this file still runs."""
    number = file.read_text() if file.exists() else ""
    return bool(number) and Path(f"/proc/{number}").exists()


def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end, "it never held"
        time.sleep(0.02)


def test_game_has_default_evenings(house: House) -> None:
    """Each account has a band for each moment, its final numbers and their causes."""
    shown = post(house, NIGHTSHIFT).json()
    assert ("A usual evening", 18, 4, 4) == tuple(
        shown[name] for name in ("title", "actions", "evenings", "wanted")
    )
    pools = {pool["account"]: pool for pool in shown["pools"]}
    assert ["gambit", "heat", "stress"] == list(pools)
    assert {19} == {len(pool["bands"]) for pool in pools.values()}
    flows = {(flow["what"], flow["by"]) for flow in pools["stress"]["flows"]}
    assert ("went up, as a price", "Push yourself") in flows
    # Both players act in turn, and the evening lets the one who acts spend.
    [unspent] = shown["unspent"]
    assert ("Lend a hand", 0) == (unspent["title"], unspent["open"])
    assert unspent["moments"] == unspent["often"] > 0
    assert "Those who act do not help themselves." == unspent["why"]
    assert "nightshift" not in systems.names(), "a text that is played is no game of this server"


def test_evening_of_a_file_is_played(house: House) -> None:
    """The first one is used, with its title, scenes and spends."""
    shown = post(house, SUMP.replace("scenes = 3", "scenes = 1", 1)).json()
    assert ("A usual evening", 6) == (shown["title"], shown["actions"])
    assert ["stress", "harm"] == [pool["account"] for pool in shown["pools"]]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("scenes = 3", "scenes = 3000", "at most 100 actions"),
        ("scenes = 3", "scenes = 'three'", "scenes is a number, not 'three'"),
        ('policy = "gains=0.1"', 'policy = "/tmp/own.py:spend"', "an evening is data"),
        ('policy = "gains=0.1"', 'policy = "solved"', "The policy “solved” is not played here."),
        ("move.push cost", "move.pull cost", "There is no move “move.pull”"),
        ("seat Mona side=gm", "seat Mona side=gmm", "This evening cannot be played"),
        ("format = 1", "format = 2", "Line 1 of the text"),
    ],
)
def test_unplayable_evening_is_refused(house: House, old: str, new: str, why: str) -> None:
    """A sentence explains what is wrong."""
    assert old in SUMP
    assert why in error_of(post(house, SUMP.replace(old, new, 1)), 400)["text"]


def test_slow_evening_is_ended(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process beyond the time limit is killed, and a sentence says so."""
    monkeypatch.setattr(
        workshop_evenings, "COMMAND", (sys.executable, "-c", LINGERS, str(tmp_path / "pid"))
    )
    monkeypatch.setattr(workshop_evenings, "PATIENCE_S", 3)
    assert "more time or memory" in error_of(post(house, NIGHTSHIFT), 413)["text"]
    assert not running(tmp_path / "pid")


def test_memory_of_an_evening_is_limited(house: House) -> None:
    """A process that takes more is ended."""
    greedy = (
        "from storypool.lab.drafts import evening_job as job; job._limit_resources(8);"
        f" bytes({evening_job.MEMORY})"
    )
    done = subprocess.run(
        [sys.executable, "-c", greedy], capture_output=True, text=True, check=False
    )
    assert "MemoryError" in done.stderr


def test_departure_ends_an_evening(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address has one running and one waiting; leaving kills the first, and a third fails."""
    file = tmp_path / "pid"
    monkeypatch.setattr(workshop_evenings, "COMMAND", (sys.executable, "-c", LINGERS, str(file)))
    queue = house.app.state.server.evenings
    first = asking(house)
    until(lambda: running(file))
    process = file.read_text()
    second = asking(house)
    until(lambda: bool(queue._waiting))
    assert "limit" == error_of(post(house, NIGHTSHIFT), 429)["code"]
    first.close()
    until(lambda: file.read_text() not in ("", process))
    assert not Path(f"/proc/{process}").exists()
    second.close()
    until(lambda: not running(file))


def test_missing_lab_is_explained(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lab is an extra, and the answer says that it is missing."""
    monkeypatch.setattr(workshop_evenings, "has_lab", lambda: False)
    assert str(later_points.NO_LAB.text) == error_of(post(house, NIGHTSHIFT), 400)["text"]
