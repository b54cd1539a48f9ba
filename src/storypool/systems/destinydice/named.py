"""What tables of odds call by name: the dice behind a rating on the ladder."""

from storypool.engine.bag import Bag
from storypool.systems.destinydice.dice import mirrored
from storypool.systems.destinydice.sheet import rung

NAMED = {
    # Of a character with this rating; of a task that is as hard; of an opponent, in the pool of the
    # actor.
    "approach": lambda rating: rung(rating).pool,
    "task": lambda rating: Bag(difficulty=rung(rating).difficulty),
    "opponent": lambda rating: mirrored(rung(rating).pool),
}
