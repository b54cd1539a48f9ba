"""The odds of a game's pool as a distribution and its outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from storypool import systems
from storypool.bag import Bag
from storypool.odds import Distribution


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What is known of a pool: the joint odds on its axes, and the odds of each outcome."""

    distribution: Distribution
    outcomes: Mapping[str, Fraction]


def reckon(key: str, pool: Bag, terms: Mapping[str, str], against: Bag | None = None) -> Reckoned:
    """The odds of a pool in a game, or of a contest of two; `Refused` says what is not known or too much."""
    answer = systems.odds(key)(pool, terms, against)
    joint = {tuple(row): Fraction(odds) for row, odds in answer["joint"]}
    outcomes = {name: Fraction(odds) for name, odds in answer["outcomes"].items()}
    return Reckoned(Distribution.from_outcomes(answer["axes"], joint), outcomes)
