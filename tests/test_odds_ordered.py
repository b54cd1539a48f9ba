"""Questions about single dice and repeated rolls, against an enumeration of every face."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from statistics import median
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.odds import (
    Allowance,
    Axes,
    Die,
    Distribution,
    Handful,
    TooManyDice,
    allowing,
    by_face,
    d,
    drop,
    explode,
    ge,
    keep,
    odds,
    reroll,
    runs,
    sets,
)
from storypool.odds.allowance import SURFACES

Row = tuple[int, ...]

PIPS = Axes(["pips"])
TWO = Axes(["hit", "star"])

FACES = st.lists(st.integers(-3, 9), min_size=1, max_size=5)
FEW = st.lists(FACES, min_size=1, max_size=4)
"""Single dice by the numbers on their faces; some are equal."""

PAIRS = st.lists(
    st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2)), min_size=1, max_size=4), max_size=4
)
"""Single dice with two symbols on each face."""


def dice(faces: Sequence[Sequence[int]]) -> Handful:
    """The dice with these numbers, equal ones together."""
    return Handful(
        [Die(f"die {numbers}", [{"pips": n} for n in numbers]) for numbers in map(tuple, faces)]
    )


def rolled(
    faces: Sequence[Sequence[int]], number: Callable[[list[int]], Row | int]
) -> dict[Row, Fraction]:
    """The odds of a function of the rolled numbers, by enumeration."""
    tally: Counter[Row] = Counter()
    for values in product(*faces):
        made = number(sorted(values))
        tally[made if isinstance(made, tuple) else (made,)] += 1
    return {row: Fraction(n, tally.total()) for row, n in tally.items()}


def exact(of: Distribution) -> dict[Row, Fraction]:
    """The odds of each row."""
    return dict(of.joint())


@given(FEW, st.integers(0, 5), st.integers(0, 5))
def test_keep_and_drop_match_every_roll(faces: list[list[int]], high: int, low: int) -> None:
    """The highest, lowest or both are kept and dropped, of equal and different dice."""
    pool = dice(faces)
    low += not (high or low)
    n = len(faces)
    kept = rolled(
        faces,
        lambda values: sum(
            n for place, n in enumerate(values) if place < low or place >= len(values) - high
        ),
    )
    assert kept == exact(keep(pool, PIPS, highest=high, lowest=low))
    assert rolled(faces, lambda values: sum(values[low : max(low, n - high)])) == exact(
        drop(pool, PIPS, highest=high, lowest=low)
    )


@given(FEW)
def test_largest_set_matches_every_roll(faces: list[list[int]]) -> None:
    """Its size, and the highest number with that size."""
    assert rolled(faces, lambda values: max((values.count(n), n) for n in values)) == exact(
        sets(dice(faces), PIPS)
    )


@given(FEW)
def test_longest_run_matches_every_roll(faces: list[list[int]]) -> None:
    """Its length and highest number, of the highest run if there are several."""

    def longest(values: list[int]) -> Row:
        ends = [
            (1 + next(n for n in range(len(values) + 1) if end - n - 1 not in values), end)
            for end in values
        ]
        return max(ends)

    assert rolled(faces, longest) == exact(runs(dice(faces), PIPS))


@given(FEW, st.booleans())
def test_question_by_face_matches_every_roll(faces: list[list[int]], descending: bool) -> None:
    """A function gets each face in order with its number, and has the enumerated odds."""
    shown = sorted({n for numbers in faces for n in numbers}, reverse=descending)

    def step(state: Row, face: int, n: int) -> Row:
        return (*state, 10 * face + n)

    def whole(values: list[int]) -> Row:
        return tuple(10 * face + values.count(face) for face in shown)

    names, start = [f"place {n}" for n in range(len(shown))], cast(Row, ())
    assert rolled(faces, whole) == exact(
        by_face(dice(faces), names, start, step, PIPS, descending=descending)
    )


@given(PAIRS, st.integers(1, 3))
def test_symbols_are_kept_by_a_named_axis(faces: list[list[tuple[int, int]]], n: int) -> None:
    """Dice with several symbols are kept by one axis, with all their symbols."""
    handful = [Die(f"{die}", [{"hit": hit, "star": star} for hit, star in die]) for die in faces]
    tally: Counter[Row] = Counter()
    for values in product(*faces):
        best = sorted(values, key=lambda face: (face[1], face))[-n:]
        tally[sum(hit for hit, _ in best), sum(star for _, star in best)] += 1
    expected = {row: Fraction(count, tally.total()) for row, count in tally.items()}
    assert expected == exact(keep(handful, TWO, highest=n, by="star"))


@given(FACES, st.integers(0, 3), st.integers(-3, 9))
def test_exploding_die_rolls_on(numbers: list[int], times: int, least: int) -> None:
    """A custom condition is limited in its rolls, and the last roll always counts."""

    def from_here(left: int) -> Iterator[tuple[int, Fraction]]:
        for n in numbers:
            if n >= least and left:
                yield from ((n + more, odds / len(numbers)) for more, odds in from_here(left - 1))
            else:
                yield n, Fraction(1, len(numbers))

    assert summed(from_here(times)) == exact(
        explode(odds(dice([numbers]), PIPS), ge(least), times=times)
    )


@given(FACES, st.integers(0, 3), st.integers(-3, 9))
def test_rerolled_die_has_combined_odds(numbers: list[int], times: int, least: int) -> None:
    """A limit is respected; without one the condition's faces are as if absent."""

    def from_here(left: int) -> Iterator[tuple[int, Fraction]]:
        for n in numbers:
            if n >= least and left:
                yield from ((other, odds / len(numbers)) for other, odds in from_here(left - 1))
            else:
                yield n, Fraction(1, len(numbers))

    die = odds(dice([numbers]), PIPS)
    assert summed(from_here(times)) == exact(reroll(die, ge(least), times=times))
    if min(numbers) < least:
        assert die.given(lambda pips: pips < least) == reroll(die, ge(least))


