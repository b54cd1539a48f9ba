"""The names for tables of odds: those of all narrative dice."""

from storypool.systems.narrative.symbol_dice import NAMED

__all__ = ["NAMED"]
