"""Each environment of `dev.py` made from nothing, without disturbing a server.

It needs an index, so this is part of `dev.py test --all` alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from tests.test_web_replacing import served

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.exhaustive
PREPARES = "import sys, dev; dev.prepare(dev.ROOT, sys.argv[1])"
ANSWERS = {
    "run": (["dev.py", "run", "--help"], "Usage: storypool serve"),
    "test": (["dev.py", "docs", "--help"], "usage: dev.py docs"),
    "bench": (["dev.py", "bench", "none"], "There is no benchmark none"),
    "audit": (["dev.py", "audit", "--help"], "pip-audit"),
    "container": (["-c", PREPARES, "container"], "Making .venv"),
}
"""The command of each lock, and its expected answer."""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clean clone of the current commit."""
    place = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), place], check=True)
    return place


def answer(clone: Path, *words: str) -> str:
    """Python's output for these words in a clone."""
    ran = subprocess.run([sys.executable, *words], cwd=clone, capture_output=True, text=True)
    return ran.stdout + ran.stderr


@pytest.mark.parametrize("name", dev.LOCKS)
def test_command_answers_in_a_clean_clone(clone: Path, name: str) -> None:
    """The environment of each lock is made from nothing, and its program starts."""
    words, expected = ANSWERS[name]
    assert expected in answer(clone, *words)
    assert dev.stamps(clone / ".venv")


def test_server_survives_the_next_environment(clone: Path, tmp_path: Path) -> None:
    """Without an index the old one restarts it; with one, a reload uses the new one."""
    lock = clone / "requirements" / "run.txt"
    answer(clone, *ANSWERS["run"][0])
    (tmp_path / "data").mkdir()
    with served(
        tmp_path / "data", str(clone / ".venv" / "bin" / "storypool"), python=False
    ) as server:
        for index in ("file:///nowhere", None):
            lock.write_text(lock.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
            environ = (
                {"PIP_INDEX_URL": index, "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
                if index
                else {}
            )
            command = [sys.executable, *ANSWERS["run"][0]]
            made = subprocess.run(
                command, cwd=clone, env=os.environ | environ, capture_output=True, text=True
            )
            assert bool(index) == ("The environment before is as it was" in made.stderr), (
                made.stderr
            )
            assert 200 == server.get()
            server.replace()
            assert 200 == server.get()
            running = Path(f"/proc/{server.serving}/cmdline").read_bytes()
            assert os.fsencode((clone / ".venv").resolve()) in running
