"""Odds of this game's pools."""

from __future__ import annotations

from storypool.odds.question import Question, Reckoned
from storypool.systems.genesys.dice import AXES, DICE
from storypool.systems.narrative import odds


def reckon(question: Question) -> Reckoned:
    """The exact odds of a pool; `Refused` for a term that is not known, and for too many dice."""
    return odds.reckoned("genesys", question, DICE, AXES)
