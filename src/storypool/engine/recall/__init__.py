"""Answers about a table that are given again for as long as nothing has changed of what they read."""

from storypool.engine.recall.noting import judged, kept_in, question
from storypool.engine.recall.recalling import Memory

__all__ = ["Memory", "judged", "kept_in", "question"]
