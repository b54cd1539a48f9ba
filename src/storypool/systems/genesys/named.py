"""What tables of odds call by name: that of all narrative dice."""

from __future__ import annotations

from storypool.systems.narrative.dice import NAMED

__all__ = ["NAMED"]
