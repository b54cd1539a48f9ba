"""The people of this game for encounters, and their chances in a conflict."""

from storypool.systems.c2d10.people.balance import attacks, hits
from storypool.systems.c2d10.people.casting import CASTING

SCORES = True
"""The sides collect progress, and each is one target."""

__all__ = ["CASTING", "SCORES", "attacks", "hits"]
