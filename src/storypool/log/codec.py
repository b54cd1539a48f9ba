"""Events as JSON and back: permanent names, versions, and upcasts that keep old records readable.

A class is stored by the names and types of its fields. A field is left out while it has its
default, so one with a default may be added to a class at any time. Stored events outlive the
classes, and golden logs hold each name and key. So any other change (a field renamed or gone, a new
meaning, another default) is a new version: raise the number of every event that holds it in
`VERSIONS`, add an upcast from the old number, and add a golden log.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from storypool.engine import events
from storypool.engine.events import Event, Record
from storypool.log.kinds import AUDIENCE, NUMBER, TEXT, Data, Form, Upcast, form_of
from storypool.log.store import StoreDamaged, StoreError, StoreNewer
from storypool.words import Phrase

__all__ = ["from_dict", "from_json", "to_dict", "to_json"]

EVENTS: Mapping[str, type] = {
    "table.opened": events.TableOpened,
    "options.set": events.OptionsSet,
    "rules.changed": events.RulesChanged,
    "seat.taken": events.SeatTaken,
    "character.set": events.CharacterSet,
    "sheet.set": events.SheetSet,
    "period.began": events.PeriodBegan,
    "period.ended": events.PeriodEnded,
    "move.made": events.MoveMade,
    "proposal.made": events.Proposed,
    "proposal.settled": events.ProposalSettled,
    "points.set": events.PointsSet,
    "check.opened": events.CheckOpened,
    "check.changed": events.CheckChanged,
    "dice.rolled": events.DiceRolled,
    "dice.bound": events.DiceBound,
    "check.closed": events.CheckClosed,
    "trait.set": events.TraitSet,
    "trait.removed": events.TraitRemoved,
    "words.said": events.Said,
    "clock.set": events.ClockSet,
    "table.rewound": events.Rewound,
}
"""Every event by its permanent name."""

VERSIONS: Mapping[str, int] = {}
"""The present version of each event whose stored form differs from version 1."""

FORMS = {name: (VERSIONS.get(name, 1), form_of(made)) for name, made in EVENTS.items()}
"""The present stored form of each event by name: its version, and its form."""

UPCASTS: dict[tuple[str, int], Upcast] = {}
"""From an event's data in one version to the next: pure, and never changed once released."""


class Coded(NamedTuple):
    """A stored event: its name, its version, its data."""

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
        """The event by name, in the present version; `StoreError` if it would not round-trip."""
        try:
            name, v, write = self._writes[type(event)]
        except KeyError:
            raise StoreError(Phrase("log.nameless", kind=type(event).__name__)) from None
        try:
            return Coded(name, v, write(event))
        except TypeError as error:
            raise StoreError(Phrase("log.not_stored", name=name, why=error)) from None

    def decode(self, name: str, v: int, data: Data) -> Event:
        """The event stored in any version up to the present one.

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
    """Data as JSON on one line, always the same bytes; `StoreError` for text outside Unicode."""
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError) as error:
        raise StoreError(Phrase("log.no_json", why=error)) from None


from_json: Callable[[str | bytes], Any] = msgspec.json.Decoder().decode


class EventRow(NamedTuple):
    """A record in a database; `seen_by` and `data` are JSON, `name` is None for a hidden event."""

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
        return EventRow(
            record.seq, record.at, record.seat, seen_by=seen_by, name=None, v=0, data=""
        )
    name, v, data = encode(record.event)
    return EventRow(
        record.seq, record.at, record.seat, seen_by=seen_by, name=name, v=v, data=to_json(data)
    )


def from_row(
    seq: int, at: int, seat: str, seen_by: str | None, name: str | None, v: int, data: str
) -> Record:
    """The record that a row keeps."""
    event = None if name is None else decode(name, v, from_json(data))
    return Record(seq, event, seat, at, None if seen_by is None else tuple(from_json(seen_by)))


def to_dict(record: Record) -> Data:
    """A record as JSON: `seq`, `at`, `seat`, `event` (null, or `name`, `v`, `data`), `seen_by`."""
    event = None if record.event is None else encode(record.event)._asdict()
    whole = {"seq": record.seq, "at": record.at, "seat": record.seat, "event": event}
    return whole if record.seen_by is None else {**whole, "seen_by": list(record.seen_by)}


def from_dict(data: Any) -> Record:
    """The record that `to_dict` wrote; `StoreError` for anything else: data are not trusted."""
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
