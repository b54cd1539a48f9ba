"""Every game's odds against rolling everything, as the game's own `tests/enumerated.py` does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol, cast

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from tests.case_share import part, tries
from tests.enumerated import Request, Rolled, faces, singles
from tests.games_with_odds import TELLING

REQUESTS = tries(2000)
"""Different questions asked of each game."""

MAX_ROLLS = 5000
"""Ways in which the dice of one side can fall, at the most."""


class Rolling(Protocol):
    """How a game is asked and rolled in these tests."""

    def asked(self, key: str, draw: random.Random) -> Iterator[Request]:
        """Requests without end."""
        ...

    def rolled(self, key: str, request: Request) -> Rolled:
        """What comes up when every face is rolled once."""
        ...


def rolling(key: str) -> Rolling:
    """How this game is asked and rolled; a game that has odds and does not state it fails."""
    return cast(Rolling, import_module(f"{systems.package(key)}.tests.enumerated"))


def requests(key: str) -> Iterator[Request]:
    """So many different requests, each small enough to roll."""
    known: set[object] = set()
    for request in rolling(key).asked(key, random.Random(key)):
        sides = [singles(side) for side in (request.pool, request.against or Bag())]
        rolls = [1, 1]
        for place, side in enumerate(sides):
            for die in side:
                rolls[place] *= len(faces(key, die))
        if max(rolls) <= MAX_ROLLS and request.key() not in known:
            known.add(request.key())
            yield request
        if len(known) == REQUESTS:
            return


def answer(key: str, request: Request) -> dict[str, Any]:
    """The odds as every surface shows them."""
    return systems.odds(key).reckon(Question(request.pool, request.terms, request.against)).plain()


@pytest.mark.slow
@pytest.mark.parametrize("key", TELLING)
def test_odds_are_those_of_rolling_everything(key: str) -> None:
    """Thousands of different pools, alone and in contests, have the rows and outcomes that rolling
    every face gives.
    """
    asked = tuple(requests(key))
    assert len(asked) == REQUESTS
    for request in part(asked):
        shown, rolled = answer(key, request), rolling(key).rolled(key, request)
        assert dict(rolled.joint) == {tuple(row): Fraction(odds) for row, odds in shown["joint"]}, (
            request
        )
        assert dict(rolled.outcomes) == {
            name: Fraction(odds) for name, odds in shown["outcomes"].items()
        }, request
