"""A seat's view of a table, sent in full or as the differences from the last one."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Raw

from storypool.engine.game.system import System
from storypool.engine.table import Seat
from storypool.live.tables import Offered
from storypool.web.brief_offers import brief_offers
from storypool.web.wire import Message, encode, offer_data, table_data


class SeatView:
    """A seat's view after a record: its offers, perhaps brief, the waits, and the visible table."""

    type = "offers"

    def __init__(
        self,
        offered: Offered,
        seat: Seat,
        system: System,
        notes: Sequence[str] = (),
        first_scene: bool = False,
        brief: bool = False,
    ) -> None:
        self.seq, self.offered, self.brief = offered.table.seq, offered, brief
        self.system, self.seat = system, seat
        self.table = table_data(offered.table, seat, system)
        self.about = {"waits": offered.waits, "notes": notes, "first_scene": first_scene}

    @property
    def message(self) -> Message:
        """The message with all of it."""
        offers = [offer_data(one) for one in self.offered.offers]
        shown = {"type": self.type, "seq": self.seq, "offers": offers, "table": self.table}
        return Message(self.type, encode({**shown, **self.about}), self.seq)

    def offers_json(self, whole: bool) -> dict[str, bytes]:
        """The brief offers by their keys, with all questions if `whole`."""
        offers = brief_offers(self.system, self.seat, self.table["checks"], self.offered, whole)
        return {key: encode(one) for key, one in offers.items()}


class SentView:
    """The views that a client has been sent; each message has the differences.

    Offers are kept as the hashes of their JSON, so a page that waits costs little memory; the rest
    belongs to the table. With `asks`, all open offers have their questions, as the pages of earlier
    versions expect.
    """

    def __init__(self, asks: bool = False) -> None:
        self._asks = asks
        self._sent: Mapping[str, Any] = {}

    def message(self, shown: SeatView) -> Message:
        """The message that brings the client from the last view to this one."""
        offers = shown.offers_json(self._asks)
        hashes = {key: hash(json) for key, json in offers.items()}
        before, now = self._sent, {**shown.table, **shown.about, "offers": hashes}
        del now["seq"]
        fields, gone = dict[str, object](), dict[str, list[str]]()
        entries = dict[str, dict[str, object]]()
        for name, value in now.items():
            if isinstance(value, dict):
                left, new = _difference(before.get(name, {}), value)
                if left:
                    gone[name] = left
                if new or not before:
                    entries[name] = {id: value[id] for id in new}
            elif name not in before or before[name] != value:
                fields[name] = value
        if "offers" in entries:
            entries["offers"] = {key: Raw(offers[key]) for key in entries["offers"]}
        self._sent = now
        changes = {"fields": fields, "entries": entries, "gone": gone}
        message = {"type": "changes", "seq": shown.seq, "whole": not before, **changes}
        return Message("changes", encode(message), shown.seq)


def _difference(
    was: Mapping[str, object], now: Mapping[str, object]
) -> tuple[list[str], list[str]]:
    """The ids that are gone, and those that have changed or are new; new ones come last."""
    kept, new = [id for id in was if id in now], [id for id in now if id not in was]
    if [*kept, *new] != [*now]:
        # Something came back between others: all are sent again in their order.
        return [*was], [*now]
    gone = [id for id in was if id not in now]
    return gone, [id for id in now if id not in was or was[id] != now[id]]
