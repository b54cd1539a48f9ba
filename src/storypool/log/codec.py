"""Events as JSON and back: permanent names, versions, and the upcasts that let old records be read
for ever.

What is stored outlives the classes, so names and keys are kept by hand and never derived. A key is
left out when its value is the default, so a field with a default may be added to a class and to its
form at any time. Any other change (a key renamed or gone, a new meaning, another default) is a new
version: raise the number of every event that holds it, add an upcast from the old number, and add a
golden log.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from storypool.engine import events
from storypool.engine.dice import Mod, Rolled
from storypool.engine.events import Event, Record
from storypool.engine.table import Character, Check, Outcome, Proposal, Seat, Trait
from storypool.log.kinds import (
    AUDIENCE,
    BAG,
    NUMBER,
    NUMBERS,
    OPTIONS,
    POINTS,
    TEXT,
    TEXTS,
    USES,
    VALUES,
    YES_NO,
    Form,
    many,
    one_of,
    or_none,
)
from storypool.log.store import StoreDamaged, StoreError, StoreNewer
from storypool.words import Phrase

__all__ = ["from_dict", "from_json", "to_dict", "to_json"]

Data = dict[str, Any]
Upcast = Callable[[Data], Data]


MOD = Form(
    Mod,
    kind=one_of("add", "upgrade", "downgrade", "remove"),
    die=TEXT,
    n=NUMBER,
    why=TEXT,
    by=TEXT,
    promise=TEXT,
    bought=YES_NO,
)
ROLLED = Form(Rolled, die=TEXT, face=NUMBER, source=one_of("server", "hand"))
SEAT = Form(Seat, id=TEXT, name=TEXT, side=one_of("gm", "player", "spectator"), here=YES_NO)
CHARACTER = Form(
    Character,
    id=TEXT,
    name=TEXT,
    side=one_of("players", "gm", "none"),
    seat=TEXT,
    sheet=VALUES,
    seen_by=AUDIENCE,
)
TRAIT = Form(
    Trait,
    id=TEXT,
    kind=TEXT,
    text=TEXT,
    about=TEXT,
    rating=NUMBER,
    goal=NUMBER,
    at=TEXT,
    by=TEXT,
    mods=many(MOD.kind),
    until=TEXT,
    terms=VALUES,
    seen_by=AUDIENCE,
)
OUTCOME = Form(Outcome, passed=or_none(YES_NO), margin=NUMBER, net=BAG, words=TEXT)
CHECK = Form(
    Check,
    id=TEXT,
    actor=TEXT,
    side=one_of("players", "gm"),
    by=TEXT,
    title=TEXT,
    against=TEXT,
    base=BAG,
    mods=many(MOD.kind),
    pool=BAG,
    terms=VALUES,
    phase=one_of("build", "rolled"),
    windows=TEXTS,
    rolled=many(ROLLED.kind),
    outcome=or_none(OUTCOME.kind),
    left=BAG,
    owed=BAG,
    spent=POINTS,
    suggested=OPTIONS,
    seen_by=AUDIENCE,
)
PROPOSAL = Form(
    Proposal,
    id=TEXT,
    seat=TEXT,
    move=TEXT,
    args=VALUES,
    text=TEXT,
    check=TEXT,
    price=POINTS,
    counts=USES,
    set_aside=TEXTS,
    left=BAG,
    owed=BAG,
    whom=TEXT,
    seen_by=AUDIENCE,
)

FORMS: dict[str, tuple[int, Form]] = {
    "table.opened": (
        1,
        Form(events.TableOpened, system=TEXT, title=TEXT, options=OPTIONS, game=TEXT),
    ),
    "options.set": (1, Form(events.OptionsSet, options=OPTIONS, title=TEXT)),
    "rules.changed": (
        1,
        Form(events.RulesChanged, system=TEXT, game=TEXT, options=OPTIONS, changes=TEXTS),
    ),
    "seat.taken": (1, Form(events.SeatTaken, seat=SEAT.kind)),
    "character.set": (1, Form(events.CharacterSet, character=CHARACTER.kind)),
    "period.began": (1, Form(events.PeriodBegan, kind=TEXT, number=NUMBER, title=TEXT)),
    "period.ended": (1, Form(events.PeriodEnded, kind=TEXT, number=NUMBER)),
    "move.made": (
        1,
        Form(
            events.MoveMade,
            move=TEXT,
            seat=TEXT,
            args=VALUES,
            counts=USES,
            set_aside=TEXTS,
            check=TEXT,
            hidden=YES_NO,
            seen_by=AUDIENCE,
            automatic=YES_NO,
        ),
    ),
    "proposal.made": (1, Form(events.Proposed, proposal=PROPOSAL.kind)),
    "proposal.settled": (
        1,
        Form(
            events.ProposalSettled,
            id=TEXT,
            accepted=YES_NO,
            by=TEXT,
            why=TEXT,
            freed=USES,
            seen_by=AUDIENCE,
        ),
    ),
    "points.set": (
        1,
        Form(
            events.PointsSet,
            account=TEXT,
            owner=TEXT,
            balance=NUMBER,
            delta=NUMBER,
            why=TEXT,
            by=TEXT,
            seen_by=AUDIENCE,
        ),
    ),
    "check.opened": (1, Form(events.CheckOpened, check=CHECK.kind)),
    "check.changed": (1, Form(events.CheckChanged, check=CHECK.kind, what=TEXT, freed=USES)),
    "dice.rolled": (
        1,
        Form(
            events.DiceRolled,
            check=TEXT,
            seat=TEXT,
            rolled=many(ROLLED.kind),
            why=TEXT,
            seen_by=AUDIENCE,
        ),
    ),
    "dice.bound": (
        1,
        Form(
            events.DiceBound,
            row=TEXT,
            place=NUMBER,
            next=TEXT,
            sealed=TEXTS,
            seed=TEXT,
            numbers=TEXTS,
            rolls=NUMBERS,
            dice=OPTIONS,
        ),
    ),
    "check.closed": (
        1,
        Form(events.CheckClosed, id=TEXT, how=one_of("done", "cancelled"), seen_by=AUDIENCE),
    ),
    "trait.set": (1, Form(events.TraitSet, trait=TRAIT.kind)),
    "trait.removed": (1, Form(events.TraitRemoved, id=TEXT, why=TEXT, seen_by=AUDIENCE)),
    "words.said": (1, Form(events.Said, seat=TEXT, text=TEXT, seen_by=AUDIENCE)),
    "clock.set": (1, Form(events.ClockSet, by=NUMBER)),
    "table.rewound": (
        1,
        Form(events.Rewound, to=NUMBER, what=TEXT, dice=YES_NO, redo=YES_NO, seen_by=AUDIENCE),
    ),
}
"""The permanent name of each event, its version now, and how it is stored in that version."""

UPCASTS: dict[tuple[str, int], Upcast] = {}
"""From the data of an event in one version, the data of the next: pure, and never changed once it
was released.
"""


class Coded(NamedTuple):
    """An event as it is stored: its name, its version, its data."""

    name: str
    v: int
    data: Data


class Codec:
    """Reads and writes events, for one table of forms and its upcasts."""

    def __init__(
        self, forms: Mapping[str, tuple[int, Form]], upcasts: Mapping[tuple[str, int], Upcast]
    ) -> None:
        self._reads = {name: (v, form.read) for name, (v, form) in forms.items()}
        self._writes = {form.made: (name, v, form.write) for name, (v, form) in forms.items()}
        self._upcasts = upcasts

    def encode(self, event: Event) -> Coded:
        """The event under its name, in the version of now; `StoreError` when it would not come back
        the same.
        """
        try:
            name, v, write = self._writes[type(event)]
        except KeyError:
            raise StoreError(Phrase("log.nameless", kind=type(event).__name__)) from None
        try:
            return Coded(name, v, write(event))
        except TypeError as error:
            raise StoreError(Phrase("log.not_stored", name=name, why=error)) from None

    def decode(self, name: str, v: int, data: Data) -> Event:
        """The event that was stored in any version up to now.

        Raises `StoreNewer` for a name or a version of the future, `StoreDamaged` for data that do
        not fit.
        """
        try:
            now, read = self._reads[name]
        except KeyError:
            raise StoreNewer(Phrase("log.unknown", name=repr(name))) from None
        if v != now:
            data = self._upcast(name, v, now, data)
        try:
            event: Event = read(data)
        except (TypeError, ValueError, AttributeError) as error:
            raise StoreDamaged(Phrase("log.does_not_fit", name=name, v=v, why=error)) from None
        return event

    def _upcast(self, name: str, v: int, now: int, data: Data) -> Data:
        if v > now:
            raise StoreNewer(Phrase("log.newer", name=name, v=v, now=now))
        for old in range(v, now):
            try:
                upcast = self._upcasts[name, old]
            except KeyError:
                raise StoreDamaged(Phrase("log.never_written", name=name, v=old)) from None
            data = upcast(data)
        return data


_CODEC = Codec(FORMS, UPCASTS)
encode = _CODEC.encode
decode = _CODEC.decode


def to_json(value: Any) -> str:
    """Data as JSON on one line, the same bytes for the same data; `StoreError` for text that is not
    Unicode.
    """
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError) as error:
        raise StoreError(Phrase("log.no_json", why=error)) from None


from_json: Callable[[str | bytes], Any] = msgspec.json.Decoder().decode


class EventRow(NamedTuple):
    """A record as a database keeps it; `seen_by` and `data` are JSON, `name` is None where the
    event is hidden.
    """

    seq: int
    at: int
    seat: str
    seen_by: str | None
    name: str | None
    v: int
    data: str


def to_row(record: Record) -> EventRow:
    """A record as a row."""
    seen_by = None if record.seen_by is None else to_json(record.seen_by)
    if record.event is None:
        return EventRow(record.seq, record.at, record.seat, seen_by, None, 0, "")
    name, v, data = encode(record.event)
    return EventRow(record.seq, record.at, record.seat, seen_by, name, v, to_json(data))


def from_row(
    seq: int, at: int, seat: str, seen_by: str | None, name: str | None, v: int, data: str
) -> Record:
    """The record that a row keeps."""
    event = None if name is None else decode(name, v, from_json(data))
    return Record(seq, event, seat, at, None if seen_by is None else tuple(from_json(seen_by)))


def to_dict(record: Record) -> Data:
    """A record as JSON: `seq`, `at`, `seat`, `event` (null, or `name`, `v`, `data`), `seen_by` if
    set.
    """
    event = None if record.event is None else encode(record.event)._asdict()
    whole = {"seq": record.seq, "at": record.at, "seat": record.seat, "event": event}
    return whole if record.seen_by is None else {**whole, "seen_by": list(record.seen_by)}


def from_dict(data: Any) -> Record:
    """The record that `to_dict` wrote; `StoreError` for anything else, as nothing in it is taken on
    trust.
    """
    try:
        event, seen_by = data["event"], data.get("seen_by")
        if event is not None:
            event = decode(event["name"], NUMBER.write(event["v"]), event["data"])
        seen_by = None if seen_by is None else tuple(seen_by)
        AUDIENCE.write(seen_by)
        record = Record(
            NUMBER.write(data["seq"]),
            event,
            TEXT.write(data["seat"]),
            NUMBER.write(data["at"]),
            seen_by,
        )
    except (TypeError, KeyError, AttributeError) as error:
        raise StoreDamaged(Phrase("log.no_record", why=error)) from None
    to_row(record)
    return record
