"""The cookbook of odds: every question has the same answer here, in icepool and in dyce."""

from __future__ import annotations

import doctest
import re
import warnings
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import storypool
from storypool import Distribution, d, odds

PAGE = (Path(__file__).parent.parent / "docs" / "odds-cookbook.md").read_text(encoding="utf-8")
PEERS = ("icepool", "dyce")
OURS = {name: getattr(storypool, name) for name in storypool.__all__} | {"full": odds(8 @ d(6))}


class Recipe(NamedTuple):
    """One question: its title, its form here, and its forms in others by name."""

    title: str
    ours: str
    others: Mapping[str, str]


def recipes() -> list[Recipe]:
    """Every question of the page."""
    found = []
    for title, python, text in re.findall(
        r"### (\d+\. [^\n]*)\n\n```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL
    ):
        [example] = doctest.DocTestParser().get_examples(python)
        others = dict(re.findall(r"^(\w+) +(.*)$", text, re.MULTILINE))
        found.append(Recipe(title, example.source, others))
    return found


RECIPES = recipes()


def test_cookbook_has_fifty_questions() -> None:
    """Each has a number and a form here and elsewhere; most have all three."""
    assert len(RECIPES) >= 50
    assert [f"{n}." for n in range(1, len(RECIPES) + 1)] == [
        recipe.title.split()[0] for recipe in RECIPES
    ]
    assert all(recipe.others.keys() <= {"AnyDice", *PEERS} and recipe.others for recipe in RECIPES)
    assert sum(len(recipe.others) for recipe in RECIPES) >= 125


def test_question_is_as_short_as_elsewhere() -> None:
    """Each is one expression here, as in the best of the others."""
    assert all(compile(recipe.ours, recipe.title, "eval") for recipe in RECIPES)


SHORT = {11, 12, 15, 16, 18, 19, 26, 28, 29, 30, 37, 38, 39, 40, 46, 47, 51}
"""The questions whose answer takes no more characters here than in icepool."""


@pytest.mark.slow
def test_questions_are_as_short_as_in_icepool() -> None:
    """A whole answer is compared: where icepool gives the die of a comparison, with its mean."""
    library = import_module("icepool")
    space = {**vars(library), **numbered(library)}
    found = set()
    for number, recipe in enumerate(RECIPES, 1):
        theirs = recipe.others.get("icepool", "")
        if theirs and hasattr(eval(theirs, dict(space)), "items") and ".p(" in recipe.ours:
            theirs = f"({theirs}).mean()"
        if len(recipe.ours.strip()) <= len(theirs):
            found.add(number)
    assert found >= SHORT


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_other_libraries_agree(name: str) -> None:
    """Each gives the same chances, numbers and distributions."""
    library = import_module(name)
    others = {**vars(library), **numbered(library)}
    differing = []
    for recipe in RECIPES:
        if name in recipe.others:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # dyce calls some of what is asked here experimental
                theirs = eval(recipe.others[name], dict(others))
            ours = eval(recipe.ours, dict(OURS))
            if not agree(ours, theirs):
                differing.append((recipe.title, ours, theirs))
    assert [] == differing


def numbered(library: Any) -> dict[str, Any]:
    """The numbered dice of icepool by name."""
    return {f"d{n}": library.d(n) for n in (4, 6, 8, 10, 20)} if hasattr(library, "d") else {}


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two answers agree, up to the rounding of others."""
    if hasattr(theirs, "items"):
        counts = dict(theirs.items())
        total = sum(counts.values())
        if isinstance(ours, Fraction):
            return ours == Fraction(counts.get(True, 0), total)
        if isinstance(ours, Distribution):
            return dict(ours.joint()) == {
                (n,): Fraction(count, total) for n, count in counts.items()
            }
    if isinstance(theirs, float):
        return bool(float(ours) == pytest.approx(theirs, rel=1e-12))
    return bool(ours == theirs)
