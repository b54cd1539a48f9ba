"""Sampling in bulk: every row has exactly the odds that it has, and real faces are those of the
dice.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.odds import Distribution, TooManyDice, odds, sampling
from storypool.systems.narrative.symbol_dice import AXES, BOOST, CHALLENGE, PROFICIENCY, SETBACK
from tests.test_odds import narrative

WORDS = 1 << 64


class Known:
    """A generator whose 64-bit words are given beforehand; it stops when they have run out."""

    def __init__(self, words: Iterable[int]) -> None:
        self.words = iter(words)

    def integers(self, low: int, high: int, n: int, dtype: object, endpoint: bool) -> Any:
        """The next n words, where words of full width are asked for."""
        assert (0, WORDS - 1, np.uint64, True) == (low, high, dtype, endpoint)
        return np.array([next(self.words) for _ in range(n)], np.uint64)


def digits(number: int, total: int) -> list[int]:
    """A number as the words that a number up to the total is drawn from: its own bits first, spare
    ones behind.
    """
    bits = total.bit_length()
    count = -(-bits // 64)
    whole = number << count * 64 - bits
    return [whole >> 64 * place & WORDS - 1 for place in reversed(range(count))]


def belongs(of: Distribution, number: int) -> tuple[int, ...]:
    """The row in whose part a number below the total times `WORDS` is, the rows side by side in
    their order.
    """
    for row, count in of.counts.items():
        if number < count * WORDS:
            return row
        number -= count * WORDS
    raise AssertionError("beyond the last row")


@given(
    st.lists(
        st.integers(1, 9)
        | st.integers(1, 1 << 140)
        | st.sampled_from([1 << 16, 1 << 20, 1 << 48, 1 << 63, 1 << 64]),
        min_size=1,
        max_size=12,
    ),
    st.data(),
)
def test_every_number_leads_to_the_row_in_whose_part_it_is(
    weights: list[int], data: st.DataObject
) -> None:
    """A word and a rest below the total make a number; they are equally likely, so each row has
    exactly its odds.

    Words are those at every boundary, and beside it, where the rest decides; and any other. A rest
    that is not below the total is drawn again.
    """
    of = Distribution.from_outcomes(["n"], {(n,): weight for n, weight in enumerate(weights)})
    words, rests, so_far = (
        {0, WORDS - 1, data.draw(st.integers(0, WORDS - 1))},
        {0, of.total - 1},
        0,
    )
    for count in of.counts.values():
        so_far += count
        word, rest = divmod(so_far * WORDS, of.total)
        words |= {word + beside for beside in (-1, 0, 1) if 0 <= word + beside < WORDS}
        rests |= {rest + beside for beside in (-1, 0) if rest + beside >= 0}
    for word in words:
        for rest in rests:
            expected = belongs(of, word * of.total + rest)
            feed = Known([word, *digits(of.total, of.total), *digits(rest, of.total)])
            assert [list(expected)] == sampling.sample(of, 1, feed).tolist()


def close(expected: Fraction, found: int, n: int) -> bool:
    """Whether so many of n draws are within six standard deviations of what is expected."""
    return abs(found - n * expected) <= 6 * sqrt(n * expected * (1 - expected)) + 1


@pytest.mark.slow
def test_rows_come_up_as_often_as_they_should() -> None:
    """A sample of more than one part has every row about as often as its odds say, on each of its
    columns.
    """
    of, n = narrative(ability=2, proficiency=1, difficulty=2), 200_000
    rows = sampling.sample(of, n, np.random.default_rng(3))
    assert ((n, 6), np.int16) == (rows.shape, rows.dtype)
    tally = Counter(map(tuple, rows.tolist()))
    assert set(tally) <= set(of.counts)
    assert all(close(share, tally[row], n) for row, share in of.joint())


def test_a_seed_gives_the_same_sample() -> None:
    """The generator is an argument: the same seed, the same rows and faces."""
    of, seeds = narrative(ability=2), (1, 1, 2)
    for drawn in (
        [sampling.sample(of, 500, np.random.default_rng(seed)).tolist() for seed in seeds],
        [sampling.faces({BOOST: 2}, 500, np.random.default_rng(seed)).tolist() for seed in seeds],
    ):
        first, second, other = drawn
        assert first == second != other


def test_small_and_wide_samples() -> None:
    """No draws, no axes, and values that need more room are arrays of the right shape."""
    rng = np.random.default_rng(1)
    assert (0, 6) == sampling.sample(narrative(boost=1), 0, rng).shape
    assert [[0] * 6] * 3 == sampling.sample(narrative(), 3, rng).tolist()
    assert (3, 0) == sampling.sample(narrative(boost=1).on(), 3, rng).shape
    wide = Distribution.from_outcomes(["gold"], {(-(1 << 40),): 1})
    assert [[-(1 << 40)]] == sampling.sample(wide, 1, rng).tolist()
    assert (2, 0) == sampling.faces([], 2, rng).shape


def test_real_faces_are_those_of_the_dice() -> None:
    """Every printed number of each die comes up about equally often, the dice in the order
    given.
    """
    ten, n = Die("ten", (Bag(),) * 10, first=0), 60_000
    thrown = sampling.faces([(BOOST, 2), ten], n, np.random.default_rng(4))
    assert (n, 3) == thrown.shape
    for column, die in zip(thrown.T.tolist(), (BOOST, BOOST, ten), strict=True):
        tally = Counter(column)
        assert set(range(die.first, die.last + 1)) == set(tally)
        assert all(close(Fraction(1, die.sides), found, n) for found in tally.values())


def test_faces_come_to_rest_where_their_symbols_say() -> None:
    """The net of each roll is that of the symbols on its faces."""
    dice = [(PROFICIENCY, 1), (CHALLENGE, 2)]
    thrown = sampling.faces(dice, 50, np.random.default_rng(5))
    for roll, row in zip(thrown.tolist(), sampling.net(dice, AXES, thrown).tolist(), strict=True):
        symbols = PROFICIENCY.face(roll[0]) + CHALLENGE.face(roll[1]) + CHALLENGE.face(roll[2])
        assert [AXES.net(symbols)[axis] for axis in AXES.names] == row


def test_a_pool_too_large_for_its_rows_has_faces_still() -> None:
    """What has too many results to lay out is refused, and rolled die by die instead."""
    large, rng, n = (
        {PROFICIENCY: 25, BOOST: 25, CHALLENGE: 25, SETBACK: 25},
        np.random.default_rng(6),
        2_000,
    )
    of = odds(large, AXES)
    with pytest.raises(TooManyDice):
        sampling.sample(of, 1, rng)
    rows = sampling.net(large, AXES, sampling.faces(large, n, rng))
    for place, axis in enumerate(AXES.names):
        assert abs(rows[:, place].mean() - float(of.mean(axis))) <= 6 * sqrt(of.variance(axis) / n)


def test_what_cannot_be_drawn_is_refused() -> None:
    """Numbers below zero, a die without faces, and rolls of other dice each give one sentence."""
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="cannot have -1 results"):
        sampling.sample(narrative(boost=1), -1, rng)
    with pytest.raises(ValueError, match="cannot hold -1 boost dice"):
        sampling.faces({BOOST: -1}, 1, rng)
    with pytest.raises(ValueError, match="without faces"):
        sampling.faces([Die("none", ())], 1, rng)
    with pytest.raises(ValueError, match="one column for each of 2 dice"):
        sampling.net({BOOST: 2}, AXES, sampling.faces({BOOST: 1}, 1, rng))


def output(program: str) -> str:
    """What a program says in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_without_numpy_one_sentence_says_what_to_install() -> None:
    """Where numpy is missing, importing the sampling says how to get it, and everything else of the
    odds works.
    """
    program = """
import sys
sys.modules["numpy"] = None
import storypool.odds, storypool.odds.rerolls
try:
    import storypool.odds.sampling
except ImportError as error:
    print(error)
"""
    assert (
        "Sampling in bulk needs numpy: install it with pip install 'storypool[sampling]'."
        == output(program)
    )


def test_the_odds_do_not_import_numpy() -> None:
    """Asking for odds, and for the best dice to roll again, never pays for the import of numpy."""
    program = (
        "import sys, storypool.odds, storypool.odds.rerolls, storypool.worth.gains; print('numpy'"
        " in sys.modules)"
    )
    assert "False" == output(program)
