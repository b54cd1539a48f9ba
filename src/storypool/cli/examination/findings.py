"""Observations: a sentence of the catalogue, its values, and a verdict."""

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
    """An observation that something works."""
    return Observation(Verdict.WELL, Phrase(id, **values))


def note(id: str, /, **values: object) -> Observation:
    """An observation that is good to know."""
    return Observation(Verdict.NOTE, Phrase(id, **values))


def wrong(id: str, /, **values: object) -> Observation:
    """An observation that keeps Storypool from working, with the remedy."""
    return Observation(Verdict.WRONG, Phrase(id, **values))
