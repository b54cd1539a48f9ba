"""What tables of odds call by name: the dice behind a rating on the ladder."""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.systems.destinydice.dice import mirrored
from storypool.systems.destinydice.ladder import rung


def approach(rating: int) -> Bag:
    """The dice of somebody with this rating."""
    return rung(rating).pool


def task(rating: int) -> Bag:
    """The Difficulty dice of a task that is as hard as this rating."""
    return Bag(difficulty=rung(rating).difficulty)


def opponent(rating: int) -> Bag:
    """The dice that an opponent with this rating puts into the pool of whoever acts."""
    return mirrored(rung(rating).pool)


NAMED = {"approach": approach, "task": task, "opponent": opponent}
