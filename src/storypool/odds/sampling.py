"""Sampling in bulk: results of a pool, or its real faces, as numpy arrays.

This is the one module that needs numpy, and nothing imports it: `pip install
'storypool[sampling]'`, then import it. The generator is an argument, so the same seed gives the
same sample with the same version of numpy.

>>> import numpy as np
>>> from storypool.engine.bag import Bag
>>> from storypool.engine.dice import Axes, Die
>>> from storypool.odds import odds
>>> axes = Axes({"hit": Bag(hit=1), "flaw": Bag(flaw=1)}, {})
>>> blade = Die("blade", (Bag(hit=2), Bag(hit=1), Bag(), Bag(flaw=1)))
>>> rows = sample(odds({blade: 3}, axes), 1000, np.random.default_rng(7))
>>> rows.shape, rows.dtype, bool(1.9 < rows[:, 0].mean() < 2.6)
((1000, 2), dtype('int16'), True)
>>> thrown = faces({blade: 3}, 1000, np.random.default_rng(7))
>>> thrown.shape, int(thrown.min()), int(thrown.max())
((1000, 3), 1, 4)
>>> bool((net({blade: 3}, axes, thrown)[:, 0] <= 6).all())
True

How it is exact. A row is drawn by comparing one uniform number U in [0, 1) with the cumulative odds
of the rows, which are fractions of whole numbers. The first 64 binary digits of U decide, unless
they are exactly those of a boundary; then more are drawn until it is decided. So each row comes up
with the odds it has, whatever the total, provided that the generator's 64-bit words are uniform; no
floating-point number is involved. A table of the first 16 digits answers most draws without a
search. Sources: D. Knuth and A. Yao, The complexity of nonuniform random number generation (1976);
H.-C. Chen and Y. Asau, On generating random variates from an empirical distribution (1974), for the
table.
"""

from functools import lru_cache
from itertools import accumulate

from storypool.words import BadValue, NotInstalled

__all__ = ["arrays", "faces", "net", "sample"]

try:
    import numpy as np
except ImportError as error:
    raise NotInstalled(
        "Sampling in bulk needs numpy: install it with pip install 'storypool[sampling]'."
    ) from error

from storypool.engine.dice import Axes, Die, Misused, described
from storypool.odds.distribution import Distribution
from storypool.odds.rollable import Dice, counted
from storypool.odds.sums import check_roll

_WORD = 64
_FIRST = 16
"""The binary digits that index the table."""

_AT_A_TIME = 1 << 16
"""Draws per batch, few enough for the processor's cache."""


def sample(of: Distribution, n: int, rng: np.random.Generator) -> np.ndarray:
    """n independent results of a distribution.

    An array of shape (n, axes) in the order of `of.axes`, of int16, or of int64 where a value needs
    it. The first sample of a distribution lays out its rows, so `TooManyDice` when there are too
    many: ask `faces` and `net` then. `ValueError` when n is below 0.
    """
    table = _table(check_roll(of))
    found = np.empty((_number(n), len(of.axes)), table.rows.dtype)
    for start in range(0, n, _AT_A_TIME):
        part = found[start : start + _AT_A_TIME]
        places = table.places(_words(len(part), rng), rng)
        table.rows.take(places, axis=0, out=part, mode="clip")
    return found


