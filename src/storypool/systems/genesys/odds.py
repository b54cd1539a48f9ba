"""Odds of this game's pools."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.bag import Bag
from storypool.systems.answers import Answer
from storypool.systems.genesys.dice import AXES, DICE
from storypool.systems.narrative import odds


def answer(pool: Bag, terms: Mapping[str, str], against: Bag | None = None) -> Answer:
    """The exact odds of a pool as plain data; `Refused` for a term that is not known, and for too many dice."""
    return odds.reckoned("genesys", pool, terms, DICE, AXES, against)
