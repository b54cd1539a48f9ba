"""The questions of docs/odds-cookbook.md, with their answers here and in other libraries."""

from __future__ import annotations

import doctest
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import storypool

PAGE = Path(__file__).resolve().parent.parent / "docs" / "odds-cookbook.md"
DICE = (4, 6, 8, 10, 20)
"""The sides of the dice that the page imports by name."""


class Recipe(NamedTuple):
    """One question: its title, its form here, and its forms in others by name."""

    title: str
    ours: str
    others: Mapping[str, str]


def recipes() -> list[Recipe]:
    """Every question of the page."""
    found = []
    for title, python, text in re.findall(
        r"### (\d+\. [^\n]*)\n\n```python\n(.*?)```\n\n```text\n(.*?)```",
        PAGE.read_text(encoding="utf-8"),
        re.DOTALL,
    ):
        [example] = doctest.DocTestParser().get_examples(python)
        others = dict(re.findall(r"^(\w+) +(.*)$", text, re.MULTILINE))
        found.append(Recipe(title, example.source.strip(), others))
    return found


def most_asked() -> list[Recipe]:
    """The ten that the page begins with."""
    return recipes()[:10]


def our_names() -> dict[str, Any]:
    """The names that an answer here is written with."""
    every = (*storypool.__all__, *(f"d{n}" for n in DICE))
    return {name: getattr(storypool, name) for name in every}


def their_names(library: Any) -> dict[str, Any]:
    """The names that an answer of another library is written with."""
    numbered = {f"d{n}": library.d(n) for n in DICE} if hasattr(library, "d") else {}
    return {**vars(library), **numbered}
