"""Quotes of a session: the best words that people spoke or wrote themselves, with the speakers."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from storypool.engine import events
from storypool.engine.events import Record
from storypool.engine.table import Proposal, Table, Trait

MOST_QUOTES = 4
"""The most quotes of a recap."""
SHORTEST, LONGEST = 12, 140
"""The fewest and the most characters of a quote: less is not a sentence, more is not read."""
UNQUOTED = frozenset({"question", "try", "standing"})
"""The kinds of statements that are nobody's words, next to those with a line of their own."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a seat, with their record."""

    seq: int
    seat: str
    text: str


@dataclass(slots=True)
class Quotes:
    """The words of a session, record by record: spoken lines, and statements in own words.

    What only some may see is left out. So is what a GM says before the first action of a scene: it
    is read aloud.
    """

    found: dict[str, Quote] = field(default_factory=dict)
    typed: set[str] = field(default_factory=set)
    acted: bool = False

    def take(self, record: Record, before: Table, has_line: Callable[[Trait], bool]) -> None:
        """Read one more record; a statement that has a line of its own is not quoted."""
        match record.event:
            case events.MoveMade(args=args) | events.Proposed(Proposal(args=args)):
                self.typed |= set(_texts(args))
            case events.PeriodBegan(kind="scene"):
                self.acted = False
            case events.CheckOpened():
                self.acted = True
            case events.Said(seat, text, None):
                one = before.seats.get(seat)
                if self.acted or (one is not None and one.side == "player"):
                    self._add(record.seq, seat, text)
            case events.TraitSet(trait) if trait.read_by is None and trait.kind not in UNQUOTED:
                new = trait.id not in before.traits and trait.by in before.seats
                if new and not has_line(trait) and any(trait.text in typed for typed in self.typed):
                    self._add(record.seq, trait.by, trait.text)

    def _add(self, seq: int, seat: str, text: str) -> None:
        if SHORTEST <= len(text) <= LONGEST and " " in text.strip():
            self.found.setdefault(text, Quote(seq, seat, text))

    def best(self) -> list[Quote]:
        """A few quotes in their order: of each seat in turn the longest."""
        by_seat = defaultdict[str, list[Quote]](list)
        for one in self.found.values():
            by_seat[one.seat].append(one)
        rows = [sorted(own, key=lambda one: -len(one.text)) for own in by_seat.values()]
        turns = (row[n] for n in range(MOST_QUOTES) for row in rows if n < len(row))
        chosen = [one for one, _ in zip(turns, range(MOST_QUOTES), strict=False)]
        return sorted(chosen, key=lambda one: one.seq)


def _texts(args: Mapping[str, object]) -> Iterator[str]:
    return (value for value in args.values() if isinstance(value, str) and value)
