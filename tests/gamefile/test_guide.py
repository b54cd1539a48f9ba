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
CHAPTERS = re.findall(
    r"^## Chapter \d\. (.*?)\n.*?^```toml\n(.*?)^```.*?^```play\n(.*?)^```",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""The chapters after the steps: each a title, a file or what it adds to the last, and a play."""
BESIDE = re.findall(
    r"^- \[[^]]*\]\(games/(\w+\.game\.toml)\): (.*?)(?=^- |^#)",
    GUIDE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""Features of a game of the docs: its file, and the text about it."""


def file_after(n: int) -> str:
    """The contents of the file after this many steps."""
    return "\n".join(text for _, text, _ in STEPS[:n])


def chapter_after(n: int) -> str:
    """The contents of the file after this many chapters: the last game that begins."""
    texts = [text for _, text, _ in CHAPTERS[:n]]
    begins = max(n for n, text in enumerate(texts) if text.startswith("format"))
    return "\n".join(texts[begins:])


def test_guide_has_ten_steps_and_four_chapters() -> None:
    """Each has a piece of the file and a play."""
    assert (10, 4) == (len(STEPS), len(CHAPTERS))


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


@pytest.mark.parametrize("n", range(1, 5))
def test_each_chapter_has_a_game_to_play(n: int) -> None:
    """The file so far is a game in which the chapter's play holds; it has odds, or no dice."""
    game = compiled(chapter_after(n))
    title, _, play = CHAPTERS[n - 1]
    perform(read(play, title), lambda key, language: game.system)
    assert ("check.roll" not in game.system.by_key) is (title == "No dice")
    assert {"odds", "stakes"}.isdisjoint(game.modules) is (title == "No dice")
    shown = {panel.kind for panel in game.system.panels}
    assert {"odds", "tray"}.isdisjoint(shown) is (title == "No dice")


def test_odds_of_one_of_several_actions() -> None:
    """The odds of a save are asked for as the guide says."""
    terms = {"action": "save", "danger": "15"}
    odds = compiled(chapter_after(1)).reckon(Question(Bag(d20=1), terms))
    assert Fraction(6, 20) == odds.outcomes["safe"]


def test_game_without_a_gm_has_only_players() -> None:
    """No seat and no move of it is a GM's."""
    text, play = next((text, play) for title, text, play in FURTHER if title == "No GM")
    system = compiled(text).system
    made = perform(read(play, "No GM"), lambda key, language: system)
    assert not system.has_gm
    assert {"player"} == {seat.side for seat in made.table.seats.values()}
    assert [] == [move.key for move in system.moves if "gm" in move.by]


def test_every_key_is_shown() -> None:
    """Each key of the format is in the guide, or named with a docs game that uses it."""
    pieces = [piece for _, piece, _ in (*STEPS, *CHAPTERS, *FURTHER)]
    shown = {word for piece in pieces for word in re.findall(r"\w+", piece)}
    for file, about in BESIDE:
        named = set(re.findall(r"`(\w+)`", about))
        used = set(re.findall(r"\w+", (GAMES / file).read_text(encoding="utf-8")))
        assert named <= used, file
        shown |= named
    assert set() == {line.name for _, lines in key_lines() for line in lines} - shown
