"""The names for tables of odds: the dice of a rating on the ladder."""

from storypool.engine.bag import Bag
from storypool.systems.destinydice.dice import mirrored
from storypool.systems.destinydice.sheet import rung

NAMED = {
    # Of a character with this rating; of an equally hard task; of an opponent in the actor's pool.
    "approach": lambda rating: rung(rating).pool,
    "task": lambda rating: Bag(difficulty=rung(rating).difficulty),
    "opponent": lambda rating: mirrored(rung(rating).pool),
}
