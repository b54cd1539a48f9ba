"""Evenings of a game that is being written: what they show, what they refuse, and that each is
bounded and ended.
"""

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
"""A program that says which process it is, and ends only if it is ended."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A running server whose workshop everybody may use; a few evenings are enough for it."""
    monkeypatch.setattr(workshop_evenings, "EVENINGS", 4)
    with serving(tmp_path, workshop=True) as found:
        yield found


def post(house: House, text: str) -> httpx.Response:
    """The answer to an author who has evenings of a text played."""
    headers = {"Origin": house.here}
    return house.client.post("/api/workshop/evenings", json={"text": text}, headers=headers)


def asking(house: House) -> socket.socket:
    """A client that has asked for evenings, and waits for the answer."""
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
    """Wait until something holds."""
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end, "it never held"
        time.sleep(0.02)


def test_a_game_without_evenings_has_usual_ones(house: House) -> None:
    """Its points are listed with a band for each moment, their number in the end, and what moved
    them.
    """
    shown = post(house, NIGHTSHIFT).json()
    assert ("A usual evening", 18, 4, 4) == tuple(
        shown[name] for name in ("title", "actions", "evenings", "wanted")
    )
    pools = {pool["account"]: pool for pool in shown["pools"]}
    assert ["gambit", "heat", "stress"] == list(pools)
    assert {19} == {len(pool["bands"]) for pool in pools.values()}
    flows = {(flow["what"], flow["by"]) for flow in pools["stress"]["flows"]}
    assert ("went up, as a price", "Push yourself") in flows
    assert "nightshift" not in systems.names(), "a text that is played is no game of this server"


def test_the_evening_of_a_file_is_played(house: House) -> None:
    """The first that it brings, with its title, its scenes and its spends."""
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
def test_what_cannot_be_played_is_refused(house: House, old: str, new: str, why: str) -> None:
    """A sentence says what is wrong with an evening."""
    assert old in SUMP
    assert why in error_of(post(house, SUMP.replace(old, new, 1)), 400)["text"]


def test_what_takes_too_long_is_ended(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does not end by itself is ended, and a sentence says so."""
    monkeypatch.setattr(
        workshop_evenings, "COMMAND", (sys.executable, "-c", LINGERS, str(tmp_path / "pid"))
    )
    monkeypatch.setattr(workshop_evenings, "PATIENCE_S", 3)
    assert "more time or memory" in error_of(post(house, NIGHTSHIFT), 413)["text"]
    assert not running(tmp_path / "pid")


def test_too_much_memory_ends_it(house: House) -> None:
    """A process may take so much memory and no more."""
    greedy = (
        "from storypool.lab.drafts import evening_job as job; job._limit_resources(8);"
        f" bytes({evening_job.MEMORY})"
    )
    done = subprocess.run(
        [sys.executable, "-c", greedy], capture_output=True, text=True, check=False
    )
    assert "MemoryError" in done.stderr


def test_who_leaves_ends_it_and_one_is_played_at_a_time(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is played and one waits for an address, a third is refused; where the first leaves, its
    process ends.
    """
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


def test_without_the_lab_there_is_a_sentence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lab is an extra: where it is missing, the answer says so."""
    monkeypatch.setattr(workshop_evenings, "has_lab", lambda: False)
    assert str(later_points.NO_LAB.text) == error_of(post(house, NIGHTSHIFT), 400)["text"]
