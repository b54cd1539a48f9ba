"""Destiny Dice with Fate Accelerated: six open dice by Ewen Cluney, and Fate points. No publisher endorses this."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storypool.systems.destinydice.game import SYSTEM

__all__ = ["SYSTEM"]


def __getattr__(name: str) -> object:
    # Rolling and odds need the dice alone, so the moves are imported when somebody asks for the game.
    if name == "SYSTEM":
        from storypool.systems.destinydice.game import SYSTEM

        return SYSTEM
    raise AttributeError(name)
