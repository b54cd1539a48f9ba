"""The effects of a roll in its odds: terms, symbols and thrown dice of rows on `rolled`.

Odds know an action alone. So they leave out a row that reads a character or the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from storypool.engine.bag import Bag
from storypool.engine.copies import replace
from storypool.gamefile.file_format.expressions import Scope, Value, expressions_in
from storypool.gamefile.file_format.readable_names import OUTCOME
from storypool.gamefile.file_format.schema import DoRow, FigureRow, WheneverRow
from storypool.gamefile.file_rolls.read_rolls import Numbers, ReadRoll
from storypool.gamefile.file_rolls.roll_reading import NOTHING, RollReading, Terms, TermScope

__all__ = ["Branch", "RollEffects", "Thrown", "merged"]

POINTS = ("gain", "lose")
"""The verbs that change nothing about the roll."""

Thrown = Callable[[Bag, Mapping[str, FigureRow]], Iterable[tuple[Numbers, Fraction]]]
"""The numbers read off thrown dice, each combination with its chance."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way in which a roll goes on: its terms, the symbols added to it, and its chance."""

    roll: ReadRoll | None
    pool: Bag
    terms: Terms
    added: Bag = NOTHING
    chance: int | Fraction = 1
    thrown: Numbers = field(default_factory=dict)


class _BranchScope(Scope):
    """The names of a row: thrown numbers, terms, the outcome, and numbers read off the roll."""

    def __init__(self, branch: Branch) -> None:
        self.branch = branch

    def value(self, name: str) -> Value:
        """The nearest meaning of a name."""
        branch = self.branch
        if name in branch.thrown:
            return branch.thrown[name]
        if name in branch.terms:
            return branch.terms[name]
        if branch.roll is None:
            return 0
        if name == OUTCOME:
            return branch.roll.outcome(branch.added, branch.terms).key
        return branch.roll.numbers(branch.added, branch.terms).get(name, 0)

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """The number of dice of a kind in the pool."""
        return self.branch.pool[about[0]]


class RollEffects:
    """The rows on `rolled` that odds follow."""

    def __init__(self, reading: RollReading, thrown: Thrown) -> None:
        self.reading, self.thrown = reading, thrown
        self.rows = reading.followed

    def is_apart(self, row: WheneverRow) -> bool:
        """Whether a row reads nothing off the roll, so that it is the same after each."""
        read = {name for one in expressions_in(row) for name in one.names}
        return read.isdisjoint({OUTCOME, *self.reading.numbers})

    def after(self, row: WheneverRow, branch: Branch) -> list[Branch]:
        """What a branch leads to by a row, each with its chance."""
        if row.when is None or row.when.holds(_BranchScope(branch)):
            return self._done(row.do, branch)
        return [branch]

    def _done(self, rows: Iterable[DoRow], branch: Branch) -> list[Branch]:
        branches = [branch]
        for row in rows:
            found: list[Branch] = []
            for one in branches:
                holds = row.when is None or row.when.holds(_BranchScope(one))
                found += self._act(row, one) if holds else [one]
            branches = found
        return branches

    def _act(self, row: DoRow, branch: Branch) -> Iterator[Branch]:
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
            yield replace(branch, added=branch.added + self.reading.axes.net({row.symbol: n}))
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


def merged(branches: Iterable[Branch]) -> list[Branch]:
    """Branches that differ only in numbers that nothing reads any more, as one."""
    found: dict[object, Branch] = {}
    for one in branches:
        key = (tuple(sorted(one.terms.items())), one.added)
        same = found.get(key)
        chance = one.chance + (same.chance if same is not None else 0)
        found[key] = replace(one, chance=chance, thrown={})
    return list(found.values())
