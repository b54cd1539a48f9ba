"""What a seat is shown, whole or in parts: what was sent before, a question or a reason or a sheet,
is named.

Most of it stays as it was after a move, or is again as it was before. So a feed may number what it
sends, and send the number from then on; what a record has just brought, such as an action that
changed, is named by the record. A message is made when it is sent, with all there is but for what
those before it have brought: one that was never sent, because a newer took its place, is missed by
nobody.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Raw

from storypool.engine.game.system import System
from storypool.engine.offers import Offer
from storypool.engine.table import Seat
from storypool.live.tables import Offered
from storypool.web.wire import (
    HASH_BYTES,
    Message,
    encode,
    offer_data,
    offer_json,
    part_hash,
    table_data,
)

BY_ID = ("seats", "characters", "traits", "checks", "proposals", "bound")
"""The fields of a table whose entries are parts."""

MAX_KEPT = 1500
"""How many parts a client keeps at most: when there would be more, it drops all and is sent what
counts.
"""


class SeatView:
    """What a seat is shown after a record: its offers, what the table waits for, the table as it
    sees it.
    """

    type = "offers"

    def __init__(
        self,
        offered: Offered,
        seat: Seat,
        system: System,
        notes: Sequence[str] = (),
        first_scene: bool = False,
    ) -> None:
        self.seq, self.waits, self.notes = offered.table.seq, offered.waits, notes
        self.offers, self.first_scene = offered.offers, first_scene
        self.offers_json = [offer_json(one) for one in offered.offers]
        self.table = table_data(offered.table, seat, system)

    @cached_property
    def message(self) -> Message:
        """The message with all of it."""
        shown = {
            "type": self.type,
            "seq": self.seq,
            "offers": [Raw(json) for json in self.offers_json],
            "waits": self.waits,
            "table": self.table,
        }
        return Message(
            self.type,
            encode({**shown, "notes": self.notes, "first_scene": self.first_scene}),
            self.seq,
        )


class Parts:
    """The parts that one client has, and the messages that send it the others."""

    def __init__(self) -> None:
        # The hash of the JSON of each, 64 bits with a secret of this process, one behind the other
        # in the order of their numbers: a page that waits keeps 8 bytes for a part, where a
        # dictionary would take 80.
        self._hashes = bytearray()
        # In the same way what the last message showed.
        self._shown = b""
        self._new: list[bytes] = []
        self._by_record: dict[bytes, int] = {}
        self._taken: dict[int, int] = {}

    def hear(self, record: Message) -> None:
        """Note what the client has from a record: it is not sent again as a part of the next
        message.
        """
        if record.sets and record.seq is not None:
            self._by_record[record.sets] = record.seq

    def message(self, shown: SeatView) -> Message:
        """Return the message with all of what is shown, as far as this client has not got it
        yet.
        """
        restart = self._restart()
        table = dict(shown.table)
        table |= {name: self._entries(table[name]) for name in BY_ID} | {
            "options": self._part(table["options"])
        }
        offers = [self._offer(*one) for one in zip(shown.offers_json, shown.offers, strict=True)]
        beside = {"waits": self._part(shown.waits), "notes": self._part(shown.notes)}
        now = self._changed({**beside, "first_scene": shown.first_scene, **table})
        changes = {name: now.pop(name) for name in table if name in now}
        start = b'{"type":"parts","seq":%d,%b,' % (shown.seq, self._sent(restart))
        self._by_record.clear()
        return Message(
            "parts", start + encode({"offers": offers, **now, "table": changes})[1:], shown.seq
        )

    def parted(self, offer: Offer) -> bytes:
        """Return the fields that send an offer by its number, in another message than that of
        all.
        """
        restart = self._restart()
        number = self._offer(offer_json(offer), offer)
        return b'%b,"offer":%d' % (self._sent(restart), number)

    def _restart(self) -> bool:
        """Forget all that was sent where there is nothing yet or too much; return whether it
        was.
        """
        restart = not 0 < self._count <= MAX_KEPT
        if restart:
            self._hashes.clear()
            self._shown = b""
        return restart

    def _sent(self, restart: bool) -> bytes:
        """Return the fields of a message that bring new parts."""
        new, records, self._new, self._taken = b",".join(self._new), self._taken, [], {}
        return b'"anew":%b,"new":{%b},"records":%b' % (encode(restart), new, encode(records))

    def _changed(self, fields: Mapping[str, object]) -> dict[str, object]:
        """Return what is not as the last message showed, of fields that are always the same
        ones.
        """
        hashes = [part_hash(encode(value)) for value in fields.values()]
        was, self._shown = self._shown, b"".join(hashes)
        places = range(0, len(self._shown), HASH_BYTES)
        return {
            name: value
            for at, one, (name, value) in zip(places, hashes, fields.items(), strict=True)
            if was[at : at + HASH_BYTES] != one
        }

    def _offer(self, json: bytes, offer: Offer) -> int:
        """Return the number of an offer, whose questions and reasons are parts of their own.

        One that is closed is the open one with its reasons.
        """
        if number := self._known(b"offer", json):
            return number
        data = offer_data(offer)
        closed, reasons = data["closed"], [self._part(reason) for reason in data["all_closed"]]
        as_open = {**data, "closed": None, "all_closed": ()}
        open_json = encode(as_open)
        number = self._known(b"offer", open_json)
        if not number:
            asks = [self._part(ask) for ask in data["asks"]]
            number = self._add(b"offer", open_json, encode({**as_open, "asks": asks}))
        if not reasons:
            return number
        parted = {"as": number, "closed": closed and self._part(closed), "all_closed": reasons}
        return self._add(b"offer", json, encode(parted))

    def _entries(self, found: Mapping[str, object]) -> int:
        """Return the number of what a table has by id, of which each is a part of its own."""
        json = encode(found)
        if number := self._known(b"by id", json):
            return number
        return self._add(
            b"by id", json, encode({id: self._part(entry) for id, entry in found.items()})
        )

    def _part(self, value: object) -> int:
        json = encode(value)
        return self._known(b"", json) or self._add(b"", json, json)

    @property
    def _count(self) -> int:
        return len(self._hashes) // HASH_BYTES

    def _known(self, kind: bytes, json: bytes) -> int:
        found, at = part_hash(json, kind), -1
        while (at := self._hashes.find(found, at + 1)) % HASH_BYTES and at >= 0:
            pass
        return at // HASH_BYTES + 1

    def _add(self, kind: bytes, json: bytes, parted: bytes) -> int:
        found = part_hash(json, kind)
        self._hashes += found
        if (seq := self._by_record.get(found)) is not None:
            self._taken[self._count] = seq
        else:
            self._new.append(b'"%d":%b' % (self._count, parted))
        return self._count
