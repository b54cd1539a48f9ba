"""Grids of pools for a table of odds: how its sides are written, and the odds of each cell.

A side is one of these, with commas between several:

- dice whose number is a range: `1..5 ability`, `0..3 boost 1..2 setback`, `1, 3, 5 ability`;
- whole pools: `2A, 1A1P, 2P`;
- values of a term: `target=6..16`, `reroll=none,failed`;
- a name that the game defines, with numbers of a sheet separated by colons: `skill=1..5:0..5`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from itertools import product
from math import prod
from typing import NamedTuple

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.notation import LONGEST_TEXT, Notation, NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.odds import eq, ge, le
from storypool.odds.allowance import current
from storypool.odds.question import Question, Reckoned, within_limits
from storypool.words import Phrase

MAX_CELLS = 1000
"""The most cells of one table."""

Named = Mapping[str, Callable[..., Bag]]
"""The names that a game defines for a table: functions from numbers of a sheet to dice."""

_RANGE = re.compile(r"(?<![\d.-])(-?\d{1,3})\.\.(-?\d{1,3})(?![\d.])")
_NUMBER = re.compile(r"\s*\d+(?:\.\.\d+)?\s*")
_QUESTION = re.compile(r"\s*([\w-]+)\s*(>=|<=|=)\s*(-?\d{1,4})\s*")
_CONDITIONS = {">=": ge, "<=": le, "=": eq}


class GridLine(NamedTuple):
    """One row or column: its label, and the dice and terms that it adds."""

    label: str
    pool: Bag = Bag()
    terms: Mapping[str, str] = {}


class Side(NamedTuple):
    """The rows or the columns of a table; `name` is their common quantity, if there is one."""

    name: str
    lines: tuple[GridLine, ...]


class Grid(NamedTuple):
    """A table of pools: each cell adds its row and its column to the common dice and terms."""

    system: str
    rows: Side
    cols: Side
    pool: Bag = Bag()
    terms: Mapping[str, str] = {}
    against: Bag | None = None

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.rows.lines) * len(self.cols.lines)

    def reckoned(self) -> Iterator[Reckoned]:
        """The odds of each cell, row by row; `Refused` if the game refuses one."""
        for row, col in product(self.rows.lines, self.cols.lines):
            pool = self.pool + row.pool + col.pool
            terms = {**self.terms, **row.terms, **col.terms}
            yield systems.odds(self.system).reckon(Question(pool, terms, self.against))


def side(text: str, notation: Notation, named: Named, field: str) -> Side:
    """The side of a table that a text describes; `Refused` for an invalid or too long text."""
    if len(text) > LONGEST_TEXT:
        raise _no("long", field, most=LONGEST_TEXT)
    key, is_term, values = (part.strip() for part in text.partition("="))
    listed = values if is_term else text
    pieces = [piece.strip() for piece in listed.split(",")]
    if not all(pieces) or (is_term and not key):
        raise _no("empty", field)
    if is_term:
        return _of_term(key, pieces, named, field)
    whole = list(pieces)
    for i in range(len(whole) - 2, -1, -1):
        # A number alone counts the same dice as the number after it.
        if _NUMBER.fullmatch(whole[i]):
            whole[i] += " " + _NUMBER.sub("", whole[i + 1], count=1)
    steps = [step for piece in whole for step in _dice(piece, notation, field)]
    counted, *others = {_NUMBER.sub("", piece, count=1) for piece in whole}
    of_one_kind = len({die for step in steps for die in step.pool}) < 2
    if others or not of_one_kind or not all(map(_NUMBER.match, whole)) or _RANGE.search(counted):
        return _at_most("", steps, field)
    return _at_most(counted, [step._replace(label=_first(step.label)) for step in steps], field)


def check_grid(grid: Grid) -> Grid:
    """The grid; `Refused` for too many cells or dice, or a term given twice."""
    if grid.cells > MAX_CELLS:
        raise _no("cells", "rows", n=grid.cells, most=MAX_CELLS)
    most, terms = grid.pool.total, Counter(list(grid.terms))
    for side in (grid.rows, grid.cols):
        most += max(step.pool.total for step in side.lines)
        terms.update({key for step in side.lines for key in step.terms})
    with within_limits():
        # Check only the largest pool, before any odds are computed.
        current().check_dice(most)
    for key in sorted(terms):
        if terms[key] > 1:
            raise _no("twice", key, key=key)
    return grid


def share(of: Reckoned, question: str = "") -> Fraction:
    """The odds of an outcome, or of a condition on an axis such as success>=2.

    By default the first. `Refused` lists the valid questions.
    """
    if not question:
        return next(iter(of.outcomes.values()))
    if question in of.outcomes:
        return of.outcomes[question]
    asked = _QUESTION.fullmatch(question)
    if asked and asked[1] in of.distribution.axes:
        with within_limits():
            return of.distribution.p(**{asked[1]: _CONDITIONS[asked[2]](int(asked[3]))})
    axis = of.distribution.axes[0]
    raise _no("show", "show", show=question[:40], known=", ".join(of.outcomes), axis=axis)


def _of_term(key: str, pieces: Sequence[str], named: Named, field: str) -> Side:
    """A side of the values of a term, or of the dice for a name that the game defines."""
    values = [value for piece in pieces for value in _spread(piece, field)]
    if key not in named:
        return _at_most(key, [GridLine(value, terms={key: value}) for value in values], field)
    return _at_most(
        key, [GridLine(value, built(key, value, named, field)) for value in values], field
    )


def built(key: str, value: str, named: Named, field: str) -> Bag:
    """The dice of a name that the game defines, for numbers separated by colons.

    `Refused` names the numbers that it needs.

    >>> built("twice", "3", {"twice": lambda n: Bag(coin=2 * n)}, "rows")
    Bag(coin=6)
    """
    asks = list(signature(named[key]).parameters)
    numbers = value.split(":")
    if len(numbers) != len(asks) or not all(re.fullmatch(r"-?\d{1,2}", n) for n in numbers):
        raise _no("named", field, key=key, asks=":".join(asks), got=value[:20])
    pool = named[key](*map(int, numbers))
    if any(n < 0 for n in pool.values()):
        raise _no("named", field, key=key, asks=":".join(asks), got=value[:20])
    return pool


def _dice(text: str, notation: Notation, field: str) -> Iterator[GridLine]:
    """The pools of a text whose numbers may be ranges; a 0 adds none of those dice."""
    ranges = [_numbers(found, field) for found in _RANGE.finditer(text)]
    _check_few(prod(map(len, ranges)), field)

    def read(*numbers: int) -> Bag:
        try:
            return notation.thrown(notation.parse(_filled(text, numbers)))
        except NotationError as wrong:
            raise Refused(Refusal.of("argument", wrong, field)) from None

    # Read the pool with one of each, and the difference that one more makes: notations have no 0.
    ones = [1] * len(ranges)
    first = read(*ones)
    more = [read(*ones[:i], 2, *ones[i + 1 :]) - first for i in range(len(ranges))]
    for numbers in product(*ranges):
        if min(numbers, default=0) < 0:
            raise _no("negative", field)
        pool = sum((one * (n - 1) for one, n in zip(more, numbers, strict=True)), first)
        yield GridLine(_filled(text, numbers), pool)


def _spread(text: str, field: str) -> list[str]:
    """The text once for each number in its ranges."""
    ranges = [_numbers(found, field) for found in _RANGE.finditer(text)]
    _check_few(prod(map(len, ranges)), field)
    return [_filled(text, numbers) for numbers in product(*ranges)]


def _filled(text: str, numbers: Sequence[int]) -> str:
    left = iter(numbers)
    return _RANGE.sub(lambda _: str(next(left)), text)


def _numbers(found: re.Match[str], field: str) -> range:
    low, high = int(found[1]), int(found[2])
    if low > high:
        raise _no("backwards", field, low=low, high=high)
    return range(low, high + 1)


def _first(label: str) -> str:
    found = _NUMBER.match(label)
    return found.group().strip() if found else label


def _check_few(n: int, field: str) -> None:
    if n > MAX_CELLS:
        raise _no("cells", field, n=n, most=MAX_CELLS)


def _at_most(name: str, steps: Sequence[GridLine], field: str) -> Side:
    _check_few(len(steps), field)
    return Side(name.strip(), tuple(steps))


def _no(id: str, field: str, /, **values: object) -> Refused:
    return Refused(Refusal.of("argument", Phrase(f"grid.{id}", **values), field))
