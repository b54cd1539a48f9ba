"""Odds of a game file as people read them: by labels, while programs get the keys."""

from __future__ import annotations

import json

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.bag import Bag
from storypool.gamefile.compiled import compiled
from storypool.odds.question import Question
from storypool.worth.showing import picture
from tests.gamefile.conftest import GAMES, Write
from tests.gamefile.small_game import HARBOUR
from tests.gamefile.test_several_answers_of_actions import text_of

QUARRY = GAMES / "quarrylane.game.toml"


def printed(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """The output of `storypool odds` for a game of the docs."""
    try:
        assert 0 == main(["odds", *command])
    finally:
        for key in ("quarrylane", "deadair"):
            systems.removed(key)
    return capsys.readouterr().out


def test_terminal_has_labels(capsys: pytest.CaptureFixture[str]) -> None:
    """Terms have their questions and values, figures are in words, and a line has the keys."""
    file = str(GAMES / "deadair.game.toml")
    text = printed(capsys, file, "1 d100", "least=2")
    assert text.startswith("1 d100, Least: 2, Try a skill (assumed), Which skill: 20 (assumed), ")
    last = "terms as they are typed: action=try skill=20 reply=none against=0 held=0 lowered=0"
    assert last == text.strip().rpartition("\n")[2]
    assert "How hard is it: At or under the skill (assumed)" in printed(capsys, file, "1 d100")
    text = printed(capsys, str(QUARRY), "2 d6")
    assert "  spare of two " in text
    assert "spare_of_two" not in text


def test_programs_have_keys(capsys: pytest.CaptureFixture[str]) -> None:
    """The axes, terms and outcomes of JSON are those of the file."""
    found = json.loads(printed(capsys, str(QUARRY), "2 d6", "--json"))
    assert {"spare_of_two", "two"} <= {*found["axes"]}
    assert "spare_of_two" in found["mean"]
    assert {"difficulty": "0", "third": "0"} == found["assumed"]


def test_pictures_have_labels(capsys: pytest.CaptureFixture[str]) -> None:
    """An axis is named by its key, and drawn with its label; so are both axes of a map."""
    command = (str(QUARRY), "3 d6", "--svg", "-")
    axis = ("--axis", "spare_of_two")
    for more in (("--picture", "curve", *axis), ("--picture", "map", *axis, "--axis", "total")):
        drawn = printed(capsys, *command, *more)
        assert "spare of two" in drawn
        assert "spare_of_two" not in drawn
    drawn = printed(capsys, *command, "--compare", "2 d6", *axis)
    assert "spare of two" in drawn
    assert "Difficulty: 0 (assumed)" in drawn


def test_several_answers_and_gone_cards_are_words(write: Write) -> None:
    """Answers have their labels, and cards that are gone the word of their deck."""
    key = write(text_of())
    found = systems.odds(key).reckon(Question(Bag(d6=2), {}))
    assert "Which two: Be quick + Do it finely (assumed)" in picture(found).title
    tide = compiled((GAMES / "saltbell.game.toml").read_text(encoding="utf-8"))
    reckoned = tide.reckon(Question(Bag(tide=2), {"tide.gone": "1-3"}))
    assert "tide cards without 1-3" == reckoned.in_words["tide.gone"]


def test_two_of_one_label_stay_apart(write: Write) -> None:
    """Where the file calls two numbers alike, the later one has its key."""
    shown = 'shown = { best = "Score", total = "Score" }\npool = { d6 = "skill'
    key = write(HARBOUR.replace('pool = { d6 = "skill', shown))
    found = systems.odds(key).reckon(Question(Bag(d6=2), {"bonus": "1"}))
    assert ("Score", "total") == (found.called("best"), found.called("total"))
    assert found.distribution.mean("total") == found.labelled().distribution.mean("total")
    assert found.distribution.mean("best") == found.labelled().distribution.mean("Score")
