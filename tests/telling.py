"""The games that tell odds, found by looking; a game may leave them out."""

from __future__ import annotations

from typing import Any

from storypool import systems
from storypool.check.brought import brought

TELLING = tuple(key for key in systems.names() if systems.folder(key).joinpath("odds.py").is_file())


def odds_of_check(key: str, part: str) -> Any:
    """A part of `[odds]` in a game's `check.toml`; without it, what to write there."""
    found = brought(key).odds.get(part)
    assert found is not None, f"{key} tells odds: write {part} under [odds] in its check.toml, see storypool.check."
    return found