@given(FACES, FACES, st.integers(-2, 3), st.integers(0, 3))
def test_rolls_have_arithmetic(mine: list[int], theirs: list[int], factor: int, times: int) -> None:
    """`+`, `-`, `n *`, `n @` and numbers work for dice and counted odds."""
    one, other = odds(dice([mine]), PIPS), odds(dice([theirs]), PIPS)
    for a, b in ((one, other), (counted(one), counted(other))):
        assert pairs(mine, theirs, lambda x, y: x + y) == exact(a + b)
        assert pairs(mine, theirs, lambda x, y: x - y) == exact(a - b)
        assert pairs(mine, [0], lambda x, _: factor * x) == exact(factor * a)
        assert pairs(mine, [0], lambda x, _: factor - x) == exact(factor - a)
        assert pairs(mine, [0], lambda x, _: x + factor) == exact(a + factor)
        assert rolled([mine] * times, sum) == exact(times @ a)
        assert rolled([mine] * times + [theirs], sum) == exact(odds([(a, times), b]))


@given(FACES, FACES, st.integers(-4, 10))
def test_rolls_multiply_and_compare(mine: list[int], theirs: list[int], n: int) -> None:
    """`*`, `>=`, `>`, `<=`, `<`, `eq` and `ne` match all pairs of faces, and of numbers."""
    a, b = odds(dice([mine]), PIPS), odds(dice([theirs]), PIPS)
    assert pairs(mine, theirs, operator.mul) == exact(a * b)
    for other, numbers in ((b, theirs), (n, [n])):
        for found, holds in zip(compared(a, other), COMPARED, strict=True):
            times = Fraction(sum(holds(*pair) for pair in product(mine, numbers)))
            assert times / len(mine) / len(numbers) == found.mean() == found.p(1)
            assert ("times",) == found.axes


@given(FACES)
def test_measures_match_every_face(numbers: list[int]) -> None:
    """Median and quantiles are those of the listed faces."""
    roll, faces = odds(dice([numbers]), PIPS), sorted(numbers)
    assert Fraction(median(Fraction(n) for n in faces)) == roll.median()
    for place, face in enumerate(faces):
        assert face == roll.quantile(Fraction(2 * place + 1, 2 * len(faces)))


def test_comparisons_are_counted() -> None:
    """The number of rolls that hold is the binomial distribution."""
    five = 5 @ (odds(d(6)) >= 5)
    assert {n: comb(5, n) * 2 ** (5 - n) for n in range(6)} == five.counts


def test_higher_of_two_rolls_is_kept() -> None:
    """Rolls act as dice: the higher of two pools, the best of three, a set of three sums."""
    mine, theirs = odds(3 @ d(6)), odds(2 @ d(8))
    both = Counter(
        {(n, m): a * b for n, a in mine.counts.items() for m, b in theirs.counts.items()}
    )
    higher: Counter[int] = Counter()
    for (n, m), ways in both.items():
        higher[max(n, m)] += ways
    assert {(n,): Fraction(ways, both.total()) for n, ways in higher.items()} == exact(
        keep([mine, theirs], highest=1)
    )
    six = keep({drop(4 @ d(6), lowest=1): 6}, highest=1)
    assert 1 - (1 - Fraction(21, 1296)) ** 6 == six.p(18)


