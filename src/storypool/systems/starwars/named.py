"""What tables of odds call by name: that of all narrative dice."""

from storypool.systems.narrative.symbol_dice import NAMED

__all__ = ["NAMED"]
