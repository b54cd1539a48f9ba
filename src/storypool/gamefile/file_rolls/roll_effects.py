"""The effects of a roll in its odds: terms, symbols and thrown dice of rows on `rolled`.

Odds know an action alone. So they leave out a row that reads a character or the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from storypool.engine.bag import Bag
from storypool.gamefile.file_format.expressions import Scope, Value, expressions_in
from storypool.gamefile.file_format.readable_names import OUTCOME
from storypool.gamefile.file_format.schema import DoRow, FigureRow, WheneverRow
from storypool.gamefile.file_rolls.roll_reading import RollReading, Rung, Terms, TermScope

__all__ = ["RollEffects", "Thrown"]

POINTS = ("gain", "lose")
"""The verbs that change nothing about the roll."""

Numbers = Mapping[str, int]
Thrown = Callable[[Bag, Mapping[str, FigureRow]], Iterable[tuple[Numbers, Fraction]]]
"""The numbers read off thrown dice, each combination with its chance."""


@dataclass(frozen=True)
class _Branch:
    """One way in which a roll goes on: its terms, its symbols on the axes, and its chance."""

    reading: RollReading
    figures: Numbers
    pool: Mapping[str, int]
    terms: Terms
    net: Bag
    chance: Fraction = Fraction(1)
    thrown: Numbers = field(default_factory=dict)

    @cached_property
    def rung(self) -> Rung:
        """What the roll comes to by now."""
        reading = self.reading
        numbers = reading.counted(self.net, self.figures, self.terms, self.pool)
        return reading.rung(numbers, self.terms, self.pool)


class _BranchScope(Scope):
    """The names of a row: thrown numbers, terms, the outcome, and numbers read off the roll."""

    def __init__(self, branch: _Branch) -> None:
        self.branch = branch

    def value(self, name: str) -> Value:
        """The nearest meaning of a name."""
        branch = self.branch
        if name in branch.thrown:
            return branch.thrown[name]
        if name in branch.terms:
            return branch.terms[name]
        return branch.rung.outcome.key if name == OUTCOME else branch.rung.net[name]

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """The number of dice of a kind in the pool."""
        return self.branch.pool.get(about[0], 0)


class RollEffects:
    """The rows on `rolled` that odds follow."""

    def __init__(self, reading: RollReading, thrown: Thrown) -> None:
        self.reading, self.thrown = reading, thrown
        self.rows = reading.followed
        self._apart = [self._is_apart(row) for row in self.rows]
        self._known = lru_cache(maxsize=256)(self._without_roll)

    def after(
        self, net: Bag, figures: Numbers, terms: Terms, pool: Mapping[str, int]
    ) -> list[tuple[Rung, int | Fraction]]:
        """Each result of a roll once its rows are done, with its chance."""
        reading = self.reading
        if not self.rows:
            return [(reading.rung(reading.counted(net, figures, terms, pool), terms, pool), 1)]
        branches = [_Branch(reading, figures, pool, terms, net)]
        for n, row in enumerate(self.rows):
            done: list[_Branch] = []
            for branch in branches:
                done += self._alike(n, branch) if self._apart[n] else self._row(row, branch)
            branches = _merged(done)
        counted = dict[object, Bag]()
        results = list[tuple[Rung, int | Fraction]]()
        for one in branches:
            # Branches seldom differ in what counts read.
            key = (one.net, *(one.terms.get(name) for name in reading.counted_terms))
            if key not in counted:
                counted[key] = reading.counted(one.net, figures, one.terms, pool)
            results.append((reading.rung(counted[key], one.terms, pool), one.chance))
        return results

    def _row(self, row: WheneverRow, branch: _Branch) -> list[_Branch]:
        if row.when is None or row.when.holds(_BranchScope(branch)):
            return self._done(row.do, branch)
        return [branch]

    def _is_apart(self, row: WheneverRow) -> bool:
        """Whether a row reads nothing off the roll, so that it is the same after each."""
        read = {name for one in expressions_in(row) for name in one.names}
        return read.isdisjoint({OUTCOME, *self.reading.numbers})

    def _alike(self, n: int, branch: _Branch) -> Iterator[_Branch]:
        """What a branch leads to by a row that reads nothing off the roll."""
        for one in self._known(n, tuple(sorted(branch.terms.items())), Bag(branch.pool)):
            net, chance = branch.net + one.net, branch.chance * one.chance
            yield replace(branch, terms=one.terms, net=net, chance=chance)

    def _without_roll(
        self, n: int, terms: tuple[tuple[str, Value], ...], pool: Bag
    ) -> list[_Branch]:
        """What a row leads to from these terms, whatever the dice of the roll show."""
        return _merged(self._row(self.rows[n], _Branch(self.reading, {}, pool, dict(terms), Bag())))

    def _done(self, rows: Iterable[DoRow], branch: _Branch) -> list[_Branch]:
        branches = [branch]
        for row in rows:
            found: list[_Branch] = []
            for one in branches:
                holds = row.when is None or row.when.holds(_BranchScope(one))
                found += self._act(row, one) if holds else [one]
            branches = found
        return branches

    def _act(self, row: DoRow, branch: _Branch) -> Iterator[_Branch]:
        scope, verb = _BranchScope(branch), row.verb
        if verb == "throw":
            pool = self.reading.pool_of(row.throw, scope)
            for numbers, chance in self.thrown(pool, row.figures) if pool else ():
                yield replace(
                    branch, chance=branch.chance * chance, thrown={**branch.thrown, **numbers}
                )
            if not pool:
                yield branch
            return
        if verb in POINTS:
            yield branch
            return
        n = 1 if row.n is None else row.n.number(scope)
        if verb == "symbol":
            yield replace(branch, net=branch.net + self.reading.axes.net({row.symbol: n}))
            return
        name = row.set or row.shift
        if verb == "shift":
            value = self.reading.shifted(name, branch.terms.get(name, 0), n)
        else:
            value = row.to(scope) if row.to is not None else 0
        yield replace(branch, terms=self._worked_out(branch.terms, name, value))

    def _worked_out(self, terms: Terms, name: str, value: Value) -> Terms:
        """The terms after a change; those that depend on it move by the difference."""
        found = {**terms, name: value}
        changed = {name} if terms.get(name) != value else set[str]()
        for other, expression in self.reading.terms_in_order.items():
            had = terms.get(other)
            if not changed & expression.names or other in changed or not isinstance(had, int):
                continue
            by = expression.number(TermScope(found)) - expression.number(TermScope(terms))
            if by:
                found[other] = had + by
                changed.add(other)
        return found


def _merged(branches: Iterable[_Branch]) -> list[_Branch]:
    """Branches that differ only in numbers that nothing reads any more, as one."""
    found: dict[object, _Branch] = {}
    for one in branches:
        key = (tuple(sorted(one.terms.items())), one.net)
        same = found.get(key)
        chance = one.chance + (same.chance if same is not None else 0)
        found[key] = replace(one, chance=chance, thrown={})
    return list(found.values())
