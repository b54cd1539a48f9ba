"""Misused odds functions explain in one sentence the expected and found input and the fix."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np
import pytest

import storypool.odds as room
from storypool.engine.refusal import Refused
from storypool.odds import (
    Allowance,
    Axes,
    Die,
    Distribution,
    Misused,
    TooManyDice,
    UnknownAxis,
    allowing,
    by_face,
    d,
    odds,
    rerolls,
    sampling,
)
from storypool.systems import get

ROOT = str(Path(room.__file__).parents[1])

# Nothing here fits its types, which is what is tried.
use: Any = room
draw: Any = sampling
best: Any = rerolls.best
planned: Any = rerolls.planned
of: Any = Distribution.from_outcomes
one: Any = get("starwars")
die: Any = d(6)
roll: Any = odds(3 @ d(6))
coin = Die("coin", [{"heads": 1}, {}])
two_axes = Die("two", [{"hit": 1}, {"miss": 1}])
both: Any = odds(two_axes)
axes = Axes(["pips"])
rng = np.random.default_rng(1)

MISUSES: dict[str, tuple[Callable[[], object], str]] = {
    # Text where a die is wanted, and other things that are none.
    "odds of 3d6 as text": (lambda: use.odds("3d6"), "write 3 @ d(6)"),
    "odds of a pool as text": (lambda: use.odds("2A1P"), "get(key).odds(text)"),
    "a list of texts": (lambda: use.odds(["d6", "d6"]), "write 1 @ d(6)"),
    "a dict of texts": (lambda: use.odds({"d6": 2}), "write 1 @ d(6)"),
    "a text beside axes": (lambda: use.odds(["d8"], axes), "write 1 @ d(8)"),
    "odds of a number": (lambda: use.odds(6), "d(6)"),
    "odds of None": (lambda: use.odds(None), "not None"),
    "odds of None on axes": (lambda: use.odds(None, axes), "not None"),
    "a list of numbers": (lambda: use.odds([6, 6]), "d(6)"),
    "a pair the wrong way round": (lambda: use.odds([(3, use.d(6))]), "not 3"),
    "a triple": (lambda: use.odds([(use.d(6), 1, 2)]), "A die is wanted"),
    "half a die": (lambda: use.odds({use.d(6): 1.5}), "write 3 @ die"),
    "half a die on axes": (lambda: use.odds({use.d(6): 1.5}, axes), "whole, not 1.5"),
    "a number of dice as text": (lambda: use.odds([(use.d(6), "3")]), "whole, not '3'"),
    "a number below 0": (lambda: use.odds({use.d(6): -1}), "give 0 or more"),
    "axes as a text": (lambda: use.odds(use.d(6), "pips"), "Axes(['hit', 'miss'])"),
    "axes as a list": (lambda: use.odds(use.d(6), ["pips"]), "Axes(['hit', 'miss'])"),
    "a symbol on no axis": (lambda: odds(coin, axes), "known are pips"),
    "a symbol beside no axes": (lambda: odds(coin, Axes()), "leave the axes out"),
    "the net of a symbol on no axis": (lambda: axes.net({"hit": 1}), "known are pips"),
    "faces on other axes": (lambda: sampling.net([coin], axes, np.array([[1]])), "known are pips"),
    "a die without faces": (lambda: use.Die("none", []), "at least one face"),
    "a die without bags": (lambda: use.Die("none", ()), "a blank face is {}"),
    "a die of weighted numbers": (lambda: use.Die("x", {1: 3, 2: 1}), "from_outcomes"),
    "a face with its weight": (lambda: use.Die("x", [({"hit": 1}, 3), ({}, 1)]), "3 * ["),
    "dice of other axes beside a roll": (lambda: odds([roll, coin]), "Only the same axes add"),
    "dice without end": (lambda: odds({use.d(6): 10**6}).counts, "at most 3,000,000 are"),
    # Dice of one's own.
    "faces as a text": (lambda: use.Die("x", "hit"), "one dict of symbols for each"),
    "faces as a number": (lambda: use.Die("x", 6), "one dict of symbols for each"),
    "faces as a dict": (lambda: use.Die("x", {"hit": 1}), "one dict of symbols for each"),
    "a face as a text": (lambda: use.Die("x", ["hit", ""]), "not 'hit'"),
    "a face as a number": (lambda: use.Die("x", [1, 2, 3]), "d(6)"),
    "a face as None": (lambda: use.Die("x", [None, {"hit": 1}]), "{} for a blank"),
    "a face with a half": (lambda: use.Die("x", [{"hit": 0.5}]), "such as {'hit': 2}"),
    "a face with a text as number": (lambda: use.Die("x", [{"hit": "2"}]), "such as {'hit': 2}"),
    "a die without a name": (lambda: use.Die(6, [{"hit": 1}]), "a name"),
    "a first face as a text": (lambda: use.Die("x", [{"hit": 1}], "0"), "whole number"),
    "a face that is not on the die": (lambda: use.d(6).face(7), "faces 1 to 6"),
    "a face by a text": (lambda: die.face("six"), "faces 1 to 6"),
    "d of a text": (lambda: use.d("6"), "d(6)"),
    "d of a half": (lambda: use.d(6.0), "d(6)"),
    "d of nothing": (lambda: use.d(0), "1 to 100,000 sides"),
    "d of too much": (lambda: use.d(10**5000), "1 to 100,000 sides"),
    "a die times a number": (lambda: 3 * die, "3 @ die"),
    "a number times a die": (lambda: die * 3, "3 @ die"),
    "a die plus a number": (lambda: die + 3, "odds(dice)"),
    "a handful plus a number": (lambda: (3 @ die) + 3, "odds(dice)"),
    "a handful times a number": (lambda: 2 * (3 @ die), "3 * odds(dice)"),
    "a handful so many times": (lambda: 2 @ (3 @ die), "3 @ odds(dice)"),
    "dice taken from a handful": (lambda: (3 @ die) - die, "odds(one) - odds(other)"),
    "a half of a die": (lambda: 1.5 @ die, "3 @ die"),
    "fewer than no dice": (lambda: -1 @ die, "3 @ die"),
    "axes as one text": (lambda: use.Axes("hit"), "['hit', 'miss']"),
    "axes as a number": (lambda: use.Axes(3), "['hit', 'miss']"),
    "axes that move by text": (lambda: use.Axes({"hit": "hit"}), "{'miss': {'hit': -1}}"),
    "axes that move by halves": (lambda: use.Axes({"hit": {"hit": 0.5}}), "{'miss': {'hit': -1}}"),
    "below as a text": (lambda: use.Axes(["hit"], "miss"), "{'success': 'failure'}"),
    # Conditions.
    "a condition as a text": (lambda: roll.p(pips=">=3"), "write ge(3)"),
    "a condition with spaces": (lambda: roll.p(pips=" < 12 "), "write lt(12)"),
    "a text that is a number": (lambda: roll.p(pips="3"), "write eq(3)"),
    "a text that is nothing": (lambda: roll.p(pips="high"), "write ge(3)"),
    "a list as a condition": (lambda: roll.p(pips=[3, 4]), "write lambda n: n in [3, 4]"),
    "None as a condition": (lambda: roll.p(pips=None), "not None"),
    "a half as a condition": (lambda: roll.p(pips=1.5), "every result is one"),
    "a half as a condition beside another": (
        lambda: both.p(hit=1.5, miss=0),
        "every result is one",
    ),
    "text among two conditions": (lambda: both.p(hit=">0", miss=0), "write gt(0)"),
    "ge of a half": (lambda: use.ge(1.5), "write ge(2)"),
    "gt of a half": (lambda: use.gt(1.5), "write gt(1)"),
    "le of a half": (lambda: use.le(1.5), "write le(1)"),
    "lt of a half": (lambda: use.lt(1.5), "write lt(2)"),
    "eq of a half": (lambda: use.eq(Fraction(7, 3)), "write eq(2)"),
    "between halves": (lambda: use.between(1.5, 3), "write 2 there"),
    "between a text": (lambda: use.between(1, "three"), "between(1, 3)"),
    "ge of a text": (lambda: use.ge("three"), "ge(3)"),
    "ge of None": (lambda: use.ge(None), "ge(3)"),
    "a question as a text": (lambda: roll.p("pips > 3"), "pips=ge(3)"),
    "a question of text with its number": (lambda: roll.p(">= 11"), "pips=ge(11)"),
    "a condition without its axis": (lambda: both.p(use.ge(1)), "hit=ge(1)"),
    "a condition beside a named one": (lambda: roll.p(use.ge(1), pips=3), "pips=ge(1)"),
    "given a text": (lambda: roll.given("odd"), "a condition for each axis"),
    "count of a text": (lambda: roll.count("odd"), "a condition for each axis"),
    "a function with axes behind a star": (
        lambda: roll.p(lambda *, pips: pips > 3),
        "before any *",
    ),
    "a function that does not say its axes": (lambda: roll.p(max), "names axes"),
    # Axes that are not there.
    "an axis that is not there": (lambda: roll.p(pip=3), "ask about pips"),
    "a function of an axis that is not there": (
        lambda: roll.p(lambda dots: dots > 3),
        "ask about pips",
    ),
    "the mean of an axis that is not there": (lambda: roll.mean("hit"), "ask about pips"),
    "on an axis that is not there": (lambda: both.on("star"), "ask about hit, miss"),
    "on a list": (lambda: both.on(["hit"]), "on('hit', 'miss')"),
    "on a number": (lambda: both.on(0), "ask about hit, miss"),
    "the mean of two axes": (lambda: both.mean(), "hit, miss"),
    "the mode of two axes": (lambda: both.mode(), "hit, miss"),
    "the curve of two axes": (lambda: both.at_least(), "hit, miss"),
    "a plot of two axes": (lambda: both.plot(None), "hit, miss"),
    "a plot without a canvas": (lambda: roll.plot(None), "matplotlib.pyplot"),
    "a table of an axis that is not there": (lambda: roll.table("hit"), "ask about pips"),
    "rows of an axis that is not there": (lambda: roll.rows("hit"), "ask about pips"),
    # Numbers and functions.
    "the mean of a number": (lambda: roll.mean(3), "names axes"),
    "the mean of texts": (lambda: roll.mean(lambda pips: "x"), "gives a number"),
    "a quantile by a text": (lambda: roll.quantile("pips", "half"), "such as 0.5"),
    "a quantile above 1": (lambda: roll.quantile("pips", 50), "at most 1, not 50"),
    "compared with a number": (lambda: roll.compare(3, "pips"), "odds(d(6))"),
    "compared with a die": (lambda: roll.compare(use.d(6), "pips"), "odds(d(6))"),
    "a roll plus a text": (lambda: roll + "3", "odds(d(6))"),
    "a roll plus a die": (lambda: roll + use.d(6), "odds"),
    "a roll less a half": (lambda: roll - 1.5, "odds(d(6))"),
    "a number on two axes": (lambda: both + 1, "hit, miss"),
    "rolls of other axes": (lambda: roll + both, "Only the same axes add"),
    "a roll times a half": (lambda: roll * 1.5, "3 * roll"),
    "a roll times one of another axis": (
        lambda: roll * odds(coin),
        "Only the same axes multiply",
    ),
    "rolls of two axes multiplied": (lambda: both * both, "hit, miss"),
    "a comparison as a truth": (lambda: 1 if roll >= 11 else 0, "roll.p(ge(3))"),
    "a roll as a truth": (lambda: not roll, "neither true nor false"),
    "at least a half": (lambda: roll >= 10.5, "write ge(11)"),
    "at least a text": (lambda: roll >= "11", "write ge(11)"),
    "more than a die": (lambda: roll > use.d(6), "odds(d(6))"),
    "two axes compared": (lambda: both >= 1, "hit, miss"),
    "equal to None": (lambda: roll.eq(None), "eq(3)"),
    "a roll among a range of rolls": (lambda: 3 < roll < 5, "neither true nor false"),
    "a quantile without a share": (lambda: roll.quantile("pips"), "such as 0.5"),
    "a quantile of two axes": (lambda: both.quantile(0.5), "hit, miss"),
    "the median of two axes": (lambda: both.median(), "hit, miss"),
    "sampled by nothing": (lambda: roll.sample(None), "random.Random"),
    "half a number of samples": (lambda: roll.sample(lambda n: 0, 1.5), "0 or more"),
    "sampled below nothing": (lambda: roll.sample(lambda n: -1), "not below"),
    "a roll made by halves": (lambda: 1.5 @ roll, "3 @ roll"),
    "a roll made -1 times": (lambda: -1 @ roll, "3 @ roll"),
    "the highest of half a roll": (lambda: roll.highest(1.5), "roll.highest(4, 3)"),
    "the lowest of fewer than no rolls": (lambda: roll.lowest(-1), "roll.highest(4, 3)"),
    "the highest none": (lambda: roll.highest(4, 0), "roll.highest(4, 3)"),
    "the highest of two axes": (lambda: both.highest(2), "hit, miss"),
    "the highest of too many": (lambda: roll.highest(10**6), "30,000,000 steps"),
    "made as often as two axes show": (lambda: both @ roll, "hit, miss"),
    "made as often as a number": (lambda: roll @ 3, "odds(d(6))"),
    "made as often as less than 0": (lambda: (roll - 5) @ roll, "3 @ roll"),
    "mapped to a text": (lambda: roll.map(["x"], lambda pips: "high"), "whole numbers"),
    "mapped to a list": (lambda: roll.map(["x"], lambda pips: [pips]), "whole numbers"),
    "mapped to too few": (lambda: roll.map(["x", "y"], lambda pips: pips), "one for each axis"),
    "mapped to a half": (lambda: roll.map(["x"], lambda pips: pips / 2), "whole numbers"),
    "mapped on one text": (lambda: roll.map("x", lambda pips: pips), "such as ['x']"),
    "mapped by no function": (lambda: roll.map(["x"], 3), "names axes"),
    "followed by no roll": (lambda: roll.then(lambda pips: 3), "odds(d(6))"),
    "combined with no roll": (lambda: roll.combine(3, ["x"], max), "odds(d(6))"),
    "sampled by a wrong source": (lambda: roll.sample(lambda n: n), "not below"),
    "what never happens": (lambda: roll.given(pips=99), "never comes up"),
    # Distributions of one's own.
    "outcomes as a list": (lambda: of(["x"], [1, 2]), "a dict of rows"),
    "rows as numbers on two axes": (lambda: of(["x", "y"], {1: 1, 2: 1}), "such as (1,)"),
    "a mixture with less than nothing": (
        lambda: use.Distribution.mixture([(roll, -1)]),
        "0 or more",
    ),
    "combined by a function of one": (
        lambda: roll.combine(roll, ["x"], lambda row: row),
        "1 positional",
    ),
    "rows of texts": (lambda: of(["x"], {("a",): 1}), "whole numbers"),
    "rows of another length": (lambda: of(["x"], {(1, 2): 1}), "give 1 numbers"),
    "a float as a weight": (lambda: of(["x"], {(1,): 0.5}), "a Fraction"),
    "a weight below 0": (lambda: of(["x"], {(1,): -1}), "0 or more"),
    "no outcome at all": (lambda: of(["x"], {}), "at least one row"),
    "axes of outcomes as a text": (lambda: of("x", {(1,): 1}), "such as ['x']"),
    "axes of one name": (lambda: of(["x", "x"], {(1, 1): 1}), "different names"),
    "a mixture of rolls alone": (
        lambda: use.Distribution.mixture([roll, roll]),
        "(distribution, weight)",
    ),
    "a mixture with a float": (lambda: use.Distribution.mixture([(roll, 0.5)]), "a Fraction"),
    # Single dice.
    "keep of a text": (lambda: use.keep("4d6", highest=3), "write 4 @ d(6)"),
    "keep of odds": (lambda: use.keep(odds(4 @ d(6)), highest=3), "keep(4 @ d(6), highest=3)"),
    "drop of odds": (lambda: use.drop(4 @ odds(d(6)), lowest=1), "keep([a, b], highest=1)"),
    "sets of odds": (lambda: use.sets(odds(4 @ d(6))), "not its single dice"),
    "runs of odds": (lambda: use.runs(odds(4 @ d(6))), "not its single dice"),
    "by face of odds": (
        lambda: use.by_face(roll, ["n"], 0, lambda s, f, n: s + n),
        "not its single dice",
    ),
    "keep without a number": (lambda: use.keep(4 @ use.d(6)), "highest=1"),
    "keep a half": (lambda: use.keep(4 @ use.d(6), highest=1.5), "highest=2"),
    "keep fewer than none": (lambda: use.keep(4 @ use.d(6), highest=-1), "0 or more"),
    "drop without a number": (lambda: use.drop(4 @ use.d(6)), "lowest=1"),
    "drop a text": (lambda: use.drop(4 @ use.d(6), lowest="one"), "lowest=2"),
    "keep by no axis of two": (lambda: use.keep(2 @ two_axes, highest=1), "by='hit'"),
    "keep by an axis that is not there": (
        lambda: use.keep(2 @ two_axes, highest=1, by="star"),
        "hit, miss",
    ),
    "sets of no dice": (lambda: use.sets([]), "Say by which axis"),
    "sets of a text": (lambda: use.sets("5d6"), "write 5 @ d(6)"),
    "runs of a number": (lambda: use.runs(5), "d(5)"),
    "by face without a function": (
        lambda: use.by_face(2 @ use.d(6), ["n"], 0, 3),
        "lambda state, face, n",
    ),
    "by face to a text": (
        lambda: use.by_face(2 @ use.d(6), ["n"], "", lambda s, f, n: s),
        "whole numbers",
    ),
    "by face on one text": (
        lambda: use.by_face(2 @ use.d(6), "n", 0, lambda s, f, n: s),
        "such as ['n']",
    ),
    "by face with a last state that has no hash": (
        lambda: use.by_face(d(1), ["n"], 0, lambda s, f, n: [n]),
        "write tuple(state)",
    ),
    "by face with states that have no hash": (
        lambda: use.by_face(2 @ d(6), ["n"], [], lambda s, f, n: [*s, n]),
        "write tuple(state)",
    ),
    "explode several dice": (lambda: use.explode(3 @ use.d(6)), "3 @ explode"),
    "explode a text": (lambda: use.explode("d6"), "explode(d(6), ...)"),
    "explode by halves": (lambda: use.explode(use.d(6), times=1.5), "times=1"),
    "explode less than never": (lambda: use.explode(use.d(6), times=-1), "times=1"),
    "explode on two axes": (lambda: use.explode(two_axes), "hit, miss"),
    "explode on a text": (lambda: use.explode(use.d(6), ">=5"), "pips=ge(5)"),
    "reroll nothing": (lambda: use.reroll(use.d(6)), "reroll(d(6), le(2))"),
    "reroll without end": (lambda: use.reroll(use.d(6), use.ge(1)), "times=1"),
    "reroll an axis that is not there": (lambda: use.reroll(use.d(6), hit=1), "ask about pips"),
    # Games.
    "a game that is not there": (lambda: get("starwarz"), "starwars"),
    "a pool as a number": (lambda: one.odds(3), "text in its notation"),
    "a letter of no die": (lambda: one.odds("2X"), "their letters are"),
    "a die of no such name": (lambda: one.odds({"luck": 1}), "ability"),
    "half of an ability die": (lambda: one.odds({"ability": 0.5}), "numbers of"),
    "a term of no game": (lambda: one.odds("2A", luck=3), "Leave it out"),
    # Rolling again, and samples.
    "dice that lie without faces": (
        lambda: best([use.d(6)], axes, rerolls.at_least(pips=3)),
        "(d(6), 5)",
    ),
    "a face that is no face": (
        lambda: best([(use.d(6), "six")], axes, rerolls.at_least(pips=3)),
        "(d(6), 5)",
    ),
    "dice planned as a text": (
        lambda: planned("2d6", axes, rerolls.at_least(pips=3)),
        "write 2 @ d(6)",
    ),
    "odds to roll again": (
        lambda: planned(roll, axes, rerolls.at_least(pips=3)),
        "Dice with faces",
    ),
    "a goal that is a text": (lambda: planned(2 @ use.d(6), axes, "high"), "names axes"),
    "a goal on no axis": (
        lambda: planned(2 @ use.d(6), axes, rerolls.at_least(hit=3)),
        "ask about pips",
    ),
    "faces of a text": (lambda: draw.faces("2d6", 3, rng), "write 2 @ d(6)"),
    "samples of a die": (lambda: draw.sample(use.d(6), 3, rng), "odds(d(6))"),
    "half a sample": (lambda: draw.sample(roll, 1.5, rng), "whole number"),
}

OURS = (Misused, UnknownAxis, TooManyDice, LookupError, ValueError, Refused)


@pytest.mark.parametrize("name", MISUSES)
def test_misuse_gets_a_sentence(name: str) -> None:
    """It names the nearest right way, and no internal error appears."""
    ask, hint = MISUSES[name]
    with pytest.raises(OURS) as raised:
        ask()
    error = raised.value
    text = " ".join([str(error), *getattr(error, "__notes__", ())])
    assert hint in text
    assert re.fullmatch(r"\S.*\.", text), "a sentence"
    assert len(text) < 300
    last = extract_tb(error.__traceback__)[-1]
    assert last.filename.startswith(ROOT)
    assert (last.line or "").startswith("raise "), "raised on purpose"


def test_list_has_a_hundred_misuses() -> None:
    """The list does not shrink unnoticed."""
    assert len(MISUSES) >= 150


def test_callers_exception_is_left_alone() -> None:
    """An error in a caller's function reaches the caller."""
    with pytest.raises(KeyError, match="mine"):
        roll.p(lambda pips: {"yours": True}["mine"])
    with pytest.raises(ZeroDivisionError):
        by_face(2 @ d(6), ["n"], 0, lambda state, face, n: 1 // 0)


def test_endless_states_are_refused() -> None:
    """A question with too many states is refused after a number of steps."""
    few = Allowance(steps=10_000)
    with allowing(few), pytest.raises(TooManyDice, match="more than 10,000 steps"):
        by_face(60 @ d(100), ["n"], 0, lambda state, face, n: 11 * state + n)
