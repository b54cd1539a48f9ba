"""The vectors of games and families: exact odds that were computed elsewhere, each key of each held
by a question.
"""

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
    """What the vectors of a folder ask, by group."""
    asked: Questions = import_module(f"storypool.systems.{folder}.tests.questions").QUESTIONS
    return asked


@pytest.mark.parametrize(("folder", "group", "vector"), CASES)
def test_every_key_of_every_vector_is_the_exact_answer_of_the_joint_odds(
    folder: str, group: str, vector: dict[str, Any]
) -> None:
    """The joint odds of a pool give every number that the vectors hold for it, whole distributions
    included.
    """
    asked = questions(folder)
    assert group in asked, (
        f"QUESTIONS of systems/{folder}/tests/questions.py lacks “{group}” of vectors/odds.json"
    )
    holds(vector, asked[group](vector))


def test_there_are_vectors() -> None:
    """Vectors are found, each under an id of its own, so that no run is green because a folder was
    not.
    """
    ids = [case.id for case in CASES]
    assert len(ids) > 100
    assert len(ids) == len(set(ids))


def test_a_right_answer_holds() -> None:
    """Every key with its value, in any order, is what a vector wants."""
    holds(MADE_UP, ANSWERS)


def test_an_unknown_key_in_a_vector_is_noticed() -> None:
    """A key that no question answers fails, so that a vector with a new key cannot pass unread."""
    with pytest.raises(AssertionError, match="keys without a question"):
        holds({**MADE_UP, "p_new": "1/2"}, ANSWERS)


def test_a_wrong_number_in_a_vector_is_noticed() -> None:
    """A whole distribution that differs in one result fails."""
    with pytest.raises(AssertionError, match="distribution"):
        holds({**MADE_UP, "distribution": {"6": "1/9", "1": "5/6"}}, ANSWERS)
