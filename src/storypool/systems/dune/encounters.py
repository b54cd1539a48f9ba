"""The people of this game for encounters, and their chances in a conflict."""

from storypool.systems.dune.conflict.balance import attacks, hits
from storypool.systems.dune.people.casting import CASTING

__all__ = ["CASTING", "attacks", "hits"]
