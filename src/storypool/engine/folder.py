"""What is beside a game's code: its tables as rows, its words, its ready-made characters."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from storypool.words import Words


@cache
def rows(package: str, name: str) -> Mapping[str, Any]:
    """The rows of NAME.toml in a package: what the book prints as a table. Read once."""
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def with_words(words: Words, *packages: str) -> Words:
    """These sentences, and those of each package's `words.toml`, which may say one of these in words of its own."""
    for package in packages:
        words = words.over(files(package).joinpath("words.toml"))
    return words


def ready_made(package: str) -> tuple[Mapping[str, object], ...]:
    """The ready-made characters in `ready.toml`: a name, a line about them, and their numbers."""
    return tuple(rows(package, "ready")["character"])
