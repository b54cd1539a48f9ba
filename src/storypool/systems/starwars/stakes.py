"""What the odds of an open check are."""

from storypool.systems.narrative.stakes import further, question

__all__ = ["further", "question"]
