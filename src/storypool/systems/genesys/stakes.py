"""The odds of an open check."""

from functools import partial

from storypool.systems.genesys.dice import NOTATION
from storypool.systems.narrative import stakes
from storypool.systems.narrative.stakes import further, question

TRIED = stakes.TRIED | {"story.talent", "story.upgrade"}

scene = partial(stakes.scene, "genesys", NOTATION, "players=3 gm=3")

__all__ = ["TRIED", "further", "question", "scene"]
