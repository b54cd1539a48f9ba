"""Exact odds from elsewhere: their place in a game, and their comparison with our answers.

`vectors/odds.json` of a game, or of a family, has groups of vectors; `tests/questions.py` next to
it has the question of each key. A whole distribution is answered as odds by the text that the
vector uses for a result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

from storypool.odds import Distribution

Vector = Mapping[str, Any]
Answers = dict[str, Fraction | dict[str, Fraction]]
Questions = Mapping[str, Callable[[Vector], Answers]]

FIELDS = {"id", "note", "method", "pool", "players", "results"}
"""The fields of a vector besides results: its subject and its dice."""
NO_ODDS = {"meta", "faces", "economy_traces"}
"""The contents of a file besides groups of vectors."""


def vectors(folder: str) -> dict[str, Any]:
    """The vectors of a game or family, by the name of its folder, or none."""
    file = files(f"storypool.systems.{folder}").joinpath("vectors", "odds.json")
    found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    assert isinstance(found, dict)
    return found


def holds(vector: Vector, answers: Answers) -> None:
    """Check that each key of the vector has exactly its value, or six equal places."""
    keys = {
        **vector["results"],
        **{key: value for key, value in vector.items() if key not in FIELDS},
    }
    assert set() == keys.keys() - answers.keys(), "keys without a question"
    for key, value in keys.items():
        answer = answers[key]
        if key.startswith("approx_"):
            assert isinstance(answer, Fraction)
            assert value == round(float(answer), 6), key
        else:
            assert exact(value) == answer, key


def exact(value: Any) -> Any:
    """A vector's value in the form of answers: fractions, and distributions in any order."""
    if isinstance(value, dict):
        return {result: Fraction(share) for result, share in value.items()}
    return Fraction(value) if isinstance(value, str) else value


def whole(distribution: Distribution, text: str = "{}") -> dict[str, Fraction]:
    """The odds of every result, by the text of its row."""
    return {text.format(*row): share for row, share in distribution.joint()}
