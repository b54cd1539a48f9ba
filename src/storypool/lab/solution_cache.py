"""The values of solutions in a folder of this user, so that they are computed only once.

Habits of both sides with a number of actions left are in separate files, since they need the whole
graph of an action.

A file is named after the game and a hash of all inputs: the evening, the options, and the text of
the rules, the engine and the lab. An unreadable file is computed again, and if none can be written
a solution is cached in memory only.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from storypool import systems
from storypool.lab.actions import State
from storypool.lab.evenings import Evening

Values = Sequence[Mapping[State, float]]
"""The expected number of remaining actions that end as the players want.

Indexed by the number of actions left, then by the state of the pools.
"""


class Kept(NamedTuple):
    """A cached solution: the names of its pools, in the order of a state, and its values."""

    pools: Sequence[str]
    values: Values


_numbers = count()


def folder() -> Path:
    """The folder of the cache: `STORYPOOL_CACHE`, or the user's cache folder of this system."""
    if chosen := os.environ.get("STORYPOOL_CACHE"):
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return (
            Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
            / "storypool"
            / "cache"
        )
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "storypool"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "storypool"


def file_of(which: Evening, options: Mapping[str, str]) -> Path:
    """The file for the solution of an evening under these options."""
    described = repr((which, sorted(options.items()), _version(which.system)))
    return folder() / f"{which.system}-{sha256(described.encode()).hexdigest()[:24]}.json"


def read(file: Path) -> Kept | None:
    """The contents of a file, or None if it is missing or invalid."""
    found = read_json(file)
    try:
        states = [tuple(map(int, state)) for state in found["states"]]
        values = [dict(zip(states, map(float, worth), strict=True)) for worth in found["values"]]
        return Kept(tuple(map(str, found["pools"])), values)
    except (ValueError, TypeError, KeyError):
        return None


def write(file: Path, kept: Kept) -> bool:
    """Write a file atomically; False if that is not possible."""
    states = list(kept.values[0])
    values = [list(map(worth.__getitem__, states)) for worth in kept.values]
    return write_json(file, {"pools": list(kept.pools), "states": states, "values": values})


def read_json(file: Path) -> Any:
    """The data in a file, or None if it is missing or invalid."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(file: Path, data: Any) -> bool:
    """Write data to a file atomically; False if that is not possible."""
    part = file.with_name(f"{file.name}.{os.getpid()}-{next(_numbers)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(data), encoding="utf-8")
        part.replace(file)
    except OSError:
        return False
    return True


@cache
def _version(system: str) -> str:
    """A hash of the source text that a solution depends on."""
    found = sha256()
    own = [files("storypool").joinpath(room) for room in ("engine", "odds", "systems", "lab")]
    for text in _texts([*own, systems.folder(system)]):
        found.update(text)
    return found.hexdigest()


def _texts(places: Sequence[Traversable]) -> Iterator[bytes]:
    for place in sorted(places, key=lambda one: one.name):
        if place.is_dir():
            yield from _texts(list(place.iterdir()))
        elif place.name.endswith((".py", ".toml")):
            yield place.name.encode() + b"\0" + place.read_bytes() + b"\0"
