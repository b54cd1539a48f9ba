"""The dice of Star Wars against its vectors and those of its family."""

from __future__ import annotations

from typing import Any

import pytest

from storypool.engine.bag import Bag
from storypool.systems.narrative import symbol_dice as narrative
from storypool.systems.narrative.tests.questions import pool
from storypool.systems.starwars.dice import AXES, DICE
from storypool.systems.starwars.dice import FORCE as OWN
from storypool.systems.starwars.tests.questions import FORCE, destiny_pool, force_dice
from tests.vectors import holds, vectors

LETTERS = {"light": "L", "dark": "D"}


@pytest.mark.parametrize(
    "vector", vectors("narrative")["starwars_genesys"], ids=lambda vector: vector["id"]
)
def test_axes_give_the_family_odds(vector: dict[str, Any]) -> None:
    """The family's vectors keep their odds on the axes of this game."""
    holds(vector, pool(vector, {die.name: die for die in DICE}, AXES))


@pytest.mark.parametrize(
    "vector", vectors("starwars")["starwars_force_dice"], ids=lambda vector: vector["id"]
)
def test_force_dice_match_the_vectors(vector: dict[str, Any]) -> None:
    """The game's Force die and axes answer as the vectors do."""
    holds(vector, force_dice(vector, OWN, AXES))


@pytest.mark.parametrize(
    "vector", vectors("starwars")["starwars_destiny_pool"], ids=lambda vector: vector["id"]
)
def test_destiny_pools_match_the_vectors(vector: dict[str, Any]) -> None:
    """The game's Force die gives the destiny pools of the vectors."""
    holds(vector, destiny_pool(vector, OWN, AXES))


def test_force_faces_match_the_vectors() -> None:
    """The Force die has the faces of the vectors in the same order."""
    for expected, face in zip(FORCE.faces, OWN.faces, strict=True):
        assert expected == Bag({LETTERS[symbol]: n for symbol, n in face.items()})


def test_narrative_games_share_dice() -> None:
    """All dice except Force dice are the same objects in both games, so tests hold for both."""
    assert set(narrative.DICE) == {die for die in DICE if die.name != "force"}
