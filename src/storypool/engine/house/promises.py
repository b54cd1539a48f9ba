"""Dice promised for a later action: they wait as traits, and end when they are rolled."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.events import Event, TraitRemoved
from storypool.engine.game.turn import Turn
from storypool.engine.table import Check

__all__ = ["kept_promises"]


def kept_promises(turn: Turn, check: Check) -> Iterator[Event]:
    """Remove the promises whose dice were rolled in this check; an action that is cancelled leaves them waiting."""
    for mod in check.mods:
        if mod.promise in turn.table.traits:
            yield TraitRemoved(mod.promise, turn.words["promise.kept"])
