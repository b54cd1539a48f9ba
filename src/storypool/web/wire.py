"""The JSON of every surface: records, tables, offers. A record is written once for all who see the same of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from storypool.engine.events import Event, PointsSet, Record
from storypool.engine.ledger import has_price
from storypool.engine.offers import Offer
from storypool.engine.sight import audiences, may_see, seen, shown
from storypool.engine.story import sentence
from storypool.engine.system import System
from storypool.engine.table import Audience, Check, Points, Seat, Table, Use
from storypool.live.folded import Step
from storypool.log.codec import FORMS
from storypool.web.problem import refusal_data

TYPES: Mapping[type, str] = {form.made: name for name, (_, form) in FORMS.items()}
"""The permanent name of each kind of event."""

SHOWN = (
    "system",
    "title",
    "options",
    "seats",
    "characters",
    "points",
    "traits",
    "checks",
    "proposals",
    "periods",
    "running",
    "undo_to",
    "redo_to",
    "dice_at",
    "seq",
)
"""What a front end gets of a table, as its seat sees it. What is counted for the rules would tell of what is hidden."""

TEXTS_KEPT = 4096


def _plain(value: Any) -> Any:
    if isinstance(value, Points):
        return value.written()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Use):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


_encoder = msgspec.json.Encoder(enc_hook=_plain)
encode = _encoder.encode
"""Any answer as JSON; a bag is an object, a tuple an array, a purse or a use of a limit its text."""


def event_json(event: Event) -> bytes:
    """An event as an object: its permanent name as `type`, then every field."""
    return b'{"type":"' + TYPES[type(event)].encode() + b'",' + encode(event)[1:]


def record_json(record: Record, text: str, paid: bool) -> bytes:
    """A record as an object, with its sentence and whether it took a price; its audience stays here."""
    event = b"null" if record.event is None else event_json(record.event)
    seat, said = encode(record.seat), encode(text)
    start = b'{"seq":%d,"at":%d,"seat":%b,"event":%b,"text":%b,' % (record.seq, record.at, seat, event, said)
    return start + (b'"paid":true}' if paid else b'"paid":false}')


def table_data(table: Table, seat: Seat | None, system: System) -> dict[str, Any]:
    """A table as one seat sees it; `bound` says what the dice of each check say by its terms, see `bound_data`."""
    ours = seen(table, seat)
    data = {name: getattr(ours, name) for name in SHOWN}
    return {**data, "bound": {id: bound_data(ours, check, system) for id, check in ours.checks.items()}}


def bound_data(table: Table, check: Check, system: System) -> list[dict[str, Any]]:
    """The dice of a check whose faces say something by its terms, in printed order; alike ones in a row are told once.

    Each is its name, how many there are, the number of its first face, and its faces in order. Empty where a die says
    the same in every check.
    """
    if system.bind is None:
        return []
    runs = ((die, len(list(alike))) for die, alike in groupby(system.bind(table, check)))
    return [{"name": die.name, "n": n, "first": die.first, "faces": die.faces} for die, n in runs]


def offer_data(offer: Offer) -> dict[str, Any]:
    """An offer as plain data."""
    data = {name: getattr(offer, name) for name in Offer.__dataclass_fields__}
    data["closed"] = None if offer.closed is None else refusal_data(offer.closed)
    data["all_closed"] = [refusal_data(refusal) for refusal in offer.all_closed]
    return data


def offers_json(table: Table, seat: Seat, system: System, offers: Sequence[Offer], notes: Sequence[str] = ()) -> bytes:
    """The message of a seat's offers, with the table as it sees it."""
    offered = [offer_data(offer) for offer in offers]
    ours = table_data(table, seat, system)
    return encode({"type": "offers", "seq": table.seq, "offers": offered, "table": ours, "notes": notes})


class Message(NamedTuple):
    """One message of a feed as JSON; `seq` for a record and for offers."""

    type: str
    json: bytes
    seq: int | None = None


def message(type: str, **fields: object) -> Message:
    """A message that is no record."""
    return Message(type, encode({"type": type, **fields}))


_RECORD = b'{"type":"record",'
"""How a record begins in a feed; in a list it is told as it is."""


class Records:
    """Records as JSON for whoever may see them; each is written once for all seats that see the same."""

    def __init__(self) -> None:
        self._messages: dict[tuple[str, int, tuple[bool, ...]], Message] = {}
        self._audiences: dict[tuple[str, int], tuple[Audience, ...]] = {}

    def message(self, table_id: str, step: Step, seat: Seat | None, system: System) -> Message:
        """One record as this seat may read it, as a message of its feed."""
        at = table_id, step.record.seq
        kept = self._audiences.get(at)
        if kept is None:
            _make_room(self._audiences)
            kept = self._audiences[at] = audiences(step.record, step.before)
        key = (*at, tuple(may_see(seat, audience) for audience in kept))
        message = self._messages.get(key)
        if message is None:
            _make_room(self._messages)
            json = _RECORD + written(step, seat, system)[1:]
            message = self._messages[key] = Message("record", json, step.record.seq)
        return message

    def list_json(self, table_id: str, steps: Sequence[Step], seat: Seat | None, system: System) -> bytes:
        """Records as an array."""
        messages = (self.message(table_id, step, seat, system) for step in steps)
        return b"[" + b",".join(b"{" + message.json[len(_RECORD) :] for message in messages) + b"]"


def written(step: Step, seat: Seat | None, system: System) -> bytes:
    """A record as this seat may read it; its sentence, too, is told from nothing but what this seat sees."""
    record = shown(step.record, seat)
    text = "" if record.event is None else sentence(record, seen(step.before, seat), system)
    return record_json(record, text, took_price(record, step.before, system))


def took_price(record: Record, before: Table, system: System) -> bool:
    """Whether this record took the price of a move: points went by the one that was made last, and it has one."""
    event = record.event
    return isinstance(event, PointsSet) and event.delta < 0 and has_price(system, before.last_move)


def _make_room(kept: dict[Any, Any]) -> None:
    while len(kept) >= TEXTS_KEPT:
        del kept[next(iter(kept))]
