"""A file from six answers is a valid game that keeps the contract, whatever they are."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from storypool.contract.checking import check
from storypool.gamefile.authoring.first_draft import FirstAnswers, Reading, first_draft
from storypool.gamefile.compiled import compiled
from storypool.systems import game_files
from tests.fixed_set import cases
from tests.gamefile.conftest import Add

READINGS: tuple[Reading, ...] = get_args(Reading)
ODD = (
    "Harbour",
    '"Quo\\te"\n[x]',
    "Łódź 😀",
    "class",
    "\x7f{}%s",
    "die",
    "42",
    "lambda",
    "move",
    "x" * 40,
)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12, 20])
def test_all_answers_make_a_game(reading: Reading, sides: int) -> None:
    """Letters and signs of names are kept, and none breaks the file."""
    for name in ODD:
        system = compiled(
            first_draft(FirstAnswers(name, sides, reading, points=name, move=name, character=name))
        ).system
        assert (name, name) == (system.name, system.ready[0]["name"])
        assert sides == system.dice[0].sides


@pytest.mark.slow
@pytest.mark.parametrize("games", cases((1, 4), (1,)))
@pytest.mark.parametrize("reading", cases(READINGS, READINGS[:1]))
def test_first_draft_keeps_the_contract(
    reading: Reading, games: int, tmp_path: Path, added: Add
) -> None:
    """Its rows and random games pass, as in `check-game`."""
    file = tmp_path / f"harbour{game_files.ENDING}"
    file.write_text(
        first_draft(
            FirstAnswers("Harbour", 6, reading, points="luck", move="Push on", character="Ilse")
        ),
        encoding="utf-8",
    )
    assert [str(one) for one in check(added(file), games)] == []


@pytest.mark.parametrize("reading", READINGS)
def test_first_draft_has_the_actions_that_are_named(reading: Reading) -> None:
    """Each kind of roll has a button with its title; titles of one key get two."""
    titles = ("Dare it", "Withstand it", "dare it!", "\x7f{}%s")
    answers = FirstAnswers(
        "Harbour", 6, reading, points="luck", move="Push on", character="Ilse", actions=titles
    )
    moves = compiled(first_draft(answers)).system.moves
    declares = [one.title for one in moves if one.key.startswith(("check.declare", "action."))]
    assert list(titles) == declares
