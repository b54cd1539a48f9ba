"""The exact odds of every result on named axes, and the questions about them."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from types import MappingProxyType
from typing import Any, Protocol, overload, runtime_checkable

from storypool.engine.dice import Misused, described
from storypool.odds.counts import Counts
from storypool.odds.display import Shown
from storypool.odds.intervals import (
    Condition,
    Interval,
    Of,
    Question,
    axes_of,
    interval_of,
    named,
    test_of,
)
from storypool.odds.measures import Measured
from storypool.odds.polynomial import Polynomial, Row
from storypool.odds.pool import Pool
from storypool.odds.row_arguments import (
    MAKING_ROWS,
    AnyRow,
    check_number,
    check_parts,
    check_weights,
    names_of,
)
from storypool.odds.sums import Pairing, Summed, check_roll
from storypool.words import BadValue, StorypoolError

MAX_KEPT = 10_000
"""The most rows that the distribution of a pool caches; a larger one recounts them each time."""


@runtime_checkable
class Ranged(Protocol):
    """A generator of random numbers, such as `random.Random`."""

    def randrange(self, stop: int, /) -> int:
        """A random integer from 0 to `stop` - 1."""
        ...


Chance = Ranged | Callable[[int], int]
"""A generator, or a function that returns a random integer below its argument."""


class UnknownAxis(StorypoolError, LookupError):
    """A question about an unknown axis; the message names the known ones."""


class Distribution(Shown, Measured, Summed):
    """The exact joint odds on named axes: integer counts over `total`; immutable and hashable.

    A row is a tuple with one whole number for each axis, in the order of `axes`. A probability is a
    `Fraction`, and `float` of one is the nearest float. Iteration yields each outcome with its
    probability: a number where there is one axis, otherwise a row. `len` is their number.

    `a + b` and `a - b` are of two independent rolls, `3 @ a` is the sum of three such rolls, `3 *
    a` one roll times 3. On a single axis, `a + 3` adds a number, `a * b` multiplies two rolls, and
    `a >= 3` or `a > b` is how often that holds; the axis need not be named: `a.mean()`,
    `a.p(ge(3))`. `==` is equality of axes and odds, so that rolls can be keys; see `eq`.

    A function in a question names the axes that it reads as its parameters, so that only those are
    counted: `lambda hit, miss: hit > miss`. A parameter with a default is not an axis; `*row` takes
    all axes. A question about an unknown axis raises `UnknownAxis`.

    >>> coins = Distribution.from_outcomes(["heads", "edges"], {(0, 0): 1, (1, 0): 2, (2, 0): 1})
    >>> coins.p(heads=1)
    Fraction(1, 2)
    >>> coins.p(lambda heads: heads % 2 == 0, edges=0)
    Fraction(1, 2)
    >>> coins.p(tails=1)
    Traceback (most recent call last):
    storypool.odds.distribution.UnknownAxis: There is no axis 'tails' here; ask about heads, edges.
    """

    __slots__ = ("_counts", "_hash", "_pool", "_seen", "_total", "axes")

    axes: tuple[str, ...]

    def __init__(self, axes: tuple[str, ...], source: Pool | Mapping[Row, int]) -> None:
        """From a pool, or from counts that are known to fit; see `odds` and `from_outcomes`."""
        self.axes = axes
        self._seen: dict[tuple[str, ...], Distribution] = {}
        self._hash: int | None = None
        self._kind: Polynomial | None = None
        self._total: int | None = None
        self._pool: Pool | None
        self._counts: Mapping[Row, int] | None
        if isinstance(source, Pool):
            self._pool, self._counts = source, None
        else:
            self._pool, self._counts = None, _in_order(source.items())

    @classmethod
    def from_outcomes(
        cls, axes: Iterable[str], weights: Mapping[AnyRow, int | Fraction]
    ) -> Distribution:
        """The distribution whose rows have odds in proportion to their weights.

        On one axis a row may be a number.

        `ValueError` for a row that does not fit the axes, a weight below zero, or no weight above
        zero.

        >>> weights = {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}
        >>> Distribution.from_outcomes(["success"], weights).counts
        Counts({0: 1, 1: 2})
        """
        axes = names_of(axes)
        return cls._weighted(axes, check_weights(len(axes), weights))

    @staticmethod
    def mixture(parts: Iterable[tuple[Distribution, int | Fraction]]) -> Distribution:
        """A mixture of distributions in proportion to weights; `ValueError` if their axes differ.

        >>> no, yes = (Distribution.from_outcomes(["success"], {(n,): 1}) for n in (0, 1))
        >>> Distribution.mixture([(no, 3), (yes, 1)]).p(success=1)
        Fraction(1, 4)
        """
        parts = check_parts(Distribution, list(parts))
        axes = parts[0][0].axes if parts else ()
        scale = lcm(*(part.total for part, _ in parts))
        weights: dict[Row, int | Fraction] = {}
        for part, weight in parts:
            if part.axes != axes:
                raise BadValue(
                    f"Only the same axes can be mixed, not {', '.join(axes)} and"
                    f" {', '.join(part.axes)}."
                )
            for row, count in part._rows():
                weights[row] = weights.get(row, 0) + count * weight * (scale // part.total)
        return Distribution._weighted(axes, weights)

    @classmethod
    def _weighted(
        cls, axes: tuple[str, ...], weights: Mapping[Row, int | Fraction]
    ) -> Distribution:
        scale = lcm(*{weight.denominator for weight in weights.values()})
        counts = {row: int(weight * scale) for row, weight in weights.items() if weight}
        if not counts:
            raise BadValue("Nothing can come up; give at least one row a weight above 0.")
        common = gcd(*counts.values())
        return cls(
            axes, counts if common == 1 else {row: count // common for row, count in counts.items()}
        )

    # The whole table

    @property
    def total(self) -> int:
        """The sum of all counts."""
        if self._total is None:
            self._total = sum(self.row_counts.values()) if self._pool is None else self._pool.total
        return self._total

    @property
    def cost(self) -> int:
        """An upper estimate of the time to count every row, in microseconds; 0 once counted.

        Known before any work is done, so that a caller with a deadline can refuse in time, see
        `allowing`: a count that has started is not stopped. A question about some axes costs what
        the odds on those do: `d.on(...).cost`.

        >>> from storypool.odds import Die, odds
        >>> odds(100 @ Die("coin", [{}, {"heads": 1}])).cost
        484
        """
        return 0 if self._pool is None or self._counts is not None else self._pool.cost

    @property
    def counts(self) -> Mapping[Any, int]:
        """Each possible outcome with its count over `total`, in order.

        An outcome is a number where there is one axis, and otherwise a row, see `row_counts`. It is
        a view, and copies nothing.
        `TooManyDice` when there are too many to count; ask about fewer axes then, see `on`.

        >>> from storypool.odds import d, odds
        >>> odds(2 @ d(2)).counts, odds(2 @ d(2)).row_counts
        (Counts({2: 1, 3: 2, 4: 1}), mappingproxy({(2,): 1, (3,): 2, (4,): 1}))
        """
        if len(self.axes) != 1:
            return self.row_counts
        return Counts(self.row_counts)

    @property
    def row_counts(self) -> Mapping[Row, int]:
        """Each possible row with its count over `total`, in order; a tuple on one axis too."""
        if self._counts is not None:
            return self._counts
        assert self._pool is not None
        counts = _in_order(self._pool.rows())
        if len(counts) <= MAX_KEPT:
            self._counts = counts
        return counts

    def joint(self) -> tuple[tuple[Row, Fraction], ...]:
        """Each possible row, a tuple on one axis too, with its probability; these add up to 1."""
        return tuple((row, Fraction(count, self.total)) for row, count in self.row_counts.items())

    def on(self, *axes: str) -> Distribution:
        """The odds on some of the axes, in the given order, over all values of the others.

        A pool of dice is seen on these axes before anything is computed, so one axis is cheap
        however large the whole.
        """
        try:
            seen = self._seen.get(axes)
        except TypeError:  # an unhashable argument is not a name
            raise Misused(
                f"Axes are named one by one, as in on({', '.join(map(repr, self.axes))})."
            ) from None
        if axes == self.axes:
            return self
        if seen is None:
            places = self._places(axes)
            if self._pool is not None:
                seen = Distribution(axes, self._pool.onto(places))
            else:
                weights = Counter[Row]()
                for row, count in self._rows():
                    weights[tuple([row[place] for place in places])] += count
                seen = Distribution(axes, weights)
            self._seen[axes] = seen
        return seen

    # Questions

    def p(self, question: Question = None, /, **conditions: Condition) -> Fraction:
        """The probability that every condition holds.

        The question is a function of some axes, and one condition per axis. A condition is `ge(n)`,
        `gt(n)`, `le(n)`, `lt(n)`, `eq(n)`, `between(low, high)`, a number, or a function of one
        number. Where there is one axis it need not be named: `p(ge(3))`.
        """
        return Fraction(*self._ways(question, conditions))

    def count(self, question: Question = None, /, **conditions: Condition) -> int:
        """The number of ways, out of `total`, that meet every condition; arguments as for `p`."""
        ways, total = self._ways(question, conditions)
        return ways * (self.total // total)

    def given(self, question: Question = None, /, **conditions: Condition) -> Distribution:
        """The odds given that every condition holds; arguments as for `p`.

        `ValueError` if they never hold.
        """
        kept = self.holding(question, **conditions)
        if not kept:
            raise BadValue("That never comes up, so nothing follows from it.")
        return Distribution._weighted(self.axes, kept)

    def holding(self, question: Question = None, /, **conditions: Condition) -> dict[Row, int]:
        """The rows for which every condition holds, with their counts; arguments as for `p`."""
        names, holds = self._test(question, conditions)
        if (places := self._places(names)) == (0,) and len(self.axes) == 1:
            return {row: count for row, count in self._rows() if holds(row)}
        kept = {}
        for row, count in self._rows():
            if holds(tuple([row[place] for place in places])):
                kept[row] = count
        return kept

    def mean(self, of: Of = None) -> Fraction:
        """The mean of an axis, or of a function of some axes."""
        of = self._only() if of is None else of
        if self._pool is not None and isinstance(of, str):
            return self._pool.mean(self._place(of))
        values, total = self._values(of)
        return Fraction(sum(value * count for value, count in values)) / total

    @overload
    def sample(self, chance: Chance, n: None = None) -> Any: ...

    @overload
    def sample(self, chance: Chance, n: int) -> list[Any]: ...

    def sample(self, chance: Chance, n: int | None = None) -> Any:
        """A random outcome, drawn by its probability, or a list of n; keys as in `counts`.

        `chance` is a `random.Random`, or a function that returns a random integer below its
        argument, such as `secrets.randbelow`.
        """
        below = chance.randrange if isinstance(chance, Ranged) else chance
        if not callable(below):
            raise Misused(
                "A sample is drawn by a random.Random or by secrets.randbelow, not by"
                f" {described(chance)}."
            )
        if n is not None and (type(n) is not int or n < 0):
            raise Misused(f"A sample has 0 or more results, not {described(n)}.")
        outcomes, ends = list(self.counts), list(accumulate(self.counts.values()))
        drawn = []
        for _ in range(1 if n is None else n):
            place = below(self.total)
            if not 0 <= place < self.total:
                raise BadValue(
                    f"randbelow({self.total}) gave {place}, which is not below {self.total}."
                )
            drawn.append(outcomes[bisect(ends, place)])
        return drawn[0] if n is None else drawn

    # Procedures on results

    @overload
    def map(self, axes: Callable[[int], int], /) -> Distribution: ...

    @overload
    def map(self, axes: Iterable[str], function: Callable[..., Row | int]) -> Distribution: ...

    def map(
        self,
        axes: Iterable[str] | Callable[[int], int],
        function: Callable[..., Row | int] | None = None,
    ) -> Distribution:
        """The odds on new axes: a function of some axes returns the new row, or the only number.

        Where there is one axis, it stays with `map(function)`, a function of its number.

        >>> die = Distribution.from_outcomes(["pips"], {(n,): 1 for n in range(1, 7)})
        >>> die.map(["score"], lambda pips: pips // 3).counts
        Counts({0: 2, 1: 3, 2: 1})
        >>> die.map(lambda n: max(n, 3)).counts
        Counts({3: 3, 4: 1, 5: 1, 6: 1})
        """
        weights = Counter[Row | int]()
        if callable(axes) and function is None:
            axis = self._only()
            with MAKING_ROWS:
                for (n,), count in self._rows():
                    weights[axes(n)] += count
            return Distribution.from_outcomes([axis], weights)
        axes = names_of(axes)  # type: ignore[arg-type]
        with MAKING_ROWS:
            for row, count in self.on(*axes_of(function, self.axes))._rows():  # type: ignore[arg-type]
                weights[function(*row)] += count  # type: ignore[misc]
        return Distribution.from_outcomes(axes, weights)

    def then(self, function: Callable[..., Distribution]) -> Distribution:
        """The odds of a second roll that depends on this one: a function of some axes returns it.

        >>> die = Distribution.from_outcomes(["pips"], {(n,): 1 for n in range(1, 7)})
        >>> one = lambda pips: Distribution.from_outcomes(["pips"], {(pips,): 1})
        >>> die.then(lambda pips: die if pips == 1 else one(pips)).p(pips=1)
        Fraction(1, 36)
        """
        seen = self.on(*axes_of(function, self.axes))
        return Distribution.mixture([(function(*row), count) for row, count in seen._rows()])

    def combine(self, other: Distribution, axes: Iterable[str], function: Pairing) -> Distribution:
        """The odds on new axes: `function` makes a row from a row of this and one of the other."""
        axes = names_of(axes)
        check_roll(other)
        weights = Counter[Row | int]()
        with MAKING_ROWS:
            for mine, ways in self._rows():
                for theirs, others in other._rows():
                    weights[function(mine, theirs)] += ways * others
        return Distribution.from_outcomes(axes, weights)

    # As a value

    def __iter__(self) -> Iterator[tuple[Any, Fraction]]:
        return ((outcome, Fraction(n, self.total)) for outcome, n in self.counts.items())

    def __len__(self) -> int:
        return len(self.row_counts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        if self is other or hash(self) != hash(other):
            return self is other
        if (
            self._pool is not None
            and other._pool is not None
            and self._pool.dice == other._pool.dice
        ):
            return True
        mine, theirs = self.row_counts, other.row_counts
        return mine.keys() == theirs.keys() and all(
            count * other.total == theirs[row] * self.total for row, count in mine.items()
        )

    def __hash__(self) -> int:
        # Equal odds have equal means, and the means of a pool are cheap.
        if self._hash is None:
            self._hash = hash((self.axes, *map(self.mean, self.axes)))
        return self._hash

    def _only(self) -> str:
        if len(self.axes) != 1:
            raise UnknownAxis(
                f"Say which axis is meant: {', '.join(self.axes) or 'there is none here'}."
            )
        return self.axes[0]

    def _span(self, axis: str) -> tuple[int, int]:
        """The least and the most of an axis, without counting the rows of a pool."""
        if self._pool is not None:
            return (span := self._pool.span(self._place(axis)))[0], span[-1]
        return (counts := list(self.on(axis).row_counts))[0][0], counts[-1][0]

    def _rows(self) -> Iterable[tuple[Row, int]]:
        if self._counts is None and self._pool is not None and self._pool.results > MAX_KEPT:
            return self._pool.rows()
        return self.row_counts.items()

    def _place(self, axis: str) -> int:
        try:
            return self.axes.index(axis)
        except ValueError:
            known = ", ".join(self.axes) or "none"
            raise UnknownAxis(
                f"There is no axis {described(axis)} here; ask about {known}."
            ) from None

    def _places(self, axes: Iterable[str]) -> Row:
        return tuple(map(self._place, axes))

    def _ways(self, question: Question, conditions: Mapping[str, Condition]) -> tuple[int, int]:
        """The ways in which every condition holds, and all ways, on the axes in question."""
        if question is not None:
            question, conditions = named(question, conditions, self.axes)
        if question is None and len(conditions) == 1 and self._pool is not None:
            [(axis, condition)] = conditions.items()
            if not callable(condition):
                line = self._pool.along(self._place(axis))
                return (
                    line.count(
                        condition if isinstance(condition, Interval) else interval_of(condition)
                    ),
                    line.total,
                )
        names, holds = self._test(question, conditions)
        seen = self.on(*names)
        return sum(count for row, count in seen._rows() if holds(row)), seen.total

    def _test(
        self, question: Question, conditions: Mapping[str, Condition]
    ) -> tuple[tuple[str, ...], Callable[[Row], bool]]:
        """The axes in question, and a test of their numbers: true if every condition holds."""
        if question is not None:
            question, conditions = named(question, conditions, self.axes)
        asked = () if question is None else axes_of(question, self.axes)
        tests = [test_of(condition) for condition in conditions.values()]
        if question is None and len(tests) == 1:
            return tuple(conditions), lambda numbers: tests[0](numbers[0])

        def holds(numbers: Row) -> bool:
            rest = numbers[len(asked) :]
            return (question is None or question(*numbers[: len(asked)])) and all(
                test(n) for test, n in zip(tests, rest, strict=True)
            )

        return (*asked, *conditions), holds

    def _values(
        self, of: str | Callable[..., int | Fraction]
    ) -> tuple[Iterable[tuple[int | Fraction, int]], int]:
        """The values of an axis or a function, each with its count, and the sum of the counts."""
        seen = self.on(*([of] if isinstance(of, str) else axes_of(of, self.axes)))
        if isinstance(of, str):
            return ((n, count) for (n,), count in seen._rows()), seen.total
        return ((check_number(of(*row)), count) for row, count in seen._rows()), seen.total


def _in_order(rows: Iterable[tuple[Row, int]]) -> Mapping[Row, int]:
    return MappingProxyType(dict(sorted(rows)))
