"""Weighted dice, what is made of each number, measures against lists, and counts as a view."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from statistics import median, pstdev, pvariance
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine.bag import Bag
from storypool.odds import Axes, Distribution, UnknownAxis, d, die, keep, odds
from storypool.pictures.charts import bars
from storypool.words import StorypoolError

WEIGHTS = st.dictionaries(st.integers(-5, 9), st.integers(0, 6), min_size=1, max_size=6).filter(
    lambda weights: any(weights.values())
)


@given(WEIGHTS)
def test_weighted_die_shows_each_face_by_its_weight(weights: dict[int, int]) -> None:
    """A weight of 0 adds no face, and equal weights are a plain die."""
    total = sum(weights.values())
    made = odds(die(weights), Axes(["pips"]))
    for face, weight in weights.items():
        assert made.p(face) == Fraction(weight, total)
    assert odds(die(list(weights)), Axes(["pips"])) == odds(d(list(weights)), Axes(["pips"]))


def test_weighted_die_has_any_faces() -> None:
    """Faces are numbers, symbols, several of these, or blank; the die is rolled as any other."""
    assert odds(die({1: 3, 6: 1})).counts == {1: 3, 6: 1}
    made = die({"hit": 2, ("hit", "star"): 1, "": 1, Bag(star=2): 2}, "sword")
    assert ("sword", 6) == (made.name, made.sides)
    assert odds(made).p(hit=1, star=1) == Fraction(1, 6)
    assert keep(3 @ die({1: 10**9, 2: 10**9}), highest=1).p(2) == Fraction(7, 8)
    assert odds(d([0, 1]) + d([0, 1])).counts == {0: 1, 1: 2, 2: 1}


@pytest.mark.parametrize(
    ("faces", "sentence"),
    [
        ({}, "at least one face"),
        ({1: 0}, "a weight above 0"),
        ({1: -1, 2: 3}, "whole number of 0 or more.* not -1"),
        ({1: 0.5, 2: 0.5}, "whole number of 0 or more.* not 0.5"),
        ({1: Fraction(1, 2)}, "whole number of 0 or more"),
        ({1: True}, "whole number of 0 or more"),
        ({1: 10**6, 2: 1}, r"at most 100,000 .*from_outcomes"),
        ({2.5: 1}, "A face is a number, a symbol"),
        ("hit", r"not of 'hit'"),
        (6, r"not of 6"),
    ],
)
def test_die_of_wrong_weights_is_refused(faces: Any, sentence: str) -> None:
    """Nothing is rounded or left out in silence."""
    with pytest.raises(StorypoolError, match=sentence):
        die(faces)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-3, 3)), min_size=1, max_size=12))
def test_measures_are_those_of_a_list(rows: list[tuple[int, int]]) -> None:
    """Measures of an axis alone, of an axis of several, and of a function are those of all rows."""
    joint = Distribution.from_outcomes(["a", "b"], Counter(rows))
    n = len(rows)
    for axis, numbers in zip("ab", zip(*rows, strict=True), strict=True):
        ordered = sorted(numbers)
        alone = joint.on(axis)
        for roll, given_axis in ((joint, axis), (alone, None), (alone, axis)):
            assert roll.mean(given_axis) == Fraction(sum(numbers), n)
            assert roll.variance(given_axis) == pvariance(map(Fraction, numbers))
            assert roll.sd(given_axis) == pytest.approx(pstdev(numbers))
            assert roll.median(given_axis) == Fraction(median(map(Fraction, numbers)))
            for k in range(1, n + 1):
                assert roll.quantile(Fraction(k, n), given_axis) == ordered[k - 1]
                assert roll.quantile(k / n, given_axis) == ordered[k - 1]
        assert alone.sample(random.Random(1).randrange) in numbers
    products = [a * b for a, b in rows]
    assert joint.mean(lambda a, b: a * b) == Fraction(sum(products), n)
    assert joint.variance(lambda a, b: a * b) == pvariance(map(Fraction, products))
    places = iter(range(joint.total))
    drawn = joint.sample(lambda _: next(places), joint.total)
    assert sorted(drawn * (n // joint.total)) == sorted(rows)
    for measure in (joint.mean, joint.median, joint.variance, joint.mode, joint.at_least):
        with pytest.raises(UnknownAxis, match="a, b"):
            measure()


@given(WEIGHTS, st.integers(-4, 4).filter(bool))
def test_numbers_are_divided_as_in_python(weights: dict[int, int], by: int) -> None:
    """`//`, `%`, `abs` and `map` make of each number what Python makes of it."""
    roll = Distribution.from_outcomes(["n"], weights)
    pairs: list[tuple[Distribution, Callable[[int], int]]] = [
        (roll // by, lambda n: n // by),
        (roll % by, lambda n: n % by),
        (abs(roll), abs),
        (roll.map(lambda n: n * n), lambda n: n * n),
    ]
    for made, function in pairs:
        found = Counter[int]()
        for n, weight in weights.items():
            found[function(n)] += weight
        assert made == Distribution.from_outcomes(["n"], found)
    wrong: list[Callable[[], object]] = [
        lambda: roll // 0,
        lambda: roll % 0,
        lambda: roll // 1.5,  # type: ignore[operator]
        lambda: roll % roll,  # type: ignore[operator]
    ]
    for ask in wrong:
        with pytest.raises(StorypoolError, match="by a whole number"):
            ask()


def test_counts_are_a_view() -> None:
    """They have the methods of a mapping, copy no row, and are equal to a dict."""
    roll = odds(3 @ d(6))
    counts = roll.counts
    assert counts.values() == roll.row_counts.values() or [*counts.values()] == [
        *roll.row_counts.values()
    ]
    assert getattr(counts, "_rows") is roll.row_counts  # noqa: B009
    assert dict(counts) == counts == {n: roll.count(n) for n in range(3, 19)}
    assert [*counts.items()] == [*zip(counts, counts.values(), strict=True)]
    assert (10 in counts, (10,) in counts, 2 in counts, "x" in counts) == (True, True, False, False)
    assert counts[10] == counts[10,] == counts.get(10) == 27
    assert len(counts) == 16
    with pytest.raises(KeyError, match="99"):
        counts[99]
    assert repr(odds(d(2)).counts) == "Counts({1: 1, 2: 1})"


def test_pictures_show_themselves() -> None:
    """A notebook gets the picture as SVG and as HTML."""
    picture = bars("Dice", {"": {"six": Fraction(1, 6), "other": Fraction(5, 6)}})
    assert picture._repr_svg_() == picture.svg()
    assert f"<figure>{picture.svg()}</figure>" == picture._repr_html_()
