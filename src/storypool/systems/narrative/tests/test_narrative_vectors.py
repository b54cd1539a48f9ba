"""The narrative dice against the vectors of the family."""

from __future__ import annotations

from typing import Any

import pytest

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.systems.narrative.symbol_dice import AXES, DICE
from storypool.systems.narrative.tests.questions import DICE as FACES
from storypool.systems.narrative.tests.questions import pool
from tests.vectors import holds, vectors

LETTERS = {
    "success": "S",
    "advantage": "A",
    "failure": "F",
    "threat": "T",
    "triumph": "R",
    "despair": "X",
}


@pytest.mark.parametrize(
    "vector", vectors("narrative")["starwars_genesys"], ids=lambda vector: vector["id"]
)
def test_family_dice_match_the_vectors(
    vector: dict[str, Any],
) -> None:
    """The family's dice, on its axes, answer every question as the vectors do."""
    holds(vector, pool(vector, {die.name: die for die in DICE}, AXES))


@pytest.mark.parametrize("die", DICE, ids=lambda die: die.name)
def test_family_faces_match_the_vectors(die: Die) -> None:
    """Each die has the faces of the vectors in the same order."""
    for expected, face in zip(FACES[die.name].faces, die.faces, strict=True):
        assert expected == Bag({LETTERS[symbol]: n for symbol, n in face.items()})


def test_vectors_cover_the_dice() -> None:
    """The dice of the vectors are those of the family."""
    assert set(FACES) == {die.name for die in DICE}
