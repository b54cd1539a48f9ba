"""Pages of this game's reference besides its moves: what points buy, what brings them, and what was ruled."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from storypool.engine.rules import Note, System
from storypool.systems.c2d10.prices import gain, price, table
from storypool.words import Words

PARTS = ("asked", "answered")
"""What a ruling is made of."""


@cache
def note_words() -> Mapping[str, Mapping[str, str]]:
    """What the notes say, as sentences of the catalogue; of a ruling, question and answer."""
    return tomllib.loads(files("storypool.systems.c2d10").joinpath("notes.toml").read_text(encoding="utf-8"))


def notes(system: System) -> tuple[Note, ...]:
    """The two tables of seed 001 with the prices that are charged, and the rulings."""
    words = system.words
    title = {key: words[f"note.titles.{key}"] for key in note_words()["titles"]}
    head = title["points"], title["what"]
    costs = tuple((_cost(use), words[f"note.uses.{use}"]) for use in note_words()["uses"])
    rulings = tuple(tuple(words[f"note.rulings.{key}.{part}"] for part in PARTS) for key in note_words()["rulings"])
    return (
        Note(title["uses"], title["both"], head, costs),
        Note(title["gains"], "", head, _gains(words)),
        Note(title["rulings"], "", (title["question"], title["answer"]), rulings),
    )


def _cost(use: str) -> str:
    """The price of the first, and of those after it where they cost more."""
    first = [price(use, 1, before) for before in range(3)]
    return str(first[0]) if first[0] == first[1] else ", ".join([*map(str, first), "..."])


def _gains(words: Words) -> tuple[tuple[str, str], ...]:
    printed = table()["gains"].keys()
    other = {"dire": words["note.titles.either"]}
    return tuple(
        (str(gain(key)) if key in printed else other.get(key, "1"), words[f"note.gains.{key}"])
        for key in note_words()["gains"]
    )
