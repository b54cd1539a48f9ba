"""Events and records as JSON: permanent names, versions, and upcasts that keep old ones readable.

There are two forms: a short one for storage, see `to_row`, and one shape for every reader, see
`record_json`: in the interface, the live feed, exports and the terminal.

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
from storypool.log.kinds import AUDIENCE, NUMBER, TEXT, Data, Form, Upcast, form_of, plain_value
from storypool.log.store import StoreDamaged, StoreError, StoreNewer
from storypool.words import Phrase

__all__ = ["from_dict", "from_json", "record_json", "to_json"]

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
    "paper.set": events.PaperSet,
    "paper.removed": events.PaperRemoved,
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


FORMAT = 2
"""The present format of a record's JSON; the first had `name`, `v` and `data` in an event."""


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


_encode = msgspec.json.Encoder(enc_hook=plain_value).encode
_HEADS = {
    form.made: b'{"type":"%b","v":%d,' % (name.encode(), v) for name, (v, form) in FORMS.items()
}
"""How the JSON of each kind of event begins."""


def record_json(record: Record) -> bytes:
    """A record as JSON: `seq`, `at`, `seat`, `seen_by` and `event`, null for a hidden one.

    An event has its permanent name as `type`, its version as `v`, and every field by name, also
    those with their default. `StoreError` for what JSON cannot hold.
    """
    try:
        event = b"null"
        if record.event is not None:
            event = _HEADS[type(record.event)] + _encode(record.event)[1:]
        return b'{"seq":%d,"at":%d,"seat":%b,"seen_by":%b,"event":%b}' % (
            record.seq,
            record.at,
            _encode(record.seat),
            _encode(record.seen_by),
            event,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(Phrase("log.no_json", why=error)) from None


def from_dict(data: Any, format: int = FORMAT) -> Record:
    """The record that `record_json` wrote; `StoreError` for anything else: data are not trusted.

    Further keys of a record, such as its `text` for a reader, are passed over. `format` 1 is that
    of older exports.
    """
    try:
        event, seen_by = data["event"], data.get("seen_by")
        if event is not None:
            event = decode(*(_coded(event) if format > 1 else _coded_1(event)))
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


def _coded(event: Any) -> Coded:
    fields = {key: value for key, value in event.items() if key not in ("type", "v")}
    return Coded(event["type"], NUMBER.write(event["v"]), fields)


def _coded_1(event: Any) -> Coded:
    return Coded(event["name"], NUMBER.write(event["v"]), event["data"])
