"""The log as readable sentences: one for each record, and a whole log as a transcript."""

from storypool.engine.story.record_sentences import sentence
from storypool.engine.story.transcripts import sentences, transcript

__all__ = ["sentence", "sentences", "transcript"]
