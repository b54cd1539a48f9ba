"""The guide to games in one file: after each step there is a game whose play holds."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.gamefile.authoring.format_schema import key_lines
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
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
"""Further features of a file: each a title, a file or a piece of one, and a play."""
SEVERAL = re.findall(
    r"^## Several kinds of rolls\n.*?^```toml\n(.*?)^```.*?^```play\n(.*?)^```",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""The game with several actions, and its play."""
WITHOUT = re.findall(
    r"^## (No dice|No GM)\n.*?^```toml\n(.*?)^```.*?^```play\n(.*?)^```",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""The games without dice and without a GM, each with its play."""
BESIDE = re.findall(
    r"^- \[[^]]*\]\(games/(\w+\.game\.toml)\): (.*?)(?=^- |^#)",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""Features of a game of the docs: its file, and the text about it."""


def file_after(n: int) -> str:
    """The contents of the file after this many steps."""
    return "\n".join(text for _, text, _ in STEPS[:n])


def test_guide_has_ten_steps() -> None:
    """Each has a piece of the file and a play."""
    assert len(STEPS) == 10


@pytest.mark.parametrize("n", range(1, 11))
def test_each_step_has_a_game_to_play(n: int) -> None:
    """The file so far is a game in which the step's play holds."""
    system = systems.get(game_files.kept(file_after(n)))
    title, _, play = STEPS[n - 1]
    perform(read(play, title), lambda key, language: system)


def test_result_is_the_game_of_the_docs() -> None:
    """It differs only in its open scene and data of the checks."""
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
def test_further_features_work(title: str, piece: str, play: str) -> None:
    """Each piece, alone or above or below the file, gives a game in which its play holds."""
    parts = (file_after(10), piece) if piece.startswith("[") else (piece, file_after(10))
    text = piece if piece.startswith("format") else "\n".join(parts)
    system = systems.get(game_files.kept(text))
    perform(read(play, title), lambda key, language: system)


def test_game_with_several_actions_works() -> None:
    """Its play holds, and the odds of a save are asked for as the guide says."""
    [(text, play)] = SEVERAL
    game = compiled(text)
    perform(read(play, "several"), lambda key, language: game.system)
    terms = {"action": "save", "danger": "15"}
    assert game.reckon(Question(Bag(d20=1), terms)).outcomes["safe"] == Fraction(6, 20)


@pytest.mark.parametrize(("title", "text", "play"), WITHOUT, ids=[one for one, _, _ in WITHOUT])
def test_games_without_dice_work(title: str, text: str, play: str) -> None:
    """Their plays hold, nothing can be rolled, there are no odds, and no seat is a GM's."""
    game = compiled(text)
    made = perform(read(play, title), lambda key, language: game.system)
    assert "check.roll" not in game.system.by_key
    assert {"odds", "stakes"}.isdisjoint(game.modules)
    assert [] == [panel for panel in game.system.panels if panel.kind in ("odds", "tray")]
    assert game.system.has_gm is (title == "No dice")
    if not game.system.has_gm:
        assert {"player"} == {seat.side for seat in made.table.seats.values()}
        assert [] == [move.key for move in game.system.moves if "gm" in move.by]


def test_every_key_is_shown() -> None:
    """Each key of the format is in the guide, or named with a docs game that uses it."""
    pieces = [*(piece for _, piece, _ in (*STEPS, *FURTHER)), *(text for _, text, _ in WITHOUT)]
    shown = {word for piece in pieces for word in re.findall(r"\w+", piece)}
    for file, about in BESIDE:
        named = set(re.findall(r"`(\w+)`", about))
        used = set(re.findall(r"\w+", (GAMES / file).read_text(encoding="utf-8")))
        assert named <= used, file
        shown |= named
    assert set() == {line.name for _, lines in key_lines() for line in lines} - shown
