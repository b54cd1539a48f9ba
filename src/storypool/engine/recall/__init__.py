"""Answers about a table that are given again for as long as nothing has changed of what they read."""

from storypool.engine.recall.noting import question
from storypool.engine.recall.recalling import Memory

__all__ = ["Memory", "question"]
