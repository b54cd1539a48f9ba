"""Bulk sampling: every row has exactly its odds, and real faces are those of the dice."""

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
from storypool.engine.dice import Die, Pile
from storypool.odds import Distribution, TooManyDice, odds, sampling
from storypool.systems.narrative.symbol_dice import AXES, BOOST, CHALLENGE, PROFICIENCY, SETBACK
from tests.test_odds import narrative

WORDS = 1 << 64


class Known:
    """A generator of given 64-bit words, which stops after the last one."""

    def __init__(self, words: Iterable[int]) -> None:
        self.words = iter(words)

    def integers(self, low: int, high: int, n: int, dtype: object, endpoint: bool) -> Any:
        """The next n words, if words of full width are requested."""
        assert (0, WORDS - 1, np.uint64, True) == (low, high, dtype, endpoint)
        return np.array([next(self.words) for _ in range(n)], np.uint64)


def digits(number: int, total: int) -> list[int]:
    """The words from which a number up to the total is drawn: its own bits, then spare ones."""
    bits = total.bit_length()
    count = -(-bits // 64)
    whole = number << count * 64 - bits
    return [whole >> 64 * place & WORDS - 1 for place in reversed(range(count))]


def belongs(of: Distribution, number: int) -> tuple[int, ...]:
    """The row for a number below the total times `WORDS`, by adjacent parts in row order."""
    for row, count in of.row_counts.items():
        if number < count * WORDS:
            return row
        number -= count * WORDS
    raise AssertionError("beyond the last row")


@pytest.mark.slow
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
def test_every_number_leads_to_its_row(weights: list[int], data: st.DataObject) -> None:
    """Word and rest give equally likely numbers, so each row has exactly its odds.

    Words are at and near every boundary, where the rest decides, and any other. A rest of the total
    or more is drawn again.
    """
    of = Distribution.from_outcomes(["n"], {(n,): weight for n, weight in enumerate(weights)})
    words, rests, so_far = (
        {0, WORDS - 1, data.draw(st.integers(0, WORDS - 1))},
        {0, of.total - 1},
        0,
    )
    for count in of.row_counts.values():
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
    """Whether this many of n draws are within six standard deviations of the expectation."""
    return abs(found - n * expected) <= 6 * sqrt(n * expected * (1 - expected)) + 1


@pytest.mark.slow
def test_rows_have_their_frequencies() -> None:
    """A sample of several parts has each row about as often as its odds, on every column."""
    of, n = narrative(ability=2, proficiency=1, difficulty=2), 200_000
    rows = sampling.sample(of, n, np.random.default_rng(3))
    assert ((n, 6), np.int16) == (rows.shape, rows.dtype)
    tally = Counter(map(tuple, rows.tolist()))
    assert set(tally) <= set(of.row_counts)
    assert all(close(share, tally[row], n) for row, share in of.joint())


def test_seed_repeats_its_sample() -> None:
    """The generator is an argument: equal seeds give equal rows and faces."""
    of, seeds = narrative(ability=2), (1, 1, 2)
    for drawn in (
        [sampling.sample(of, 500, np.random.default_rng(seed)).tolist() for seed in seeds],
        [sampling.faces({BOOST: 2}, 500, np.random.default_rng(seed)).tolist() for seed in seeds],
    ):
        first, second, other = drawn
        assert first == second != other


def test_small_and_wide_samples() -> None:
    """No draws, no axes and large values give arrays of the right shape."""
    rng = np.random.default_rng(1)
    assert (0, 6) == sampling.sample(narrative(boost=1), 0, rng).shape
    assert [[0] * 6] * 3 == sampling.sample(narrative(), 3, rng).tolist()
    assert (3, 0) == sampling.sample(narrative(boost=1).on(), 3, rng).shape
    wide = Distribution.from_outcomes(["gold"], {(-(1 << 40),): 1})
    assert [[-(1 << 40)]] == sampling.sample(wide, 1, rng).tolist()
    assert (2, 0) == sampling.faces([], 2, rng).shape


def test_real_faces_match_the_dice() -> None:
    """Each die's numbers occur about equally often, in the given order of dice."""
    ten, n = Die("ten", (Bag(),) * 10, first=0), 60_000
    thrown = sampling.faces([(BOOST, 2), ten], n, np.random.default_rng(4))
    assert (n, 3) == thrown.shape
    for column, die in zip(thrown.T.tolist(), (BOOST, BOOST, ten), strict=True):
        tally = Counter(column)
        assert set(range(die.first, die.last + 1)) == set(tally)
        assert all(close(Fraction(1, die.sides), found, n) for found in tally.values())


def test_faces_match_their_symbols() -> None:
    """The net of each roll is that of its faces' symbols."""
    dice = [(PROFICIENCY, 1), (CHALLENGE, 2)]
    thrown = sampling.faces(dice, 50, np.random.default_rng(5))
    for roll, row in zip(thrown.tolist(), sampling.net(dice, AXES, thrown).tolist(), strict=True):
        symbols = PROFICIENCY.face(roll[0]) + CHALLENGE.face(roll[1]) + CHALLENGE.face(roll[2])
        assert [AXES.net(symbols)[axis] for axis in AXES.names] == row


def test_large_pool_still_has_faces() -> None:
    """Too many results are not laid out as rows, but rolled die by die."""
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


def test_invalid_sample_is_refused() -> None:
    """Negative numbers, dice without faces and rolls of other dice get a sentence each."""
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="cannot have -1 results"):
        sampling.sample(narrative(boost=1), -1, rng)
    with pytest.raises(ValueError, match="cannot hold -1 boost dice"):
        sampling.faces({BOOST: -1}, 1, rng)
    with pytest.raises(ValueError, match="without faces"):
        sampling.faces([Pile(BOOST, [])], 1, rng)
    with pytest.raises(ValueError, match="one column for each of 2 dice"):
        sampling.net({BOOST: 2}, AXES, sampling.faces({BOOST: 1}, 1, rng))


def output(program: str) -> str:
    """The output of a program in a separate interpreter."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_missing_numpy_is_explained() -> None:
    """Importing the sampling names the package, and all other odds work."""
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


def test_odds_do_not_import_numpy() -> None:
    """Odds and best re-rolls never pay for the import of numpy."""
    program = (
        "import sys, storypool.odds, storypool.odds.rerolls, storypool.worth.gains; print('numpy'"
        " in sys.modules)"
    )
    assert "False" == output(program)
