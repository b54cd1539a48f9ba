"""The shared vectors: exact odds that were computed elsewhere, each key of each of them held by a question."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.systems.narrative import dice as narrative
from storypool.systems.starwars import dice as starwars
from tests.vectors.questions import QUESTIONS, Answers, starwars_destiny_pool, starwars_force_dice, starwars_genesys

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "odds.json").read_text(encoding="utf-8"))
NO_ODDS = {"meta", "faces", "economy_traces"}
SAID = {"id", "note", "method", "pool", "players", "results"}
"""What a vector says besides results: what it is about, and what was rolled."""

FACES = VECTORS["faces"]
DICE = {
    name: Die(name, tuple(map(Bag, faces)))
    for group in (FACES["starwars"], {"force": FACES["force"]})
    for name, faces in group.items()
}
DESTINY_DICE = {name: Die(name, tuple(map(Bag, faces))) for name, faces in FACES["destiny_dice"].items()}
CASES = [
    pytest.param(group, vector, id=vector["id"])
    for group, vectors in VECTORS.items()
    if group not in NO_ODDS
    for vector in vectors
]
OWN = {
    "starwars_genesys": starwars_genesys,
    "starwars_force_dice": starwars_force_dice,
    "starwars_destiny_pool": starwars_destiny_pool,
}


def exact(value: Any) -> Any:
    """A value of a vector as answers have it: texts as fractions; a whole distribution in any order."""
    if isinstance(value, dict):
        return {result: Fraction(share) for result, share in value.items()}
    return Fraction(value) if isinstance(value, str) else value


def holds(vector: dict[str, Any], answers: Answers) -> None:
    """Every key of the vector is answered, and with exactly its value; an approximation to its six places."""
    keys = {**vector["results"], **{key: value for key, value in vector.items() if key not in SAID}}
    assert set() == keys.keys() - answers.keys(), "keys without a question"
    for key, value in keys.items():
        answer = answers[key]
        if key.startswith("approx_"):
            assert isinstance(answer, Fraction)
            assert value == round(float(answer), 6), key
        else:
            assert exact(value) == answer, key


@pytest.mark.parametrize(("group", "vector"), CASES)
def test_every_key_of_every_vector_is_the_exact_answer_of_the_joint_odds(group: str, vector: dict[str, Any]) -> None:
    """The joint odds of a pool give every number that the vectors hold for it, whole distributions included."""
    holds(vector, QUESTIONS[group](vector, DESTINY_DICE if group == "destiny_dice" else DICE))


@pytest.mark.parametrize(("group", "vector"), [case for case in CASES if case.values[0] in OWN])
def test_the_dice_of_the_game_give_the_same_odds_as_the_faces_of_the_vectors(
    group: str, vector: dict[str, Any]
) -> None:
    """The game's own dice, on its own axes, answer every question about them as the vectors do."""
    holds(vector, OWN[group](vector, {die.name: die for die in starwars.DICE}, starwars.AXES))


@pytest.mark.parametrize("die", starwars.DICE, ids=lambda die: die.name)
def test_the_faces_of_the_game_are_those_of_the_vectors(die: Die) -> None:
    """Each die of the game has the faces of the vectors, in the same order."""
    letters = {
        "success": "S",
        "advantage": "A",
        "failure": "F",
        "threat": "T",
        "triumph": "R",
        "despair": "X",
        "light": "L",
        "dark": "D",
    }
    faces = tuple(Bag({letters[symbol]: n for symbol, n in face.items()}) for face in die.faces)
    assert DICE[die.name].faces == faces


def test_the_narrative_games_share_their_dice() -> None:
    """The dice that are not Force dice are the same objects in both games, so what holds for one holds for both."""
    assert set(narrative.DICE) == {die for die in starwars.DICE if die.name != "force"}


def test_an_unknown_key_in_a_vector_is_noticed() -> None:
    """A key that no question answers fails, so that a vector with a new key cannot pass unread."""
    vector = VECTORS["starwars_genesys"][0]
    with pytest.raises(AssertionError, match="keys without a question"):
        holds({**vector, "p_new": "1/2"}, starwars_genesys(vector, DICE))


def test_a_wrong_number_in_a_vector_is_noticed() -> None:
    """A whole distribution that differs in one result fails."""
    vector = VECTORS["starwars_genesys"][0]
    changed = {**vector["net_success_distribution"], "2": "1/9"}
    with pytest.raises(AssertionError, match="net_success_distribution"):
        holds({**vector, "net_success_distribution": changed}, starwars_genesys(vector, DICE))
