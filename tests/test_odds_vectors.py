"""Vectors of games and families: exact odds from elsewhere, each key held by a question."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from tests.vectors import NO_ODDS, Answers, Questions, holds, vectors

FOLDERS = sorted(
    file.parent.parent.name
    for place in systems.__path__
    for file in Path(place).glob("*/vectors/odds.json")
)
CASES = [
    pytest.param(folder, group, vector, id=vector["id"])
    for folder in FOLDERS
    for group, listed in vectors(folder).items()
    if group not in NO_ODDS
    for vector in listed
]
MADE_UP = {
    "id": "made up",
    "pool": {"die": 1},
    "results": {"p_six": "1/6"},
    "distribution": {"6": "1/6", "1": "5/6"},
}
ANSWERS: Answers = {
    "p_six": Fraction(1, 6),
    "distribution": {"1": Fraction(5, 6), "6": Fraction(1, 6)},
}


def questions(folder: str) -> Questions:
    """The questions of a folder's vectors, by group."""
    asked: Questions = import_module(f"storypool.systems.{folder}.tests.questions").QUESTIONS
    return asked


@pytest.mark.parametrize(("folder", "group", "vector"), CASES)
def test_joint_odds_match_every_vector_key(folder: str, group: str, vector: dict[str, Any]) -> None:
    """A pool's joint odds give all numbers of the vectors, even whole distributions."""
    asked = questions(folder)
    assert group in asked, (
        f"QUESTIONS of systems/{folder}/tests/questions.py lacks “{group}” of vectors/odds.json"
    )
    holds(vector, asked[group](vector))


def test_vectors_exist() -> None:
    """Vectors have unique ids and are found, so no run is green for lack of a folder."""
    ids = [case.id for case in CASES]
    assert len(ids) > 100
    assert len(ids) == len(set(ids))


def test_right_answer_holds() -> None:
    """Every key with its value satisfies a vector in any order."""
    holds(MADE_UP, ANSWERS)


def test_unknown_vector_key_is_noticed() -> None:
    """A key without a question fails, so that none passes unread."""
    with pytest.raises(AssertionError, match="keys without a question"):
        holds({**MADE_UP, "p_new": "1/2"}, ANSWERS)


def test_wrong_vector_number_is_noticed() -> None:
    """A distribution with one wrong result fails."""
    with pytest.raises(AssertionError, match="distribution"):
        holds({**MADE_UP, "distribution": {"6": "1/9", "1": "5/6"}}, ANSWERS)
