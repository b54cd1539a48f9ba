"""The live feed: what one reader of a table is told, in order, without a gap and without a duplicate.

A feed keeps a place in the log and nothing else. When the bell rings it reads on from there; so a slow reader costs no
memory, and one who was away goes on where it stopped.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from storypool.engine.ledger import Books
from storypool.engine.table import Seat
from storypool.live.folded import Step
from storypool.live.tables import Following
from storypool.log.store import NoTable
from storypool.web.endpoint import seat_of
from storypool.web.joining import claim_state, may_agree
from storypool.web.problem import Problem
from storypool.web.server import Server
from storypool.web.wire import encode, offers_json

logger = logging.getLogger("storypool.web")

VERSION = 1
RESTART, SIGNED_OUT, DELETED, TOO_SLOW, TOO_MUCH = 1012, 4001, 4004, 4008, 4029
LATE, LONGEST_REST = 0.002, 0.05
"""Seconds by which others may be late before offers wait for them, and for how long at most."""
AT_ONCE = 50
"""Records that are written before everybody else gets a turn."""


class Message(NamedTuple):
    """One message of a feed as JSON; `seq` for a record."""

    type: str
    json: bytes
    seq: int | None = None


class Dropped(Exception):
    """The feed is over: why, as a close code and in a word."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code, self.why = code, why


def message(type: str, **fields: object) -> Message:
    """A message that is no record."""
    return Message(type, encode({"type": type, **fields}))


class Feed:
    """One live connection of one seat."""

    def __init__(self, hub: Hub, table_id: str, seat: Seat, secret: str, wants_offers: bool) -> None:
        self.hub, self.server = hub, hub.server
        self.table_id, self.seat, self.secret, self.wants_offers = table_id, seat, secret, wants_offers
        self.offers: Message | None = None
        self.offered = -1
        self.heard = self.server.clock()
        self.busy_since: float | None = None
        self.give_up: Callable[[], None] = lambda: None
        self._following: Following | None = None
        self._presence: list[str] = []
        self._claims: list[object] = []
        self._ping = False

    def wake(self) -> None:
        """Look for news."""
        if self._following:
            self._following.bell.set()

    def ping(self) -> None:
        """Tell the reader that the connection lives."""
        self._ping = True
        self.wake()

    @contextmanager
    def sending(self) -> Iterator[None]:
        """While a message is on its way to the reader."""
        self.busy_since = self.server.clock()
        yield
        self.busy_since = None
        self.heard = self.server.clock()

    async def messages(self, after: int) -> AsyncGenerator[Message, None]:
        """Everything from record `after` on, for as long as the seat may hear it; ends with `Dropped`."""
        with self.server.tables.follow(self.table_id, after) as following:
            self._following = following
            self.hub.add(self)
            try:
                caught_up = False
                while True:
                    following.bell.clear()
                    if self.hub.stopping:
                        raise Dropped(RESTART, "the server stops: reconnect with the last seq")
                    await self._still_here()
                    steps = await self._steps(following)
                    if caught_up and len(steps) > self.server.settings.limits.behind:
                        raise Dropped(TOO_SLOW, "too slow: reconnect with the last seq")
                    caught_up = True
                    async for record in self._records(steps):
                        yield record
                    for news in self._news():
                        yield news
                    if self.wants_offers and self.offered < following.seq:
                        self.hub.desk.want(self.table_id, self.seat.id)
                    await following.bell.wait()
            finally:
                self.hub.remove(self)

    async def _still_here(self) -> None:
        try:
            session = await self.server.access.session(self.secret)
            self.seat = await seat_of(self.server, session, self.table_id, self.seat.id)
        except (NoTable, Problem) as error:
            listing = await asyncio.to_thread(self.server.tables.store.listing, self.table_id)
            if listing is None or listing.deleted:
                raise Dropped(DELETED, "the table was deleted") from None
            raise Dropped(SIGNED_OUT, str(error)) from None

    async def _steps(self, following: Following) -> list[Step]:
        try:
            return list(await following.ready())
        except NoTable:
            raise Dropped(DELETED, "the table was deleted") from None

    async def _records(self, steps: list[Step]) -> AsyncIterator[Message]:
        if not steps:
            return
        system = await self.server.tables.system(self.table_id)
        for n, step in enumerate(steps, 1):
            json = self.server.records.json(self.table_id, step, self.seat, system)
            yield Message("record", b'{"type":"record",' + json[1:], step.record.seq)
            if n % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _news(self) -> list[Message]:
        """What changed beside the log: who is here, who waits to be let in, what this seat may do."""
        news = []
        if (here := self.hub.seats(self.table_id)) != self._presence:
            self._presence = here
            news.append(message("presence", seats=here))
        waiting = [c for c in self.server.access.claims(self.table_id) if may_agree(self.seat, c)]
        if (claims := [claim_state(claim) for claim in waiting]) != self._claims:
            self._claims = list(claims)
            news.append(message("claims", claims=claims))
        if self.offers is not None:
            assert self.offers.seq is not None
            self.offered = self.offers.seq
            news.append(self.offers)
            self.offers = None
        if self._ping:
            self._ping = False
            news.append(message("ping"))
        return news