def test_distant_numbers_are_added() -> None:
    """Numbers too far apart to pack are counted one by one."""
    far = Distribution.from_outcomes(["gold"], {(0,): 1, (10**12,): 1})
    assert {(0,): 1, (10**12,): 3, (2 * 10**12,): 3, (3 * 10**12,): 1} == dict((3 @ far).row_counts)
    assert (far + far).p(10**12) == Fraction(1, 2)
    assert (10**9 * odds(d(6))).p(5 * 10**9) == Fraction(1, 6)
    assert (10**9 * odds(d(6)) + odds(d(6))).p(5 * 10**9 + 1) == Fraction(1, 36)


def test_no_dice_show_nothing() -> None:
    """An empty roll adds up to nothing, whatever is kept."""
    nothing = Distribution.from_outcomes(["pips"], {(0,): 1})
    assert nothing == keep([], PIPS, highest=2) == drop(0 @ d(6), PIPS, lowest=1) == 0 @ odds(d(6))
    assert {(0, 0): Fraction(1)} == exact(sets([], PIPS)) == exact(runs([], PIPS))


def test_single_dice_respect_an_allowance() -> None:
    """A question within `allowing` is refused when its steps cost more."""
    with allowing(20), pytest.raises(TooManyDice, match="are left for them"):
        sets(20 @ d(20))
    with allowing(10**6):
        assert sets(5 @ d(6)).p(size=5) == Fraction(1, 1296)
    asked: list[Callable[[], object]] = [
        lambda: keep(101 @ d(6), highest=1, allowance=SURFACES),
        lambda: drop(101 @ d(6), lowest=1, allowance=SURFACES),
        lambda: sets(101 @ d(6), allowance=SURFACES),
        lambda: runs(101 @ d(6), allowance=SURFACES),
        lambda: by_face(101 @ d(6), ["n"], 0, lambda *_: 0, allowance=SURFACES),
    ]
    for ask in asked:
        with pytest.raises(TooManyDice, match="at most 100"):
            ask()
    assert keep(101 @ d(6), highest=1).p(1) == Fraction(1, 6**101)


def test_long_numbers_count_for_more_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of long numbers are refused after fewer steps, as each takes longer."""
    few = Allowance(steps=10_000)
    monkeypatch.setattr("storypool.odds.ranked.STEP_BITS_LOG2", 30)
    assert keep(30 @ d(60), highest=10, allowance=few).total == 60**30
    monkeypatch.setattr("storypool.odds.ranked.STEP_BITS_LOG2", 13)
    with pytest.raises(TooManyDice, match="more than 10,000 steps"):
        keep(30 @ d(60), highest=10, allowance=few)


COMPARED = (
    operator.ge,
    operator.gt,
    operator.le,
    operator.lt,
    operator.eq,
    operator.ne,
)
"""The comparisons of numbers, in the order of `compared`."""


def compared(a: Distribution, b: Distribution | int) -> tuple[Distribution, ...]:
    """Every comparison of a roll with another or with a number."""
    return a >= b, a > b, a <= b, a < b, a.eq(b), a.ne(b)


def counted(of: Distribution) -> Distribution:
    """The same odds as counts."""
    return Distribution.from_outcomes(of.axes, of.row_counts)


def pairs(
    mine: Iterable[int], theirs: Iterable[int], number: Callable[[int, int], int]
) -> dict[Row, Fraction]:
    """The odds of a number of two dice."""
    return rolled([[number(x, y) for x in mine for y in theirs]], sum)


def summed(parts: Iterable[tuple[int, Fraction]]) -> dict[Row, Fraction]:
    """The odds of each sum."""
    found: dict[Row, Fraction] = {}
    for n, share in parts:
        found[n,] = found.get((n,), Fraction(0)) + share
    return found


@given(st.lists(st.integers(-3, 6), min_size=1, max_size=4), st.integers(0, 5), st.integers(1, 6))
def test_highest_and_lowest_are_those_of_every_roll(
    faces: list[int], times: int, kept: int
) -> None:
    """A roll made some times gives the sum of its highest or lowest, or of all."""
    one = odds(d(faces), PIPS)
    every = [faces] * times
    assert rolled(every, lambda values: sum(values[-kept:])) == exact(one.highest(times, kept))
    assert rolled(every, lambda values: sum(values[:kept])) == exact(one.lowest(times, kept))
