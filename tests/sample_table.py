"""A table for tests: a GM, two players with characters, a spectator and a running session."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from storypool.engine import house
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import Event, Record
from storypool.engine.fold import fold
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import records_of
from storypool.engine.table import Side, Table
from tests.games.tiny import game as tiny

SEATS: tuple[tuple[str, Side], ...] = (
    ("Mona", "gm"),
    ("Ann", "player"),
    ("Bo", "player"),
    ("Vera", "spectator"),
)
NOTHING: Mapping[str, object] = {}


class Evening:
    """A table with its log. Moves roll first faces unless dice are typed."""

    def __init__(self, system: System = tiny.SYSTEM, **options: str) -> None:
        self.system = system
        self.records: list[Record] = []
        self.keep([house.open_table(system, "An evening", options)], "")
        for name, side in SEATS:
            self.keep([house.take_seat(system, self.table, name, side)], name.lower())
        self.make("mona", "session.begin")
        self.make("ann", "character.add", name="Pash")
        self.make("bo", "character.add", name="Oska")
        for account in (
            a.name for a in system.accounts if a.each == "table" and a.side == "players"
        ):
            self.make("mona", "points.correct", account=account, to=3, why="a beginning")

    @property
    def table(self) -> Table:
        """The folded table of the log."""
        return fold(self.records)

    def keep(self, events: list[Event], seat: str) -> list[Event]:
        """Events on the log."""
        self.records += records_of(events, seat, len(self.records), 0)
        return events

    def make(
        self,
        seat: str,
        key: str,
        args: Mapping[str, object] = NOTHING,
        /,
        override: bool = False,
        **more: object,
    ) -> list[Event]:
        """A move made and kept."""
        events = decide(
            self.system, self.table, seat, key, {**args, **more}, roll=_first, override=override
        )
        return self.keep(events, seat)

    def refused(
        self,
        seat: str,
        key: str,
        args: Mapping[str, object] = NOTHING,
        /,
        override: bool = False,
        **more: object,
    ) -> Refusal:
        """The refusal of this move, which must not be open."""
        with pytest.raises(Refused) as no:
            decide(
                self.system, self.table, seat, key, {**args, **more}, roll=_first, override=override
            )
        return no.value.refusal

    def offer(self, seat: str, key: str) -> Offer:
        """This move as offered to this seat."""
        return next(one for one in offers(self.system, self.table, seat) if one.key == key)

    def toss(self, seat: str = "ann", who: str = "pash", pool: str = "2 coin") -> str:
        """An action declared; its id."""
        self.make(seat, "check.declare", {"as": who, "pool": pool})
        return list(self.table.checks)[-1]


def _first(die: Die) -> int:
    return die.first
