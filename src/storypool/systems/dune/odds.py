"""Odds of this game's pools."""

from __future__ import annotations

from storypool.odds.question import Question, Reckoned
from storypool.systems.twod20 import odds


def reckon(question: Question) -> Reckoned:
    """The exact odds of a pool or a contest; `Refused` for what is not known or out of bounds."""
    return odds.reckoned("dune", question)
