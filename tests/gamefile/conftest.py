"""What the tests of game files share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from storypool import systems

Add = Callable[[str | Path], str]
"""Adds a game by its file, or by the name of one of the docs, and returns its key."""
GAMES = Path(__file__).parents[2] / "docs" / "games"


@pytest.fixture
def added() -> Iterator[Add]:
    """Add games by their files, or by the name of one of the docs, and remove them afterwards."""
    keys: list[str] = []

    def add(file: str | Path) -> str:
        keys.append(systems.added(GAMES / f"{file}.game.toml" if isinstance(file, str) else file))
        return keys[-1]

    yield add
    for key in keys:
        systems.removed(key)
