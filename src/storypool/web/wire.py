"""The JSON of every interface: records, tables, offers.

Seats that see the same share one encoding of a record.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from storypool.engine.copies import replace
from storypool.engine.events import PointsSet, Record, RulesChanged, TableOpened
from storypool.engine.game.system import System
from storypool.engine.ledger import has_price
from storypool.engine.moments import Moment, moments
from storypool.engine.offers import Offer
from storypool.engine.sight import (
    audiences,
    for_reader,
    may_see,
    reads_sheet,
    seen,
    without_hidden,
)
from storypool.engine.story import sentence
from storypool.engine.table import Audience, Check, Purse, Seat, SharedTable, Table
from storypool.live.folded import Step
from storypool.log import codec
from storypool.log.kinds import plain_value
from storypool.odds.question import text
from storypool.web.problem import refusal_data

TYPES: Mapping[type, str] = {made: name for name, made in codec.EVENTS.items()}
"""The permanent name of each kind of event."""

TEXTS_KEPT = 4096


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return text(value)
    return plain_value(value)


_encoder = msgspec.json.Encoder(enc_hook=_plain)
encode = _encoder.encode
"""Encode any response: a bag as an object, a tuple as an array, a purse or a fraction as text."""

plain = partial(msgspec.to_builtins, enc_hook=_plain)
"""The same as plain data."""


def record_json(record: Record, text: str, paid: bool, felt: Sequence[Moment] = ()) -> bytes:
    """A record as a JSON object: that of `log.codec.record_json`, and what its reader needs.

    This is its sentence, whether it took a price, and the moments that it brings. The text of a
    game is left out.
    """
    event = record.event
    if isinstance(event, TableOpened | RulesChanged) and event.game:
        record = record._replace(event=replace(event, game=""))
    reader = b',"text":%b,"paid":%b,"moments":%b}' % (encode(text), encode(paid), encode(felt))
    return codec.record_json(record)[:-1] + reader


def table_data(table: Table, seat: Seat | None, system: System) -> dict[str, Any]:
    """A table as one seat sees it, as plain data."""
    ours, judged = seen(table, seat), without_hidden(table, seat)
    data = {name: getattr(ours, name) for name in SharedTable.__dataclass_fields__}
    data["turns"] = [slot.id for slot in system.turns(judged)]
    data["caps"] = caps_of(ours, seat, system)
    return {
        **data,
        "bound": {id: bound_data(judged, check, system) for id, check in ours.checks.items()},
    }


def caps_of(table: Table, seat: Seat | None, system: System) -> dict[str, int]:
    """The caps that depend on the table or on the owner of the points, by purse.

    Only those of characters whose sheets this seat reads.
    """
    caps = {}
    read = [id for id, one in table.characters.items() if reads_sheet(seat, one)]
    for row in system.accounts:
        if callable(row.cap) or row.heroes:
            owners = read if row.each == "character" else [""]
            for owner in owners:
                most = row.most(table, owner)
                if most is not None:
                    caps[str(Purse(row.name, owner))] = most
    return caps


def bound_data(table: Table, check: Check, system: System) -> list[dict[str, Any]]:
    """The dice of a check whose faces depend on its terms, in printed order.

    Equal neighbours form a group with a name, a count, the number on its first face, and its faces
    in order. Empty for games whose dice read the same in every check.
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


class Message(NamedTuple):
    """One message of a feed as JSON; records and offers have a `seq`."""

    type: str
    json: bytes
    seq: int | None = None


def message(type: str, **fields: object) -> Message:
    """A message that is not a record."""
    return Message(type, encode({"type": type, **fields}))


_RECORD = b'{"type":"record",'
"""The start of a record's message in a feed; in a list a record has no type."""


class Records:
    """A cache of records as JSON: each is encoded once for all seats that see the same."""

    def __init__(self) -> None:
        self._messages: OrderedDict[tuple[str, int, tuple[bool, ...]], Message] = OrderedDict()
        self._audiences: OrderedDict[tuple[str, int], tuple[Audience, ...]] = OrderedDict()

    def message(self, table_id: str, step: Step, seat: Seat | None, system: System) -> Message:
        """The feed's message of one record, as this seat may read it."""
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

    def list_json(
        self, table_id: str, steps: Sequence[Step], seat: Seat | None, system: System
    ) -> bytes:
        """Records as the content of a JSON array."""
        messages = (self.message(table_id, step, seat, system) for step in steps)
        return b",".join(b"{" + message.json[len(_RECORD) :] for message in messages)


def written(step: Step, seat: Seat | None, system: System) -> bytes:
    """A record as this seat may read it, as JSON; its sentence has only what the seat sees."""
    record = for_reader(step.record, seat)
    if record.event is None:
        return record_json(record, "", False)
    before = seen(step.before, seat)
    system = system.played_at(step.before)
    text, felt = sentence(record, before, system), moments(record.event, before, system)
    return record_json(record, text, took_price(record, step.before, system), felt)


def took_price(record: Record, before: Table, system: System) -> bool:
    """Whether this record took the price of the last move."""
    event = record.event
    if not isinstance(event, PointsSet) or before.undo_seen_by is not None:
        return False
    return system.by_account[event.account].paid(event.delta) > 0 and has_price(
        system, before.last_move
    )


def _make_room(kept: OrderedDict[Any, Any]) -> None:
    # A plain dictionary would search for its first entry past all removed ones.
    while len(kept) >= TEXTS_KEPT:
        kept.popitem(last=False)
