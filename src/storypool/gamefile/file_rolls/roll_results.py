"""The results of the rolls of one question about odds, counted in whole numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain
from math import lcm
from typing import TypeVar

from storypool.engine.bag import Bag
from storypool.engine.copies import replace
from storypool.gamefile.file_format.schema import WheneverRow
from storypool.gamefile.file_rolls.read_rolls import Numbers, ReadRoll, RollReader
from storypool.gamefile.file_rolls.roll_effects import Branch, RollEffects, merged
from storypool.gamefile.file_rolls.roll_reading import NOTHING, Terms
from storypool.odds.polynomial import Row

__all__ = ["RollResults"]


@dataclass(frozen=True, slots=True)
class _Alike:
    """Branches after which every roll has the same numbers, whole weights, and known rungs."""

    branches: list[tuple[Terms, int]]
    added: Bag
    weight: int
    rungs: dict[object, list[tuple[str, int]]]


class RollResults:
    """Counts the results of the rolls of a question, once the rows that follow them are done."""

    def __init__(self, effects: RollEffects, terms: Terms, pool: Bag) -> None:
        self._effects, self._reader = effects, RollReader(effects.reading, pool)
        self._known: dict[object, list[Branch]] = {}
        self._counts: dict[int, tuple[dict[Row, int], dict[str, int]]] = {}
        # What the first rows lead to without a look at the roll is the same for every roll.
        self._ahead, rows = [Branch(None, pool, terms)], [*effects.rows]
        while rows and effects.is_apart(rows[0]):
            self._ahead = self._after(rows.pop(0), self._ahead)
        self._further = []
        for row in rows:
            after = self._after if effects.is_apart(row) else self._after_look
            self._further.append(partial(after, row))
        self._whole = lcm(*(one.chance.denominator for one in self._ahead))
        self._groups = [] if rows else [*self._grouped()]

    def add(self, symbols: tuple[int, ...], figures: Numbers, ways: int) -> int:
        """Count a roll that comes up in this many ways; return the number of its results.

        `symbols` are its symbols on the axes.
        """
        if self._further:
            return self._add_further(ReadRoll(self._reader, symbols, figures), ways)
        rows, rungs = self._out_of(self._whole)
        for one in self._groups:
            numbers = self._reader.numbers(symbols, figures, one.added, one.branches[0][0])
            row = tuple(numbers.values())
            rows[row] = rows.get(row, 0) + one.weight * ways
            for key, weight in self._rungs(one, numbers):
                rungs[key] = rungs.get(key, 0) + weight * ways
        return len(self._ahead)

    def rows(self) -> dict[Row, int]:
        """The weight of each row of numbers, in whole numbers."""
        whole = lcm(*self._counts)
        return _summed((rows, whole // part) for part, (rows, _) in self._counts.items())

    def rungs(self) -> dict[str, Fraction]:
        """The ways to each rung."""
        whole = lcm(*self._counts)
        found = _summed((rungs, whole // part) for part, (_, rungs) in self._counts.items())
        return {key: Fraction(n, whole) for key, n in found.items()}

    def _out_of(self, whole: int) -> tuple[dict[Row, int], dict[str, int]]:
        """The weights of rows and rungs whose chances have this denominator."""
        return self._counts.setdefault(whole, ({}, {}))

    def _grouped(self) -> Iterator[_Alike]:
        """The branches ahead of every roll, those together that count alike."""
        found = dict[object, list[Branch]]()
        for one in self._ahead:
            found.setdefault((one.added, self._reader.counted_by(one.terms)), []).append(one)
        for branches in found.values():
            weights = [int(one.chance * self._whole) for one in branches]
            terms = [one.terms for one in branches]
            yield _Alike([*zip(terms, weights, strict=True)], branches[0].added, sum(weights), {})

    def _rungs(self, alike: _Alike, numbers: Numbers) -> list[tuple[str, int]]:
        """The weight of each rung of a roll with these numbers."""
        reader, key = self._reader, self._reader.judged_by(numbers)
        if key not in alike.rungs:
            found = dict[str, int]()
            for terms, weight in alike.branches:
                rung = reader.outcome(numbers, terms).key
                found[rung] = found.get(rung, 0) + weight
            alike.rungs[key] = [*found.items()]
        return alike.rungs[key]

    def _add_further(self, roll: ReadRoll, ways: int) -> int:
        """Count a roll that rows look at."""
        branches = [replace(one, roll=roll) for one in self._ahead]
        for after in self._further:
            branches = after(branches)
        for one in branches:
            numbers, chance = roll.numbers(one.added, one.terms), one.chance
            rows, rungs = self._out_of(chance.denominator)
            read, key = tuple(numbers.values()), self._reader.outcome(numbers, one.terms).key
            rows[read] = rows.get(read, 0) + chance.numerator * ways
            rungs[key] = rungs.get(key, 0) + chance.numerator * ways
        return len(branches)

    def _after_look(self, row: WheneverRow, branches: Iterable[Branch]) -> list[Branch]:
        """The branches after a row that reads the roll."""
        return merged(chain.from_iterable(self._effects.after(row, one) for one in branches))

    def _after(self, row: WheneverRow, branches: Iterable[Branch]) -> list[Branch]:
        """The branches after a row that reads nothing off the roll."""
        found = list[Branch]()
        for branch in branches:
            key = id(row), tuple(sorted(branch.terms.items()))
            if key not in self._known:
                alone = replace(branch, roll=None, added=NOTHING, chance=1)
                self._known[key] = merged(self._effects.after(row, alone))
            for one in self._known[key]:
                added, chance = branch.added + one.added, branch.chance * one.chance
                found.append(replace(branch, terms=one.terms, added=added, chance=chance))
        return merged(found)


N = TypeVar("N", bound=Hashable)


def _summed(parts: Iterable[tuple[Mapping[N, int], int]]) -> dict[N, int]:
    """The sum of these weights, each times a factor."""
    found = dict[N, int]()
    for weights, factor in parts:
        for key, n in weights.items():
            found[key] = found.get(key, 0) + n * factor
    return found
