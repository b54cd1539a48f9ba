"""The numbers that are read off single dice, and the dice of an empty pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from storypool.gamefile.file_format.thing_rows import column

__all__ = ["EmptyRow", "FigureRow"]


@dataclass(frozen=True, kw_only=True)
class FigureRow:
    """A number that is read off the dice. It has one of its keys."""

    highest: int = column("the sum of this many of the highest dice", "1", 0)
    lowest: int = column("the sum of this many of the lowest dice", "2", 0)
    next: int = column("the number of the highest die after this many", "1", 0)
    left: int = column("the most sides of a die besides this many of the highest", "2", 0)
    against: tuple[str, ...] = column(
        "1 where the dice of `of` win against these, -1 where they lose, 0 in a draw: the highest"
        " are compared, and where they are equal the next; a die wins against none",
        '["foe"]',
        (),
    )
    of: tuple[str, ...] = column("which dice count; all if it is left out", '["light"]', ())
    at: str = column(
        "only dice that are put at this place count. If it is the action's one place, all count"
        " until a die is put there; of several places none counts before that",
        '"goal"',
        "",
    )
    over: int = column("only dice that show more than this count", "1", 0)


@dataclass(frozen=True, kw_only=True)
class EmptyRow:
    """The dice of an empty pool."""

    roll: Mapping[str, int] = column("which dice", "{ light = 2 }")
    figures: Mapping[str, FigureRow] = column(
        "figures that are read otherwise then", "{ best = { lowest = 1 } }", {}
    )
