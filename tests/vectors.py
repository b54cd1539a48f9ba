"""Exact odds that were computed elsewhere: where a game keeps them, and how they are held against
our answers.

`vectors/odds.json` of a game, or of a family, has groups of vectors; `tests/questions.py` beside it
says what each key of a group asks. A whole distribution is answered as the odds by the text that
the vector uses for a result.
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
"""What a vector says besides results: what it is about, and what was rolled."""
NO_ODDS = {"meta", "faces", "economy_traces"}
"""What stands in a file besides groups of vectors."""


def vectors(folder: str) -> dict[str, Any]:
    """The vectors of a game or a family, by the name of its folder; none where it keeps none."""
    file = files(f"storypool.systems.{folder}").joinpath("vectors", "odds.json")
    found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    assert isinstance(found, dict)
    return found


def holds(vector: Vector, answers: Answers) -> None:
    """Every key of the vector is answered, and with exactly its value; an approximation to its six
    places.
    """
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
    """A value of a vector as answers have it: texts as fractions; a whole distribution in any
    order.
    """
    if isinstance(value, dict):
        return {result: Fraction(share) for result, share in value.items()}
    return Fraction(value) if isinstance(value, str) else value


def whole(distribution: Distribution, text: str = "{}") -> dict[str, Fraction]:
    """The odds of every result, by the text of its row."""
    return {text.format(*row): share for row, share in distribution.joint()}
