"""Every game's odds against an enumeration by its own `tests/enumerated.py`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from itertools import islice
from typing import Protocol, cast

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import OddsShown, Question
from tests.enumerated import Request, Rolled, faces, singles
from tests.fixed_set import cases
from tests.games_with_odds import TELLING

MAX_ROLLS = 5000
"""The most combinations of one side's dice."""


class Rolling(Protocol):
    """The requests and enumeration of a game in these tests."""

    def asked(self, key: str, draw: random.Random) -> Iterator[Request]:
        """An endless series of requests."""
        ...

    def rolled(self, key: str, request: Request) -> Rolled:
        """The results of every face rolled once."""
        ...


def rolling(key: str) -> Rolling:
    """A game's requests and enumeration, which a game with odds must have."""
    return cast(Rolling, import_module(f"{systems.package(key)}.tests.enumerated"))


def requests(key: str) -> Iterator[Request]:
    """An endless series of different requests, each small enough to enumerate."""
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


def answer(key: str, request: Request) -> OddsShown:
    """The odds as shown on every surface."""
    return systems.odds(key).reckon(Question(request.pool, request.terms, request.against)).plain()


@pytest.mark.slow
@pytest.mark.parametrize("n", cases((400, 2000), (400,)))
@pytest.mark.parametrize("key", TELLING)
def test_odds_match_the_enumeration(key: str, n: int) -> None:
    """Many pools, alone and in contests, have the rows and outcomes of every face."""
    asked = tuple(islice(requests(key), n))
    assert len(asked) == n
    for request in asked:
        shown, rolled = answer(key, request), rolling(key).rolled(key, request)
        assert dict(rolled.joint) == {tuple(row): Fraction(odds) for row, odds in shown["joint"]}, (
            request
        )
        assert dict(rolled.outcomes) == {
            name: Fraction(odds) for name, odds in shown["outcomes"].items()
        }, request
