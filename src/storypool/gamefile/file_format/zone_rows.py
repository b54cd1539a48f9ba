"""The zones of a game in its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from storypool.gamefile.file_format.thing_rows import column

__all__ = ["ZonesRow"]


@dataclass(frozen=True, kw_only=True)
class ZonesRow:
    """The zones of a scene on a board: the GM lays them out, and characters go between them."""

    row: tuple[str, ...] = column(
        "the zones that the form begins with, each next to the one before",
        '["Deck", "Hold", "Bilge"]',
        (),
    )
    far: int = column(
        "how many zones a character goes at once, in a file with turns while they are taken; 0: any"
        " number",
        "2",
        1,
    )
    once: bool = column(
        "in a file with turns: whether a character goes only once in each round", "true", False
    )
    moved_by: Literal["players", "gm"] = column(
        "whether players move their characters, or propose it to the GM", '"gm"', "players"
    )
    ranges: tuple[str, ...] = column(
        "what the board calls a distance: in the same zone, in the next one, and so on; the last is"
        " for all that are farther",
        '["close by", "in earshot", "far off"]',
        (),
    )
