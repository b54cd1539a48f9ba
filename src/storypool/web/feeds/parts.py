"""What a seat is shown, whole or in parts: what was sent before, a question or a reason or a sheet, is named.

Most of it stays as it was after a move, or is again as it was before. So a feed may number what it sends, and send
the number from then on. Each message has all there is: one that was never sent, because a newer took its place, is
missed by nobody.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Raw

from storypool.engine.game.system import System
from storypool.engine.offers import Offer
from storypool.engine.table import Seat
from storypool.live.tables import Offered
from storypool.web.wire import Message, encode, offer_data, offer_json, table_data

BY_ID = ("seats", "characters", "traits", "checks", "proposals", "bound")
"""The fields of a table whose entries are parts."""

MAX_KEPT = 1500
"""How many parts a client keeps at most: when there would be more, it drops all and is sent what counts."""

HASH_BYTES = 8


class SeatView:
    """What a seat is shown after a record: its offers, what the table waits for, the table as it sees it."""

    type = "offers"

    def __init__(
        self, offered: Offered, seat: Seat, system: System, notes: Sequence[str] = (), first_scene: bool = False
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
            self.type, encode({**shown, "notes": self.notes, "first_scene": self.first_scene}), self.seq
        )


class Parts:
    """The parts that one client has, and the messages that send it the others."""

    def __init__(self) -> None:
        # The hash of the JSON of each, 64 bits with a secret of this process, one behind the other in the order of
        # their numbers: a page that waits keeps 8 bytes for a part, where a dictionary would take 80.
        self._hashes = bytearray()
        self._new: list[bytes] = []

    def message(self, shown: SeatView) -> Message:
        """Return the message with all of what is shown, and with what this client has not got yet."""
        restart = not 0 < self._count <= MAX_KEPT
        if restart:
            self._hashes.clear()
        table = dict(shown.table)
        table |= {name: self._entries(table[name]) for name in BY_ID} | {"options": self._part(table["options"])}
        offers = [self._offer(*one) for one in zip(shown.offers_json, shown.offers, strict=True)]
        shown_now = {
            "offers": offers,
            "waits": self._part(shown.waits),
            "notes": self._part(shown.notes),
            "first_scene": shown.first_scene,
            "table": table,
        }
        new, self._new = b",".join(self._new), []
        start = b'{"type":"parts","seq":%d,"anew":%b,"new":{%b},' % (shown.seq, encode(restart), new)
        return Message("parts", start + encode(shown_now)[1:], shown.seq)

    def _offer(self, json: bytes, offer: Offer) -> int:
        """Return the number of an offer, whose questions and reasons are parts of their own."""
        if number := self._known(b"offer", json):
            return number
        data = offer_data(offer)
        asks, closed = [self._part(ask) for ask in data["asks"]], data["closed"]
        reasons = [self._part(reason) for reason in data["all_closed"]]
        parted = {"asks": asks, "closed": closed and self._part(closed), "all_closed": reasons}
        return self._add(b"offer", json, encode({**data, **parted}))

    def _entries(self, found: Mapping[str, object]) -> int:
        """Return the number of what a table has by id, of which each is a part of its own."""
        json = encode(found)
        if number := self._known(b"by id", json):
            return number
        return self._add(b"by id", json, encode({id: self._part(entry) for id, entry in found.items()}))

    def _part(self, value: object) -> int:
        json = encode(value)
        return self._known(b"", json) or self._add(b"", json, json)

    @property
    def _count(self) -> int:
        return len(self._hashes) // HASH_BYTES

    def _known(self, kind: bytes, json: bytes) -> int:
        found, at = _hash(kind, json), -1
        while (at := self._hashes.find(found, at + 1)) % HASH_BYTES and at >= 0:
            pass
        return at // HASH_BYTES + 1

    def _add(self, kind: bytes, json: bytes, parted: bytes) -> int:
        self._hashes += _hash(kind, json)
        self._new.append(b'"%d":%b' % (self._count, parted))
        return self._count


def _hash(kind: bytes, json: bytes) -> bytes:
    return hash((kind, json)).to_bytes(HASH_BYTES, "little", signed=True)
