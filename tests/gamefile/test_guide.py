"""The guide to games on one page: after each of its steps there is a game, and its play holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from storypool import systems
from storypool.gamefile.authoring.format_schema import key_lines
from storypool.gamefile.compiled import compiled
from storypool.play import perform, read
from storypool.systems import game_files
from tests.gamefile.conftest import GAMES

GUIDE = Path(__file__).parents[2] / "docs" / "a-game-on-one-page.md"
STEPS = re.findall(
    r"^## \d+\. (.*?)\n.*?^```toml\n(.*?)^```.*?^```play\n(.*?)^```",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
FURTHER = re.findall(
    r"^### (.*?)\n.*?^```toml\n(.*?)^```.*?^```play\n(.*?)^```",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""What else a file can say: each a title, a piece of a file, and a play."""
BESIDE = re.findall(
    r"^- \[[^]]*\]\(games/(\w+\.game\.toml)\): (.*?)(?=^- |^#)",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""What a game of the docs shows: its file, and the words about it."""


def file_after(n: int) -> str:
    """What stands in the file after so many steps."""
    return "\n".join(text for _, text, _ in STEPS[:n])


def test_there_are_ten_steps() -> None:
    """Each has a piece of the file and a play."""
    assert len(STEPS) == 10


@pytest.mark.parametrize("n", range(1, 11))
def test_after_each_step_there_is_something_to_play(n: int) -> None:
    """The file so far is a game, in which the play of the step holds."""
    system = systems.get(game_files.kept(file_after(n)))
    title, _, play = STEPS[n - 1]
    perform(read(play, title), lambda key, language: system)


def test_the_whole_is_the_game_of_the_docs() -> None:
    """But for its scene under way and what the checks must know."""
    whole = compiled((GAMES / "nightshift.game.toml").read_text(encoding="utf-8")).game
    taught = compiled(file_after(10)).game
    for one in (
        "dice",
        "sheet",
        "points",
        "trait",
        "action",
        "outcome",
        "move",
        "whenever",
        "character",
        "npc",
    ):
        assert getattr(whole, one) == getattr(taught, one), one


@pytest.mark.parametrize(
    ("title", "piece", "play"), FURTHER, ids=[title for title, _, _ in FURTHER]
)
def test_what_else_a_file_can_say_holds(title: str, piece: str, play: str) -> None:
    """Each piece makes a game of the whole file, above it or below it, in which its play holds."""
    parts = (file_after(10), piece) if piece.startswith("[") else (piece, file_after(10))
    system = systems.get(game_files.kept("\n".join(parts)))
    perform(read(play, title), lambda key, language: system)


def test_every_key_is_shown() -> None:
    """A key of the format is in a piece of the guide, or is named beside a game of the docs that
    has it.
    """
    shown = {word for _, piece, _ in (*STEPS, *FURTHER) for word in re.findall(r"\w+", piece)}
    for file, about in BESIDE:
        named = set(re.findall(r"`(\w+)`", about))
        used = set(re.findall(r"\w+", (GAMES / file).read_text(encoding="utf-8")))
        assert named <= used, file
        shown |= named
    assert set() == {line.name for _, lines in key_lines() for line in lines} - shown
