"""The readable part of the game of a half-written text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from storypool.gamefile import LARGEST
from storypool.gamefile.file_format.file_text import (
    DEEPEST,
    MOST_DOTS,
    Path,
    depth_of,
    rows_of,
)
from storypool.gamefile.file_format.schema import FORMAT, GameFile

__all__ = ["NOTHING", "loaded", "readable_game", "value_at"]

NOTHING = "nothing_nothing"
"""The name of a die that stands for those that a file does not have yet."""
MOST_LINES = 12
"""The most wrong lines that are left out of a text; of one with more, nothing is read."""
MOST_ROUNDS = 8
"""How often values with mistakes are left out before nothing is read."""
NEEDED: Mapping[str, Any] = {
    "format": FORMAT,
    "key": "game",
    "name": "",
    "about": "",
    "dice": {NOTHING: {"sides": 6}},
    "action": {"pool": {}},
}
"""What a file begins with, where it is not written yet."""


def loaded(text: str) -> dict[str, Any]:
    """The plain data of a text, without lines that are not TOML; nothing of a hopeless one.

    >>> loaded("a = 1\\nb = \\nc = 2")
    {'a': 1, 'c': 2}
    """
    if len(text.encode()) > LARGEST:
        return {}
    lines = text.split("\n")
    if any(one.count(".") > MOST_DOTS for one in lines):
        return {}
    for _ in range(MOST_LINES):
        try:
            data = tomllib.loads("\n".join(lines))
            return {} if depth_of(data) > DEEPEST else data
        except RecursionError:
            return {}
        except ValueError as error:
            found = re.search(r"line (\d+)", str(error))
            wrong = int(found[1]) - 1 if found else len(lines) - 1
            while wrong > 0 and not lines[wrong].strip():
                wrong -= 1
            lines[wrong] = ""
    return {}


def readable_game(data: Mapping[str, Any]) -> GameFile | None:
    """The game of plain data, without its mistakes, and with what it lacks; None if there is none.

    The data is changed.
    """
    data = {**NEEDED, **data, "format": FORMAT}
    for _ in range(MOST_ROUNDS):
        game, wrong = rows_of(data)
        if game is not None:
            return game if game.actions else None
        for path, what in wrong:
            row = value_at(data, path)
            if what.key == "gamefile.missing" and isinstance(row, dict):
                row[str(what.values["key"])] = _example(str(what.values["example"]))
            else:
                _leave_out(data, path)
    return None


def value_at(data: Any, path: Iterable[str | int]) -> Any:
    """The value at a path, where a table may stand for a list of one; None without one."""
    for one in path:
        if isinstance(one, int):
            if isinstance(data, list):
                data = data[one] if one < len(data) else None
        elif isinstance(data, list):
            data = value_at(data[-1], (one,)) if data else None
        else:
            data = data.get(one) if isinstance(data, dict) else None
    return data


def _example(written: str) -> Any:
    try:
        return tomllib.loads(f"x = {written}")["x"]
    except ValueError:
        return {}


def _leave_out(data: dict[str, Any], path: Path) -> None:
    """Leave out the value at a path; one that a file needs becomes the usual one."""
    while path and isinstance(path[-1], int) and not isinstance(value_at(data, path[:-1]), list):
        path = path[:-1]
    if not path:
        return
    inside, last = value_at(data, path[:-1]), path[-1]
    if isinstance(inside, list) and isinstance(last, int):
        if last < len(inside):
            del inside[last]
    elif isinstance(inside, dict):
        inside.pop(str(last), None)
        if len(path) == 1 and last in NEEDED:
            inside[str(last)] = NEEDED[str(last)]
