"""Pages of this game's reference besides its moves: what points buy, what brings them, and what was ruled."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from storypool.system import Note
from storypool.systems.c2d10.prices import gain, price, table


def notes() -> tuple[Note, ...]:
    """The two tables of seed 001 with the prices that are charged, and the rulings."""
    told = tomllib.loads(files("storypool.systems.c2d10").joinpath("notes.toml").read_text(encoding="utf-8"))
    costs = tuple((_cost(use), text) for use, text in told["uses"].items())
    title, head = told["titles"], (told["titles"]["points"], told["titles"]["what"])
    return (
        Note(title["uses"], title["both"], head, costs),
        Note(title["gains"], "", head, _gains(told["gains"])),
        Note(title["rulings"], "", (title["question"], title["answer"]), tuple(told["rulings"].items())),
    )


def _cost(use: str) -> str:
    """The price of the first, and of those after it where they cost more."""
    first = [price(use, 1, before) for before in range(3)]
    return str(first[0]) if first[0] == first[1] else ", ".join([*map(str, first), "..."])


def _gains(told: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    printed = table()["gains"].keys()
    other = {"dire": "1 or 2"}
    return tuple((str(gain(key)) if key in printed else other.get(key, "1"), text) for key, text in told.items())