def arrays(of: Distribution) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a distribution and their probabilities, for computing with numpy.

    An array of shape (rows, axes), int16 or int64 as from `sample`, in order of the rows, and one
    of shape (rows,) of float64, each the nearest to the exact probability. `TooManyDice` when there
    are too many rows.

    >>> from storypool.odds import d, odds
    >>> numbers, chances = arrays(odds(2 @ d(2)))
    >>> numbers.tolist(), chances.tolist()
    ([[2], [3], [4]], [0.25, 0.5, 0.25])
    """
    return _rows(check_roll(of)), np.array([float(odds) for _, odds in of.joint()], np.float64)


def faces(dice: Dice, n: int, rng: np.random.Generator) -> np.ndarray:
    """n rolls of real dice: an int16 array of shape (n, dice) of printed numbers.

    Every face of a die is equally likely: the bounded numbers of numpy are drawn with rejection (D.
    Lemire, Fast random integer generation in an interval, 2019). `ValueError` when n or a number of
    dice is below 0, or for a die without faces.
    """
    columns = _listed(dice)
    found = np.empty((_number(n), len(columns)), np.int16)
    for place, die in enumerate(columns):
        found[:, place] = rng.integers(die.first, die.last, n, dtype=np.int16, endpoint=True)
    return found


def net(dice: Dice, axes: Axes, thrown: np.ndarray) -> np.ndarray:
    """The net of rolls from `faces` of the same dice: int64, shape (n, axes).

    Takes pools of any size, since nothing is laid out. `UnknownSymbol` for one that moves no axis;
    `ValueError` when the rolls are of another number of dice.
    """
    columns = _listed(dice)
    if thrown.shape[1:] != (len(columns),):
        raise BadValue(
            f"These rolls have the shape {thrown.shape}; give one column for each of {len(columns)}"
            " dice."
        )
    found = np.zeros((len(thrown), len(axes.names)), np.int64)
    for place, die in enumerate(columns):
        steps = []
        for face in map(axes.net, die.faces):
            steps.append([face[name] for name in axes.names])
        found += np.array(steps, np.int64)[thrown[:, place] - die.first]
    return found


class _Table:
    """The rows of a distribution, and where each begins among all numbers of 64 binary digits.

    Row i begins where U is `begins[i]` + `rests[i]` / `total`, in units of the 64th digit; row 0 at
    0. `firsts` has the place of the row for each beginning of 16 digits, or -1 where a row begins
    within.
    """

    def __init__(self, of: Distribution) -> None:
        self.rows = _rows(of)
        self.total = of.total
        starts = [0, *accumulate(of.row_counts.values())][:-1]
        self.begins = np.array([(start << _WORD) // self.total for start in starts], np.uint64)
        self.rests = [(start << _WORD) % self.total for start in starts]
        edges = np.arange(1 << _FIRST, dtype=np.uint64) << np.uint64(_WORD - _FIRST)
        low = np.searchsorted(self.begins, edges, side="right") - 1
        high = (
            np.searchsorted(self.begins, edges | np.uint64((1 << _WORD - _FIRST) - 1), side="right")
            - 1
        )
        # The first number of a prefix is undecided too if a row begins at or just after it.
        decided = (low == high) & ~np.isin(edges, self.begins)
        self.firsts = np.where(decided, low, -1)

    def places(self, words: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The row index for each word; a word is the first 64 bits of a uniform number."""
        found = self.firsts.take((words >> np.uint64(_WORD - _FIRST)).astype(np.uint16))
        open_ones = np.flatnonzero(found < 0)
        if len(open_ones):
            asked = words[open_ones]
            places = np.searchsorted(self.begins, asked, side="right") - 1
            for place in np.flatnonzero(self.begins[places] == asked):
                places[place] = self.among(int(asked[place]), int(places[place]), rng)
            found[open_ones] = places
        return found

    def among(self, word: int, place: int, rng: np.random.Generator) -> int:
        """The row of a word that equals a boundary, found by further digits.

        `place` is the last candidate.
        """
        if not self.rests[place]:
            return place
        rest = _below(self.total, rng)
        while self.begins[place] == word and rest < self.rests[place]:
            place -= 1
        return place


_table = lru_cache(maxsize=16)(_Table)


def _rows(of: Distribution) -> np.ndarray:
    """The rows of a distribution in their order."""
    values = list(of.row_counts)
    highest = max((abs(value) for row in values for value in row), default=0)
    dtype = np.int16 if highest < 1 << 15 else np.int64
    return np.array(values, dtype).reshape(len(values), len(of.axes))


def _words(n: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform numbers of 64 binary digits."""
    return rng.integers(0, (1 << _WORD) - 1, n, dtype=np.uint64, endpoint=True)


def _below(total: int, rng: np.random.Generator) -> int:
    """A uniform integer below the total; a higher draw is repeated."""
    bits = total.bit_length()
    while True:
        drawn = 0
        for word in _words(-(-bits // _WORD), rng).tolist():
            drawn = drawn << _WORD | word
        drawn >>= -bits % _WORD
        if drawn < total:
            return drawn


def _number(n: int) -> int:
    given: object = n
    if not isinstance(given, int | np.integer):
        raise Misused(f"A sample has a whole number of results, not {described(n)}.")
    if n < 0:
        raise BadValue(f"A sample cannot have {n} results; give 0 or more.")
    return n


def _listed(dice: Dice) -> list[Die]:
    """Every single die, in the order given."""
    found: list[Die] = []
    for die, n in counted(dice):
        if not die.faces:
            raise BadValue(f"A {die.name} die without faces cannot be rolled.")
        found += [die] * n
    return found
