"""The example game of the docs: it is what the page says, keeps every promise, and needs nothing
but its folder.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixed_set import cases
from tests.installed_games import EXAMPLE, example
from tools import example as tool

ROOT = Path(__file__).parent.parent
GAME = EXAMPLE / "lantern"
TRIED = '{"dread.dim", "pool.add", "proposal.accept"}'
"""The moves that the example says change dice."""


def output(place: Path, *words: str, ends: int = 0) -> str:
    """What the terminal says in a process of its own, where the example is installed; its type
    checker is silent.
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(place)])}
    command = [sys.executable, "-W", "error", "-m", *words]
    done = subprocess.run(command, env=env, cwd=place, capture_output=True, text=True)
    assert (ends, "") == (done.returncode, done.stderr), done.stdout
    return done.stdout


def test_the_page_holds_the_code_of_the_example() -> None:
    """Each block of the page is as its file has it; if not, run `python -m tools.example`."""
    text = tool.PAGE.read_text(encoding="utf-8")
    assert tool.page(text) == text


@pytest.mark.parametrize("file", sorted(GAME.glob("*.py")), ids=lambda file: file.name)
def test_the_walk_leaves_nothing_out(file: Path) -> None:
    """Every function and every table of the example stands on the page."""
    text, source = tool.PAGE.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")
    shown = [
        ast.get_source_segment(source, node) for node in ast.parse(source).body if tool.named(node)
    ]
    assert [] == [segment for segment in shown if segment is None or segment not in text]


def test_the_example_and_its_file_have_the_same_rules() -> None:
    """Each play of the example is one of the file too: the same dice come to the same."""

    def rolls(play: Path) -> list[str]:
        return re.findall(r" (dice .*=> .*)", play.read_text(encoding="utf-8"))

    plays = sorted((GAME / "plays").glob("*.play"))
    for play in plays:
        assert rolls(ROOT / "docs" / "games" / "lanternlight" / "plays" / play.name) == rolls(
            play
        ), play.name
    assert any(map(rolls, plays))


@pytest.mark.slow
@pytest.mark.parametrize("games", cases((2, 30), (2,)))
def test_the_example_keeps_every_promise(games: int, tmp_path: Path) -> None:
    """Its rows, its plays, random play and its reference page hold: the page's own command finds
    nothing wrong.
    """
    example(tmp_path)
    assert "keeps every promise" in output(
        tmp_path, "storypool.cli", "check-game", "lantern", "--games", f"{games}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "message"),
    [
        (
            '{"pool.add", "proposal.accept"}',
            (
                r"lantern, seed \d+, try \d+ of 150, .*dread\.dim changed what .* rolls, and"
                r" `TRIED` .* add it"
            ),
        ),
        (
            '{"dread.dim", "pool.ad"}',
            r"stakes\.py: `TRIED` names the move “pool\.ad”, which does not exist",
        ),
    ],
)
def test_what_is_tried_is_what_changes_dice(named: str, message: str, tmp_path: Path) -> None:
    """A move that changes dice and is not named is reported, and so is a name that is none."""
    stakes = example(tmp_path) / "stakes.py"
    source = stakes.read_text(encoding="utf-8")
    assert TRIED in source
    stakes.write_text(source.replace(TRIED, named), encoding="utf-8")
    assert re.search(
        message, output(tmp_path, "storypool.cli", "check-game", "lantern", "--games", "4", ends=1)
    )


@pytest.mark.slow
def test_the_example_is_typed(tmp_path: Path) -> None:
    """The strict type checker finds nothing, so a maker of games has one to rely on."""
    example(tmp_path)
    assert "Success" in output(tmp_path, "mypy", "--strict", "lantern")


@pytest.mark.slow
def test_the_example_rolls_and_reckons(tmp_path: Path) -> None:
    """A roll is read in its words, and a push raises the odds of three dice by just what the dice
    say.
    """
    example(tmp_path)
    rolled = output(tmp_path, "storypool.cli", "roll", "lantern", "3L", "--faces", "6 2 1")
    assert "The light holds (1)." in rolled
    assert "91/216" in output(tmp_path, "storypool.cli", "odds", "lantern", "3L", "--json")
    assert "3635/5832" in output(
        tmp_path, "storypool.cli", "odds", "lantern", "3L", "push=yes", "--json"
    )
