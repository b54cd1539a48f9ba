"""C2D10: pools of ten-sided dice, hero points against villain points. Not affiliated with any publisher."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storypool.systems.c2d10.game import SYSTEM

__all__ = ["SYSTEM"]


def __getattr__(name: str) -> object:
    # Rolling and odds need the dice alone, so the moves are imported when somebody asks for the game.
    if name == "SYSTEM":
        from storypool.systems.c2d10.game import SYSTEM

        return SYSTEM
    raise AttributeError(name)
