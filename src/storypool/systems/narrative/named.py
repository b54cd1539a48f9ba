"""What tables of odds call by name: the dice behind numbers of a sheet."""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.systems.narrative.sheet import skilled


def skill(characteristic: int, rank: int) -> Bag:
    """The dice of whoever acts with this characteristic and this rank."""
    return skilled(characteristic, rank)


def opposed(characteristic: int, rank: int) -> Bag:
    """The dice that an opponent's characteristic and rank put into the pool of whoever acts."""
    return skilled(characteristic, rank, "difficulty", "challenge")


NAMED = {"skill": skill, "opposed": opposed}
