"""Remembered answers about a table: each is given again until something that it read has
changed.
"""

from storypool.engine.recall.noting import judged, kept_in, question
from storypool.engine.recall.recalling import Memory

__all__ = ["Memory", "judged", "kept_in", "question"]
