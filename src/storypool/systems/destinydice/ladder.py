"""The ladder of ratings: the dice that somebody rolls, and the Difficulty dice of a task.

Source: seed 002, Approaches and Building Your Die Pool; the rows are in ladder.toml beside this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from storypool.engine.rules import Bag, rows
from storypool.words import Words

LOWEST, HIGHEST = -2, 8
"""The ratings at the two ends of the ladder."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One rating: its name, the pool of somebody who has it, the Difficulty dice of a task that is as hard."""

    key: str
    name: str
    rating: int
    pool: Bag
    difficulty: int

    def title(self, words: Words) -> str:
        """The name with its number: Great (+4)."""
        return words.say("level.rated", name=words[f"rung.{self.key}"], rating=f"{self.rating:+}")


@cache
def rungs() -> Mapping[str, Rung]:
    """Every rung by its key, the lowest first."""
    listed = rows("storypool.systems.destinydice", "ladder")["rung"]
    return {row["key"]: Rung(**{**row, "pool": Bag(row["pool"])}) for row in listed}


def rung(rating: int) -> Rung:
    """The rung of a rating; below the lowest and above the highest, that one.

    >>> rung(3).name, rung(3).pool, rung(-7).key
    ('Good', Bag(skill=2, expertise=1), 'terrible')
    """
    return list(rungs().values())[max(LOWEST, min(rating, HIGHEST)) - LOWEST]
