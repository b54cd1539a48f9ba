"""Fixtures of the tests of game files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from storypool import systems
from storypool.engine.game.system import System
from storypool.gamefile import Mistake, Unread
from storypool.gamefile.compiled import compiled
from storypool.play import LocalTable

Add = Callable[[str | Path], str]
"""Adds a game by its file, or by the name of one of the docs, and returns its key."""
Write = Callable[[str], str]
"""Adds a game by its text, and returns its key."""
ONE_DIE = """
[action]
pool = { d6 = 1 }
figures = { best = { highest = 1 } }
"""
"""An action of a game that begins with `head`."""
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


@pytest.fixture
def write(tmp_path: Path, added: Add) -> Write:
    """Add games by their texts, and remove them afterwards."""

    def add(text: str) -> str:
        file = tmp_path / "written.game.toml"
        file.write_text(text, encoding="utf-8")
        return added(file)

    return add


def head(key: str) -> str:
    """The beginning of a game with six-sided dice."""
    return (
        f'format = 1\nkey = "{key}"\nname = "{key.title()}"\nabout = "A game."\n[dice.d6]\nsides'
        " = 6\n"
    )


def sit(system: System, name: str = "Kit") -> LocalTable:
    """A table in a session, with Mona as its GM and Ann with a new character of this name."""
    table = LocalTable(system, Random(1).randint)
    table.sit("Mona", "gm")
    table.sit("Ann")
    table.make("mona", "session.begin")
    table.make("ann", "character.add", {"name": name})
    return table


def mistakes(text: str) -> tuple[Mistake, ...]:
    """The mistakes of a text that is not a game."""
    with pytest.raises(Unread) as unread:
        compiled(text)
    return unread.value.mistakes
