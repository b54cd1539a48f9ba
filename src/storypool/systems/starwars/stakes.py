"""The odds of an open check."""

from functools import partial

from storypool.systems.narrative import stakes
from storypool.systems.narrative.stakes import further, question
from storypool.systems.starwars.dice import NOTATION

TRIED = stakes.TRIED | {"destiny.talent", "destiny.upgrade"}

scene = partial(stakes.scene, "starwars", NOTATION, "light=3 dark=3")

__all__ = ["TRIED", "further", "question", "scene"]