@dataclass(frozen=True, slots=True)
class Start:
    """Where a reader begins: behind this record, or `reset` when what it had is of another life of the log."""

    after: int
    reset: Message | None


class Hub:
    """All live feeds of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.desk = Desk(self)
        self.count = 0
        self.stopping = False
        self._feeds: dict[str, set[Feed]] = {}
        self._ticking: asyncio.Task[None] | None = None

    async def hello(self, table_id: str, seat: Seat) -> Message:
        """The first message of every feed."""
        seq = (await self.server.tables.look(table_id)).seq
        return message("hello", v=VERSION, epoch=self.server.tables.store.epoch, seq=seq, seat=seat.id)

    async def start(self, table_id: str, after: int, epoch: str) -> Start:
        """Where a reader who had the records up to `after` goes on."""
        seq, now = (await self.server.tables.look(table_id)).seq, self.server.tables.store.epoch
        if after > seq or (epoch and epoch != now):
            return Start(0, message("reset", epoch=now, seq=seq))
        return Start(after, None)

    def stop(self) -> None:
        """End every feed, with a word about why."""
        self.stopping = True
        for feeds in self._feeds.values():
            for feed in feeds:
                feed.wake()

    def add(self, feed: Feed) -> None:
        """A feed began."""
        self._feeds.setdefault(feed.table_id, set()).add(feed)
        self.count += 1
        self._tell_presence(feed)
        if self._ticking is None or self._ticking.done():
            self._ticking = asyncio.create_task(self._tick())

    def remove(self, feed: Feed) -> None:
        """A feed is over."""
        feeds = self._feeds.get(feed.table_id, set())
        feeds.discard(feed)
        self.count -= 1
        if not feeds:
            self._feeds.pop(feed.table_id, None)
            self.desk.forget(feed.table_id)
        self._tell_presence(feed)

    def _tell_presence(self, feed: Feed) -> None:
        others = [other for other in self.at(feed.table_id) if other is not feed]
        if all(other.seat.id != feed.seat.id for other in others):
            for other in others:
                other.wake()

    def at(self, table_id: str) -> list[Feed]:
        """The feeds of a table."""
        return list(self._feeds.get(table_id, ()))

    def seats(self, table_id: str) -> list[str]:
        """The seats that have a live feed."""
        return sorted({feed.seat.id for feed in self._feeds.get(table_id, ())})

    async def _tick(self) -> None:
        """Ping who has heard nothing for a while, and let go who has taken nothing for too long."""
        limits = self.server.settings.limits
        while self._feeds:
            await asyncio.sleep(min(limits.ping, limits.stuck) / 5)
            now = self.server.clock()
            for feed in [feed for feeds in self._feeds.values() for feed in feeds]:
                if feed.busy_since is not None and now - feed.busy_since > limits.stuck:
                    feed.busy_since = None
                    feed.give_up()
                elif now - feed.heard > limits.ping:
                    feed.heard = now
                    feed.ping()


class Desk:
    """Works out offers, one seat at a time, always for the newest record.

    Records and moves go first: it takes no more than half of the time, and less the later the others get their turn.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub, self.server = hub, hub.server
        self._wanted: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._books: dict[str, Books] = {}
        self._working: asyncio.Task[None] | None = None

    def want(self, table_id: str, seat_id: str) -> None:
        """Work out this seat's offers as soon as there is time."""
        self._wanted[table_id, seat_id] = None
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())

    def forget(self, table_id: str) -> None:
        """Nobody follows this table any more."""
        self._books.pop(table_id, None)

    async def _work(self) -> None:
        while self._wanted:
            # Records that are due go out first.
            await asyncio.sleep(0)
            (table_id, seat_id), _ = self._wanted.popitem(last=False)
            began = self.server.clock()
            try:
                offers = await self._worked_out(table_id, seat_id)
            except NoTable:
                continue
            except Exception:
                # One seat's trouble is not everybody's.
                logger.exception("The offers of seat %s at table %s could not be worked out.", seat_id, table_id)
                continue
            for feed in self.hub.at(table_id):
                if feed.seat.id == seat_id and feed.wants_offers:
                    feed.offers = offers
                    feed.wake()
            rest = min(LONGEST_REST, self.server.clock() - began)
            began = self.server.clock()
            await asyncio.sleep(rest)
            late = self.server.clock() - began - rest
            if late > LATE:
                await asyncio.sleep(min(LONGEST_REST, 4 * late))

    async def _worked_out(self, table_id: str, seat_id: str) -> Message:
        table, offers = await self.server.tables.offers(table_id, seat_id)
        seat = table.seats[seat_id]
        notes = await self._notes(table_id) if seat.side == "gm" else ()
        system = await self.server.tables.system(table_id)
        return Message("offers", offers_json(table, seat, system, offers, notes), table.seq)

    async def _notes(self, table_id: str) -> tuple[str, ...]:
        books = self._books.get(table_id)
        if books is None:
            books = self._books[table_id] = Books(await self.server.tables.system(table_id))
        books.enter(await self.server.tables.records(table_id, books.seq))
        return books.economy().notes
