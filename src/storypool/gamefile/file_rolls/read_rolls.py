"""The rolls of one question about odds as they are read, with what they have in common read once.

Thousands of rolls differ in a number that no rung reads, so a rung is looked up by what it reads.
"""

from __future__ import annotations

from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.gamefile.file_format.expressions import Value
from storypool.gamefile.file_format.schema import OutcomeRow
from storypool.gamefile.file_rolls.roll_reading import RollReading, Terms

__all__ = ["Numbers", "ReadRoll", "RollReader"]

Numbers = Mapping[str, int]


class RollReader:
    """Reads the rolls of a pool; a short-lived object, as it forgets nothing."""

    def __init__(self, reading: RollReading, pool: Numbers) -> None:
        self.reading, self.pool = reading, pool
        rungs = [one.when for one in reading.game.outcome if one.when is not None]
        read = {name for when in rungs for name in when.names}
        self._numbers = tuple(name for name in reading.numbers if name in read)
        self._terms = tuple(sorted(read.difference(reading.numbers)))
        self._rungs: dict[object, OutcomeRow] = {}

    def numbers(
        self, symbols: tuple[int, ...], figures: Numbers, added: Bag, terms: Terms
    ) -> Numbers:
        """Every number read of a roll with these symbols on the axes, and some added."""
        numbers = dict(zip(self.reading.axis_names, symbols, strict=True))
        for axis, n in added.items():
            numbers[axis] += n
        numbers.update(figures)
        return self.reading.read_numbers(numbers, terms, self.pool)

    def outcome(self, numbers: Numbers, terms: Terms) -> OutcomeRow:
        """The rung of a roll with these numbers."""
        key = (*self.judged_by(numbers), *(terms.get(name) for name in self._terms))
        found = self._rungs.get(key)
        if found is None:
            found = self._rungs[key] = self.reading.outcome(numbers, terms, self.pool)
        return found

    def judged_by(self, numbers: Numbers) -> tuple[int, ...]:
        """Those of these numbers that decide the rung."""
        return tuple([numbers[name] for name in self._numbers])

    def counted_by(self, terms: Terms) -> tuple[Value | None, ...]:
        """Those of these terms that counts read."""
        return tuple([terms.get(name) for name in self.reading.counted_terms])


class ReadRoll:
    """One roll by its symbols on the axes and its figures, read again as rows change its terms."""

    __slots__ = ("_figures", "_known", "_reader", "_symbols")

    def __init__(self, reader: RollReader, symbols: tuple[int, ...], figures: Numbers) -> None:
        self._reader, self._symbols, self._figures = reader, symbols, figures
        self._known: dict[object, Numbers] = {}

    def numbers(self, added: Bag, terms: Terms) -> Numbers:
        """Every number read of the roll with these symbols added, by name."""
        # Changed terms seldom differ in what counts read.
        key = added, self._reader.counted_by(terms)
        found = self._known.get(key)
        if found is None:
            found = self._reader.numbers(self._symbols, self._figures, added, terms)
            self._known[key] = found
        return found

    def outcome(self, added: Bag, terms: Terms) -> OutcomeRow:
        """The rung of the roll with these symbols added."""
        return self._reader.outcome(self.numbers(added, terms), terms)
