"""The answers of a server as values of the engine's own types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from storypool.engine.events import Record
from storypool.engine.game.asks import AskView
from storypool.engine.moments import Moment
from storypool.engine.offers import Offer
from storypool.engine.refusal import Refusal
from storypool.engine.table import SharedTable, Value
from storypool.engine.waiting import Waiting
from storypool.log.codec import from_dict
from storypool.log.kinds import KINDS, Kind, Kinds
from storypool.log.store import StoreNewer
from storypool.odds.question import OddsShown, Worth

T = TypeVar("T")

_KEPT = ("code", "text", "rule", "remedy", "field", "overridable")
"""What a server sends of a refusal."""


def refusal_of(data: Mapping[str, Any]) -> Refusal:
    """The refusal in an error of a server."""
    return Refusal(**{key: data[key] for key in _KEPT if key in data})


SENT = Kinds(
    {
        **KINDS,
        Fraction: Kind(str, Fraction),
        float: Kind(float),
        str | int: Kind(str),
        Refusal: Kind(str, refusal_of),
        OddsShown: Kind(dict, dict),
    },
    lenient=True,
)
"""The kinds of what a server sends."""


def read(kind: type[T], data: Any) -> T:
    """A value of this type from the JSON of a server."""
    found = SENT.of(kind).read
    assert found is not None, kind
    return cast(T, found(data))


class SeatOdds(NamedTuple):
    """The id of the open action, its odds, and the worth of each offer, in exact fractions.

    `odds` is None without an action and after its roll, and where the GM keeps odds; `too_many` are
    too many dice for exact odds. `answered` are the odds after the other side's best answer. The
    odds hold if the GM agrees where `words` says so.
    """

    check: str
    odds: OddsShown | None
    answered: Mapping[str, Fraction] | None
    worth: tuple[Worth, ...]
    too_many: bool = False
    words: str = ""


class SeenRecord(NamedTuple):
    """A record of the log as this seat reads it: its sentence, and the moments that it brings.

    `record.event` is None if it is hidden, or of a kind that only a newer program knows.
    """

    record: Record
    text: str
    paid: bool
    moments: tuple[Moment, ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> SeenRecord:
        """The record in the JSON of a server."""
        try:
            record = from_dict(data)
        except StoreNewer:
            record = from_dict({**data, "event": None})
        moments = tuple(read(Moment, one) for one in data["moments"])
        return cls(record, data["text"], data["paid"], moments)


class MoveMaker(Protocol):
    """The seat that makes a move."""

    async def make(self, move: str, args: Mapping[str, object], /) -> tuple[SeenRecord, ...]:
        """Make it; its records."""


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A move as it is offered to a seat: its `offer`, which is made by a call with its answers.

    >>> await news.offers["check.declare"](title="Slip past", skill="stealth")  # doctest: +SKIP
    """

    offer: Offer
    seat: MoveMaker

    @property
    def is_open(self) -> bool:
        """Whether it can be made now; else `offer.closed` is the reason."""
        return self.offer.closed is None

    async def __call__(self, **answers: object) -> tuple[SeenRecord, ...]:
        """Make it; its records. `Refused` with the reason and the remedy, `MissingAnswers` too."""
        return await self.seat.make(self.offer.key, answers)


@dataclass(frozen=True, slots=True)
class News:
    """A table after record `seq` as its seat sees it, and the records since the news before.

    `waits` are what the table waits for, the most pressing first, and `notes` what the side should
    know of its points. `again`: the server has another log now, such as one from a backup, so
    all records come again, and those from before no longer count.
    """

    seq: int
    records: tuple[SeenRecord, ...]
    offers: Mapping[str, SeatOffer]
    waits: tuple[Waiting, ...]
    table: SharedTable
    notes: tuple[str, ...] = ()
    again: bool = False

    @classmethod
    def of(
        cls,
        seat: MoveMaker,
        data: Mapping[str, Any],
        records: Sequence[SeenRecord] = (),
        again: bool = False,
    ) -> News:
        """The news in the JSON of a server's offers."""
        offers = (SeatOffer(read(Offer, one), seat) for one in data["offers"])
        return cls(
            seq=data["seq"],
            records=tuple(records),
            offers={one.offer.key: one for one in offers},
            waits=tuple(read(Waiting, one) for one in data["waits"]),
            table=read(SharedTable, data["table"]),
            notes=tuple(data.get("notes", ())),
            again=again,
        )

    @property
    def mine(self) -> tuple[Waiting, ...]:
        """What the table waits for from this seat."""
        return tuple(wait for wait in self.waits if wait.yours)

    async def answer(
        self, wait: Waiting, answers: Mapping[str, object] | None = None, *, move: str = ""
    ) -> tuple[SeenRecord, ...]:
        """Make a move that a wait asks for: the first of its moves, or this one of them."""
        given: dict[str, object] = {**wait.args, **(answers or {})}
        if wait.check:
            given.setdefault("check", wait.check)
        return await self.offers[move or wait.moves[0]](**given)


def usual(ask: AskView) -> Value | None:
    """The usual answer to a question: its preset or its default, else its first open choice.

    A number without any is a low one, and a flag is not set; None where only words of one's own are
    an answer.
    """
    for found in (ask.preset, ask.default):
        if found is not None:
            return found
    low = (ask.low + min(ask.high, 5)) // 2
    alone: Mapping[str, Value] = {"number": low, "flag": False}
    return next((one.value for one in ask.choices if not one.closed), alone.get(ask.kind))
