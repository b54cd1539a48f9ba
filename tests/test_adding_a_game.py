"""The example game of the docs: it matches the page, keeps the contract and needs only a folder."""

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
"""The example's list of moves that change dice."""


def output(place: Path, *words: str, ends: int = 0) -> str:
    """The terminal's output with the example installed, and silence of its type checker."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(place)])}
    command = [sys.executable, "-W", "error", "-m", *words]
    done = subprocess.run(command, env=env, cwd=place, capture_output=True, text=True)
    assert (ends, "") == (done.returncode, done.stderr), done.stdout
    return done.stdout


def test_page_holds_the_example_code() -> None:
    """Each block matches its file; if not, run `python -m tools.example`."""
    text = tool.PAGE.read_text(encoding="utf-8")
    assert tool.page(text) == text


@pytest.mark.parametrize("file", sorted(GAME.glob("*.py")), ids=lambda file: file.name)
def test_walk_is_complete(file: Path) -> None:
    """Every function and table of the example is on the page."""
    text, source = tool.PAGE.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")
    shown = [
        ast.get_source_segment(source, node) for node in ast.parse(source).body if tool.named(node)
    ]
    assert [] == [segment for segment in shown if segment is None or segment not in text]


def test_example_and_file_have_equal_rules() -> None:
    """Each play of the example also holds for the file, with the same results."""

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
def test_example_keeps_the_contract(games: int, tmp_path: Path) -> None:
    """The page's own command finds no fault in rows, plays, random play or the reference."""
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
def test_tried_moves_change_dice(named: str, message: str, tmp_path: Path) -> None:
    """An unnamed move that changes dice is reported, and so is an unknown name."""
    stakes = example(tmp_path) / "stakes.py"
    source = stakes.read_text(encoding="utf-8")
    assert TRIED in source
    stakes.write_text(source.replace(TRIED, named), encoding="utf-8")
    assert re.search(
        message, output(tmp_path, "storypool.cli", "check-game", "lantern", "--games", "4", ends=1)
    )


@pytest.mark.slow
def test_example_is_typed(tmp_path: Path) -> None:
    """The strict type checker finds nothing, so game authors can rely on it."""
    example(tmp_path)
    assert "Success" in output(tmp_path, "mypy", "--strict", "lantern")


@pytest.mark.slow
def test_example_rolls_and_has_odds(tmp_path: Path) -> None:
    """A roll is read in its words, and a push raises the odds of three dice exactly."""
    example(tmp_path)
    rolled = output(tmp_path, "storypool.cli", "roll", "lantern", "3L", "--faces", "6 2 1")
    assert "The light holds (1)." in rolled
    assert "91/216" in output(tmp_path, "storypool.cli", "odds", "lantern", "3L", "--json")
    assert "3635/5832" in output(
        tmp_path, "storypool.cli", "odds", "lantern", "3L", "push=yes", "--json"
    )
