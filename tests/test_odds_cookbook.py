"""The cookbook of odds: every question has the same answer here, in icepool and in dyce."""

from __future__ import annotations

import warnings
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from storypool import Distribution
from tools import cookbook

PEERS = ("icepool", "dyce")
RECIPES = cookbook.recipes()


def test_cookbook_has_fifty_questions() -> None:
    """Each has a number and a form here and elsewhere; most have all three."""
    assert len(RECIPES) >= 50
    assert len(RECIPES) == cookbook.PAGE.read_text(encoding="utf-8").count("\n### ")
    assert [f"{n}." for n in range(1, len(RECIPES) + 1)] == [
        recipe.title.split()[0] for recipe in RECIPES
    ]
    assert all(recipe.others.keys() <= {"AnyDice", *PEERS} and recipe.others for recipe in RECIPES)
    assert sum(len(recipe.others) for recipe in RECIPES) >= 125


def test_question_is_as_short_as_elsewhere() -> None:
    """Each is one expression here, as in the best of the others."""
    assert all(compile(recipe.ours, recipe.title, "eval") for recipe in RECIPES)


LONGER = {14, 17, 23, 26, 33, 34, 35, 36, 45, 47, 54, 55}
"""The questions whose answer takes more characters here than in icepool."""


@pytest.mark.slow
def test_questions_are_as_short_as_in_icepool() -> None:
    """Whole answers are compared: a chance here is the mean of a comparison in icepool.

    None of the ten that are asked most is longer.
    """
    theirs, ours = cookbook.their_names(import_module("icepool")), cookbook.our_names()
    longer = set()
    for number, recipe in enumerate(RECIPES, 1):
        whole = recipe.others["icepool"]
        if isinstance(eval(recipe.ours, dict(ours)), Fraction) and hasattr(
            eval(whole, dict(theirs)), "items"
        ):
            whole = f"({whole}).mean()"
        if len(recipe.ours) > len(whole):
            longer.add(number)
    assert longer == LONGER
    assert min(longer) > len(cookbook.most_asked()) == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_other_libraries_agree(name: str) -> None:
    """Each gives the same chances, numbers and distributions."""
    others, ours = cookbook.their_names(import_module(name)), cookbook.our_names()
    differing = []
    for recipe in RECIPES:
        if name in recipe.others:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # dyce calls some of what is asked here experimental
                theirs = eval(recipe.others[name], dict(others))
            answer = eval(recipe.ours, dict(ours))
            if not agree(answer, theirs):
                differing.append((recipe.title, answer, theirs))
    assert [] == differing


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
