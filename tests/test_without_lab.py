"""Server and terminal without the lab: a copy of the package without its folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import storypool
from storypool.words.languages import ENGLISH

pytestmark = pytest.mark.slow
ALONE = {"Sec-Fetch-Site": "same-origin"}
TABLE = {"system": "starwars", "title": "Without", "name": "Kim", "options": {"later": "everybody"}}
MISSING = ENGLISH.program["lab.missing"]


@pytest.fixture(scope="module")
def environ(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables that lead Python only to the copy without the lab."""
    copy = tmp_path_factory.mktemp("copy")
    whole = Path(storypool.__file__).parent
    shutil.copytree(whole, copy / "storypool", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(copy / "storypool" / "lab")
    variables = {**os.environ, "PYTHONPATH": str(copy), "STORYPOOL_DATA": str(copy / "data")}
    found = [sys.executable, "-c", "import storypool; print(storypool.__file__)"]
    assert (
        str(copy)
        in subprocess.run(found, env=variables, capture_output=True, text=True, cwd=copy).stdout
    )
    return variables


@pytest.fixture
def client(environ: dict[str, str], tmp_path: Path) -> Iterator[httpx.Client]:
    """The host's program on a server of the copy."""
    command = [
        sys.executable,
        "-m",
        "storypool.cli",
        "serve",
        "--local",
        "--no-browser",
        "--port",
        "0",
    ]
    process = subprocess.Popen(
        command, env=environ, cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = secret = ""
        while not secret:
            line = process.stdout.readline()
            assert line, "the server ended"
            address = line.split()[-1] if "Storypool is at" in line else address
            secret = line.strip().partition("#host=")[2]
        with httpx.Client(base_url=address, headers=ALONE, timeout=60, trust_env=False) as host:
            assert host.post("/api/join", json={"secret": secret}).is_success
            yield host
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def test_table_is_played_without_the_lab(client: httpx.Client) -> None:
    """Pages, moves and odds work; later worths are unknown, and a sentence says why."""
    assert "text/html" in client.get("/").headers["content-type"]
    table = client.post("/api/tables", json=TABLE).json()
    path, seat = f"/api/tables/{table['table']}", table["seat"]["id"]
    moves = [
        ("session.begin", {}),
        ("points.correct", {"account": "dark", "to": 2, "why": "for the test"}),
        ("destiny.begin", {}),
        ("adversary.add", {"name": "Rusk", "pool": "2 ability 1 proficiency"}),
        ("check.declare", {"as": "rusk", "title": "Slip away", "pool": "2A1P/2D"}),
    ]
    for move, args in moves:
        made = client.post(f"{path}/moves", json={"seat": seat, "move": move, "args": args})
        assert made.is_success, made.text
    odds = client.get(f"{path}/odds", params={"seat": seat})
    assert odds.is_success, odds.text
    assert odds.json()["odds"]
    assert any(row["price"] for row in odds.json()["worth"])
    assert not odds.json()["solving"]
    assert {None} == {row["later"] for row in odds.json()["worth"]}
    assert [True] == [
        one.startswith(MISSING) for one in client.get("/api/session").json()["notices"]
    ]


def test_terminal_reports_the_missing_lab(environ: dict[str, str], tmp_path: Path) -> None:
    """Each lab command ends with one sentence, and others work."""
    for arguments in (["lab", "play", "dune"], ["lab", "solve", "dune"]):
        command = [sys.executable, "-m", "storypool.cli", *arguments]
        done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True)
        assert 2 == done.returncode
        assert MISSING in done.stderr
        assert 1 == done.stderr.count("\n")
    command = [sys.executable, "-m", "storypool.cli", "odds", "dune", "2d20", "target=14"]
    done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True)
    assert 0 == done.returncode
    assert "%" in done.stdout
