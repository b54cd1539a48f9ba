"""Odds of this game's pools and contests."""

from storypool.odds.question import Question, Reckoned
from storypool.systems.twod20 import odds


def reckon(question: Question) -> Reckoned:
    """The exact odds of a pool or a contest; `Refused` for an unknown term or one out of bounds."""
    return odds.reckoned("dune", question)
