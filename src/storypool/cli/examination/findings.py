"""What was found: an id of the catalogue, the values of its blanks, and whether it is as it should
be.
"""

from enum import StrEnum
from typing import NamedTuple

from storypool.words import Phrase


class Verdict(StrEnum):
    """Whether something works, is good to know, or keeps Storypool from working."""

    WELL = "well"
    NOTE = "note"
    WRONG = "wrong"


class Observation(NamedTuple):
    """One sentence about this machine."""

    state: Verdict
    phrase: Phrase


def well(id: str, /, **values: object) -> Observation:
    """Return a finding that something works."""
    return Observation(Verdict.WELL, Phrase(id, **values))


def note(id: str, /, **values: object) -> Observation:
    """Return a finding that is good to know."""
    return Observation(Verdict.NOTE, Phrase(id, **values))


def wrong(id: str, /, **values: object) -> Observation:
    """Return a finding that keeps Storypool from working, with what to do about it."""
    return Observation(Verdict.WRONG, Phrase(id, **values))
