"""The games: one package each, exporting `SYSTEM`, and imported only when somebody asks for it.

What two families share lies beside them as a module named for it.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storypool.rules import System


class UnknownSystem(LookupError):
    """No game has this name; `known` lists those there are."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        self.key, self.known = key, known
        super().__init__(f"There is no game called “{key}” here; there is: {', '.join(known)}.")


@cache
def names() -> tuple[str, ...]:
    """The keys of all games, in alphabetical order; none of them is imported."""
    entries = (entry for folder in __path__ for entry in os.scandir(folder) if entry.is_dir())
    return tuple(sorted(entry.name for entry in entries if _is_game(entry.path)))


def get(key: str) -> System:
    """The game with this key, imported now if it was not before; `UnknownSystem` lists those there are."""
    if key not in names():
        raise UnknownSystem(key, names())
    system: System = import_module(f"{__name__}.{key}").SYSTEM
    return system


def find() -> dict[str, System]:
    """Every game by its key, all of them imported."""
    return {key: get(key) for key in names()}


def _is_game(folder: str) -> bool:
    """Whether a folder is a package that speaks of SYSTEM: read as text, because importing a game takes its time."""
    try:
        with open(os.path.join(folder, "__init__.py"), encoding="utf-8") as file:
            return "SYSTEM" in file.read()
    except OSError:
        return False
