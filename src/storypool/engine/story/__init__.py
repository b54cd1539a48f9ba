"""The log as readable sentences: one for each record, and a whole log as a transcript."""

from storypool.engine.story.record_sentences import sentence
from storypool.engine.story.transcripts import (
    StoryLine,
    plain_transcript,
    sentences,
    story_lines,
    title_of,
    transcript,
)

__all__ = [
    "StoryLine",
    "plain_transcript",
    "sentence",
    "sentences",
    "story_lines",
    "title_of",
    "transcript",
]
