"""Dune, and by option other games of the 2d20 family. Not affiliated with any publisher or owner of the setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storypool.systems.dune.game import SYSTEM

__all__ = ["SYSTEM"]


def __getattr__(name: str) -> object:
    # Rolling and odds need the dice alone, so the moves are imported when somebody asks for the game.
    if name == "SYSTEM":
        from storypool.systems.dune.game import SYSTEM

        return SYSTEM
    raise AttributeError(name)
