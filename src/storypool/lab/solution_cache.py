"""The values of solutions in a folder of this user, so that a second use need not compute them
again.

What both sides do with so many actions left is in a file beside them, since it needs all that can
happen in an action.

A file is named after the game and a hash of everything that its values follow from: the evening,
the options, and the text of the rules, the engine and the lab. A file that cannot be read is
computed again, and where none can be written a solution is kept in memory alone.
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
"""How many of the actions left end as the players want: by how many are left, and by the state of
the pools.
"""


class Kept(NamedTuple):
    """What is kept of a solution: the names of its pools, in the order of a state, and its
    values.
    """

    pools: Sequence[str]
    values: Values


_numbers = count()


def folder() -> Path:
    """Return the folder of the cache: `STORYPOOL_CACHE`, or where this system keeps what can be
    made again.
    """
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
    """Return the file for the solution of an evening under these options."""
    described = repr((which, sorted(options.items()), _version(which.system)))
    return folder() / f"{which.system}-{sha256(described.encode()).hexdigest()[:24]}.json"


def read(file: Path) -> Kept | None:
    """Return what is in a file, or None where there is no such file, or nothing in it that could be
    read.
    """
    found = read_json(file)
    try:
        states = [tuple(map(int, state)) for state in found["states"]]
        values = [dict(zip(states, map(float, worth), strict=True)) for worth in found["values"]]
        return Kept(tuple(map(str, found["pools"])), values)
    except (ValueError, TypeError, KeyError):
        return None


def write(file: Path, kept: Kept) -> bool:
    """Write to a file, all or nothing; False where that cannot be done."""
    states = list(kept.values[0])
    values = [[worth[state] for state in states] for worth in kept.values]
    return write_json(file, {"pools": list(kept.pools), "states": states, "values": values})


def read_json(file: Path) -> Any:
    """Return the data in a file, or None where there is no such file, or no data in it."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(file: Path, data: Any) -> bool:
    """Write data to a file, all or nothing; False where that cannot be done."""
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
    """Return a hash of the text of everything that a solution is computed with."""
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
