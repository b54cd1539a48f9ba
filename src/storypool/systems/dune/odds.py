"""Odds of this game's pools."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.bag import Bag
from storypool.systems.answers import Answer
from storypool.systems.twod20 import odds


def answer(pool: Bag, terms: Mapping[str, str], against: Bag | None = None) -> Answer:
    """The exact odds of a pool or a contest as plain data; `Refused` for what is not known or out of bounds."""
    return odds.reckoned("dune", pool, terms, against)
