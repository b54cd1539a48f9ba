"""The reference of a game in a file: its rows in words."""

from __future__ import annotations

import re

import pytest

from storypool import systems
from storypool.cli.reference import reference
from storypool.engine.game.kit import Note
from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.paper.rows_in_words import RowsInWords
from tests.gamefile.conftest import GAMES, Add

RAW = re.compile(r"\{\w*\}|==|>=|<=|\b\w+_\w+\b|'\w+'|\w\(")
"""What no reader of a reference writes: braces, expressions, keys."""


def notes(key: str) -> dict[str, Note]:
    """The notes of a game by title."""
    return {note.title: note for note in systems.get(key).notes}


@pytest.mark.parametrize(
    "name", sorted(path.name.partition(".")[0] for path in GAMES.glob("*.toml"))
)
def test_reference_has_no_raw_keys(added: Add, name: str) -> None:
    """No note of a game of the docs has an expression, braces or a key."""
    for note in notes(added(name)).values():
        for text in (note.text, *(cell for row in note.rows for cell in row)):
            assert not RAW.search(re.sub("`[^`]*`", "", text)), text


def test_reference_has_each_action_with_its_ladder(added: Add) -> None:
    """Questions, dice and results stand with the action that they belong to."""
    found = notes(added("kelpwater"))
    save = found["Withstand it"]
    assert "- Asked: How much worse is it? (0 to 10; the GM decides)" in save.text
    assert "- Rolled: 1 d20\n" in save.text
    assert ("You withstand it, with ….", "there is at least 1 success") == save.rows[0]
    assert ("You do it.", "total is at least 10") == found["Fulfil an oath"].rows[0]
    whenever = found["What follows automatically"].rows
    assert (
        "The end of “Withstand it”, if there is at least 1 disaster",
        "Lose salt equal to “How much worse is it?” plus 1.",
    ) == whenever[1]


def test_reference_has_moves_and_tables_of_effects(added: Add) -> None:
    """A move has its people, its time and its price; an effect its numbers and what it does."""
    page = reference(systems.get(added("sump")))
    assert "| Push on | who acts, after the roll, once an action |" in page
    assert "| 8–9 | You drop what you hold, and it is gone. Gain 1 stress. |" in page
    assert "| 11+ | You flee, wherever it leads, and hurt yourself. Gain 1 harm. " in page
    assert "| harm | each character's | 0 | Body plus 2 |" in page


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("stress + 1", "stress plus 1"),
        ("2 * (body - 1)", "2 times (Body minus 1)"),
        ("max(1, min(5, nerve))", "Nerve, at most 5, at least 1"),
        ("body if stress > 1 else 0", "Body if there are at least 2 stress, else 0"),
        ("dice(fear)", "the number of stress dice in the pool"),
        (
            "six == 1 or not (one > 0 and harm < 2)",
            "there is exactly 1 six or not (there is at"
            " least 1 one and there are less than 2 harm)",
        ),
        ("outcome == 'failed'", "the result is “You do not do it, and the cave has its way”"),
    ],
)
def test_expressions_are_put_into_words(added: Add, expression: str, words: str) -> None:
    """An expression reads as its names are called, with agreeing numbers."""
    game = systems.file_behind(added("sump"))
    assert game is not None
    assert words == RowsInWords(Rules(game.game)).value(parse(expression))
