"""The tables of a data folder without a running server: the store is open for as long as a command runs."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from storypool.cli import arguments
from storypool.cli.refusals import denied
from storypool.engine import story
from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.engine.game.system import System
from storypool.engine.offers import offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import view
from storypool.engine.table import Seat, Side, Table
from storypool.engine.waiting import waiting
from storypool.live.folded import unfold
from storypool.live.tables import Tables
from storypool.log.disk.reading import ReadingStore
from storypool.log.export import BadFile, export_lines
from storypool.log.store import Listing, Store
from storypool.web.access import mint
from storypool.web.wire import encode, offer_data, table_data
from storypool.words import Phrase
from storypool.words.languages import Languages
from storypool.worth.weighing import Asked, weighed, weighed_data


class StoredTables:
    """The tables in an open store. The user who can open it is the host, and may act for every seat."""

    address = ""

    def __init__(self, store: Store, speaks: Languages) -> None:
        self.store, self.speaks = store, speaks

    def close(self) -> None:
        """Close the store, which releases the lock on the folder."""
        self.store.close()

    def open(self, system: str, title: str, options: Mapping[str, str], name: str) -> dict[str, Any]:
        """Open a table, and return its id, the first game master's seat, and a link for each side."""

        arguments.system(system)

        async def opened() -> tuple[str, Seat]:
            tables = self._tables()
            id = await tables.open(system, title, options)
            return id, await tables.take_seat(id, name, "gm")

        id, seat = asyncio.run(opened())
        return {"table": id, "seat": seat.id, "links": self._links(id)}

    def begin(self, records: list[Record]) -> dict[str, Any]:
        """Store a whole log as a new table, and return a link for each side."""
        id = asyncio.run(self._tables().begin(records))
        return {"table": id, "links": self._links(id)}

    def bring(self, data: bytes, name: str) -> dict[str, Any]:
        """Open a table from an exported file."""
        try:
            id = asyncio.run(self._tables().bring(data.splitlines(keepends=True)))
        except BadFile as error:
            raise Refused(Refusal.of("argument", error, name)) from None
        return {"table": id, "links": self._links(id)}

    def listings(self) -> list[dict[str, Any]]:
        """Return every table, the one last played first."""
        return [_as_data(listing) for listing in self.store.listings()]

    def delete(self, id: str, title: str) -> None:
        """Delete a table with its records, seats and links, for good."""
        self.store.delete(id, now())

    def link(self, id: str, side: str, seat: str) -> str:
        """Mint a link without the address of a server: for a side, or for one more device of a seat."""
        table = self._table(id)
        if isinstance(self.store, ReadingStore):
            # It would be gone with this process.
            raise self.store.why
        if seat:
            return f"/join#link={mint(self.store, 'device', table=id, seat=_seat(table, seat).id)}"
        return f"/join#link={mint(self.store, 'link', table=id, side=side)}"

    def move(self, id: str, seat: str, move: str, args: Mapping[str, str], override: bool) -> list[dict[str, Any]]:
        """Make a move, and return its records as the seat sees them."""
        mover = _seat(self._table(id), seat)
        records = asyncio.run(self._tables().make(id, mover.id, move, args, override=override)).records
        return list(self.log(id, seat, records[0].seq - 1))

    def offers(self, id: str, seat: str, check: str) -> dict[str, Any]:
        """Return what a seat may do as plain data: `table` as it sees it, `offers`, and the `odds` of an action."""
        table, system = self._table(id), self._system(id)
        mover = _seat(table, seat)
        shown = {
            "seq": table.seq,
            "seat": mover.id,
            "table": table_data(table, mover, system),
            "offers": [offer_data(one) for one in offers(system, table, mover.id, check)],
            "waits": waiting(system, table, mover.id),
            "odds": weighed_data(weighed(system, table, mover.id, Asked(check))),
        }
        plain: dict[str, Any] = json.loads(encode(shown))
        return plain

    def log(self, id: str, seat: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the log after a number as a seat reads it: number, time, seat, and the sentence."""
        ours, system = self._view(id, seat), self._system(id)
        for step in unfold(ours)[after:]:
            record = step.record
            text = story.sentence(record, step.before, system)
            yield {"seq": record.seq, "at": record.at, "seat": record.seat, "text": text}

    def follow(self, id: str, seat: str, after: int) -> Iterator[dict[str, Any]]:
        """Yield the log so far; nothing new can come while no server runs."""
        return self.log(id, seat, after)

    def export(self, id: str, seat: str) -> bytes:
        """Return the whole table as one file, or for a seat what that seat saw."""
        records = self._view(id, seat) if seat else self._records(id)
        return b"".join(export_lines(records))

    def transcript(self, id: str, seat: str) -> str:
        """Return the story so far as Markdown, as a seat saw it."""
        return story.transcript(self._view(id, seat), self._system(id))

    def _links(self, id: str) -> dict[str, str]:
        sides: tuple[Side, ...] = ("gm", "player", "spectator")
        return {side: self.link(id, side, "") for side in sides}

    def _records(self, id: str) -> list[Record]:
        listing = self.store.listing(id)
        if listing is None or listing.deleted:
            raise denied("unknown", "table", id=id)
        return self.store.read(id)

    def _table(self, id: str) -> Table:
        return fold(self._records(id))

    def _tables(self) -> Tables:
        return Tables(self.store, languages=self.speaks)

    def _system(self, id: str) -> System:
        table = self._table(id)
        return arguments.system(table.system, self.speaks.of(table.options))

    def _view(self, id: str, seat: str) -> list[Record]:
        records = self._records(id)
        return view(records, _seat(fold(records), seat))


def now() -> int:
    """Return the time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def _seat(table: Table, name: str) -> Seat:
    """Return the seat with this name or id, by default the first game master's."""
    seats = [seat for seat in table.seats.values() if seat.here]
    for seat in seats:
        if name.casefold() in (seat.id, seat.name.casefold()) if name else seat.side == "gm":
            return seat
    here = ", ".join(seat.name for seat in seats) or Phrase("cli.nobody")
    if name:
        raise denied("unknown", "seat", name=name, here=here)
    raise denied("unknown", "master.here", here=here)


def _as_data(listing: Listing) -> dict[str, Any]:
    return {
        "id": listing.id,
        "system": listing.system,
        "title": listing.title,
        "created": listing.created,
        "changed": listing.changed,
        "closed": listing.closed,
        "archived": listing.archived,
    }
