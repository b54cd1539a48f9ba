"""A table in memory: seats, moves, each seat's view, and a log to export and import."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from storypool.engine import house, story
from storypool.engine.decisions import decide
from storypool.engine.dice import Die, Misused, described
from storypool.engine.events import Event, Record
from storypool.engine.fold import fold, fold_on
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offer, offers
from storypool.engine.refusal import no_seat
from storypool.engine.sight import copy_for, records_of, seen, view
from storypool.engine.table import Seat, Side, Table
from storypool.engine.waiting import Waiting, waiting
from storypool.log.export import export_lines, load
from storypool.systems import get

Randint = Callable[[int, int], int]
"""Returns a whole number between two others, both included, like `random.Random().randint`."""


class LocalTable:
    """A table in memory, for one thread: `make` decides, `state` is the table, `records` its log.

    The game is named by its key, or given as a `System`; `UnknownSystem` lists the keys. Dice come
    from the operating system, or from `randint`: `random.Random(7).randint` for a test. Times come
    from `now`, in milliseconds since 1970; without it they are all 0.

    >>> from random import Random
    >>> table = LocalTable("starwars", Random(7).randint, title="The heist")
    >>> mona, ann = table.sit("Mona", "gm"), table.sit("Ann")
    >>> [record.event for record in table.make(mona, "session.begin")][-1]
    PeriodBegan(kind='scene', number=1, title='')
    """

    def __init__(
        self,
        system: System | str,
        randint: Randint | None = None,
        *,
        title: str = "",
        options: Mapping[str, str] | None = None,
        now: Callable[[], int] = lambda: 0,
    ) -> None:
        if not isinstance(system, System | str):
            raise Misused(
                "A table is opened by the key of a game or with a System, as in LocalTable('dune'),"
                f" not {described(system)}."
            )
        self.system = get(system) if isinstance(system, str) else system
        self._randint, self._now = randint or _system_randint(), now
        self.state, self.records = Table(), list[Record]()
        self._keep([house.open_table(self.system, title, options)], "")

    @classmethod
    def read(
        cls,
        source: str | os.PathLike[str] | Iterable[str | bytes],
        find: Callable[[str], System] = get,
        randint: Randint | None = None,
        now: Callable[[], int] = lambda: 0,
    ) -> LocalTable:
        """The table of an exported log, ready to go on; `BadFile` names the first invalid line.

        `source` is a path or lines, as for `load`. `find` returns a game by its key, and the
        `UnknownSystem` of `get` passes through.
        """
        records = load(source)
        table = cls.__new__(cls)
        table.state, table.records = fold(records), records
        table.system, table._now = find(table.state.system), now
        table._randint = randint or _system_randint()
        return table

    def sit(self, name: str, side: Side = "player") -> str:
        """Take a new seat on this side (`player`, `gm`, `spectator`) and return its id.

        `Refused` if the name is taken.
        """
        taken = house.take_seat(self.system, self.state, name, side)
        self._keep([taken], taken.seat.id)
        return taken.seat.id

    def make(
        self,
        seat: str,
        move: str,
        args: Mapping[str, object] | None = None,
        *,
        override: bool = False,
    ) -> list[Record]:
        """Make a move and return its records, the first a `MoveMade`.

        `Refused` has reason and remedy.

        `args` answer the questions of `offer(seat, move)` by name. A GM who overrides sets a rule
        aside.
        """
        return self._keep(
            decide(
                self.system, self.state, seat, move, args or {}, roll=self._roll, override=override
            ),
            seat,
        )

    def offers(self, seat: str) -> list[Offer]:
        """Every move of this seat's side, open or closed with a reason; empty if vacant."""
        return offers(self.system, self.state, seat)

    def offer(self, seat: str, move: str, args: Mapping[str, object] | None = None) -> Offer:
        """One move with its questions, some answered by `args`; `Refused` for an unknown move."""
        return offer(self.system, self.state, seat, move, args or {})

    def waiting(self, seat: str) -> list[Waiting]:
        """Everything the table waits for, in words for this seat, the most pressing first."""
        return waiting(self.system, self.state, seat)

    def seen(self, seat: str) -> Table:
        """The table as this seat sees it, without what is hidden from it."""
        return seen(self.state, self._seat(seat))

    def log(self, seat: str) -> list[Record]:
        """The log as this seat may read it: the same length, with hidden records emptied."""
        return view(self.records, self._seat(seat))

    def sentences(self, seat: str) -> Iterator[str]:
        """The story so far as sentences for this seat."""
        return (text for text in story.sentences(self.log(seat), self.system) if text)

    def lines(self, seat: str) -> Iterator[bytes]:
        """The lines of the log that this seat may export; `read` accepts them."""
        return export_lines(copy_for(self.records, self._seat(seat)))

    def _seat(self, id: str) -> Seat:
        """The seat with this id; `Refused` if there is none."""
        if id not in self.state.seats:
            raise no_seat(self.system.words, id)
        return self.state.seats[id]

    def _roll(self, die: Die) -> int:
        return self._randint(die.first, die.last)

    def _keep(self, events: list[Event], seat: str) -> list[Record]:
        new = records_of(events, seat, self.state.seq, self._now())
        self.state = fold_on(self.state, new, lambda seq: fold(self.records[:seq]))
        self.records += new
        return new


def _system_randint() -> Randint:
    from secrets import randbelow  # slow to import, and a test brings its own

    return lambda low, high: low + randbelow(high - low + 1)
