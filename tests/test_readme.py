"""The examples of the README and of the guides to the odds run as written, and what the README points at is there."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.removeprefix("$ ") for line in README.splitlines() if line.startswith("$ storypool")]


@pytest.mark.parametrize("page", ["README.md", "docs/odds.md", "docs/odds-cookbook.md"])
def test_the_library_examples_are_true(page: str) -> None:
    """Every Python example of the page gives what the page says."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    assert test.examples, f"{page} has lost its examples"
    assert doctest.TestResults(0, len(test.examples)) == doctest.DocTestRunner().run(test)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_works(command: str) -> None:
    """Every command of the README's tour of the terminal runs, and says something."""
    words = shlex.split(command)[1:]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "storypool.cli", *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.strip()


def test_there_are_commands_to_try() -> None:
    """The README shows the terminal at work."""
    assert len(COMMANDS) >= 4


def test_what_the_readme_points_at_is_there() -> None:
    """Every link and picture of the README is a file of this project."""
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [] == [target for target in targets if not target.startswith("http") and not (ROOT / target).exists()]


def test_the_two_commands_stand_first() -> None:
    """The first screen of the README shows a picture and the two commands."""
    first = "\n".join(README.splitlines()[:24])
    assert all(part in first for part in ("python3 dev.py run", "python3 dev.py test", "![", "docs/screens/"))
