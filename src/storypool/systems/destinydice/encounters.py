"""The people of this game for encounters, and their chances in a conflict."""

from storypool.systems.destinydice.fight.balance import attacks, hits
from storypool.systems.destinydice.fight.casting import CASTING

__all__ = ["CASTING", "attacks", "hits"]
