"""Games that are one file each: their files, and the texts that tables keep."""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from pathlib import Path

    from storypool.gamefile.compiled import CompiledGame

FILES = "STORYPOOL_GAMES"
"""The environment variable with the folder of games that are one file each."""
ENDING = ".game.toml"

KEY_WITHIN = 200_000
"""The characters of a file in which its key stands."""
_KEY = re.compile(r"^key *= *[\"']([a-z][a-z0-9_]*)[\"']", re.MULTILINE)

_KEPT: WeakValueDictionary[str, CompiledGame] = WeakValueDictionary()
"""The games that tables keep, for as long as something plays them."""


@cache
def files() -> dict[str, str]:
    """The games that are one file each: their paths by key."""
    place = os.environ.get(FILES, "")
    entries = os.scandir(place) if place and os.path.isdir(place) else ()
    found = {}
    for entry in entries:
        if entry.name.endswith(ENDING):
            found[_key_in(entry)] = entry.path
    return found


def _key_in(entry: os.DirEntry[str]) -> str:
    """The key in a game file, whatever the file is called; its name without one."""
    with open(entry.path, encoding="utf-8", errors="replace") as file:
        written = _KEY.search(file.read(KEY_WITHIN))
    return written[1] if written else entry.name.removesuffix(ENDING)


@cache
def compiled_file(key: str) -> CompiledGame:
    """The compiled game of the file with this key; `Unread` has the file and its mistakes."""
    from storypool.gamefile import Unread

    try:
        return written(text_in(files()[key]), kept=False)
    except Unread as wrong:
        raise Unread(wrong.mistakes, files()[key]) from None


def text_in(file: str | Path) -> str:
    """The text of a game file; `Unread` if it has none, `OSError` if it cannot be read."""
    from storypool.words import text_files

    try:
        return text_files.text_in(file)
    except text_files.NotText as wrong:
        from storypool.gamefile import Mistake, Unread

        raise Unread((Mistake(wrong.line, wrong.args[0]),)) from None


def kept(text: str, before: bool = False) -> str:
    """The key of the game in a text that a table keeps; `Unread` lists what is wrong with it.

    A text that was kept `before` may have doubts. The key is known as long as the game is in play,
    and is in no list of games.
    """
    game = written(text)
    if game.doubts and not before:
        from storypool.gamefile import Unread

        raise Unread(game.doubts)
    _KEPT[game.key] = game
    return game.key


def kept_game(key: str) -> CompiledGame | None:
    """The game of a text that a table keeps by its key, or None if it is not in play."""
    return _KEPT.get(key)


@lru_cache(maxsize=64)
def written(text: str, kept: bool = True) -> CompiledGame:
    """The game as written in a text that a table keeps, or in a file; `Unread` has its mistakes."""
    from storypool.gamefile.compiled import compiled

    return compiled(text, kept)


def forget_kept() -> None:
    """Forget the games of texts, except those that tables keep and that are in play."""
    written.cache_clear()


def file_key(key: str) -> str:
    """The key of a game without the hash of the text that a table keeps."""
    return re.sub("-[0-9a-f]{12}$", "", key)


def one_page(key: str) -> CompiledGame | None:
    """A game that is one file, or the text that a table keeps; None for a package."""
    return _KEPT.get(key) or (compiled_file(key) if key in files() else None)


def is_one_page(key: str) -> bool:
    """Whether a game is one file, or the text that a table keeps."""
    return key in _KEPT or key in files()
