"""The live feed of a table: every record in order, without gaps, and the newest other messages.

A feed keeps its place in the log, the new records if it has sent all before them, and the newest
message of each other kind. So a slow client costs no more memory than a quick one, because it reads
on from its place in the log, and a client that reconnects goes on where it stopped. A feed is
notified of its end, and never polls.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from storypool.engine.game.waits import gms
from storypool.engine.table import Seat
from storypool.live.folded import Step
from storypool.live.tables import Tables
from storypool.log.store import NoTable
from storypool.web.access import Access, Claim, claim_state, may_agree
from storypool.web.feeds.answering import AnswerQueue, Watched
from storypool.web.feeds.offering import OfferQueue
from storypool.web.feeds.seat_view import SeatView, SentView
from storypool.web.interface.live_forms import WatchQuestion
from storypool.web.network.limits import Pace
from storypool.web.notices import Notices
from storypool.web.problem import problem
from storypool.web.server_settings import Limits
from storypool.web.table_answers import Answers
from storypool.web.wire import Message, Records, message
from storypool.words import StorypoolError

VERSION = 1
STORAGE, RESTART, SIGNED_OUT, DELETED, TOO_SLOW, TOO_MUCH = 1011, 1012, 4001, 4004, 4008, 4029
GONE = "the table was deleted"
SLOW = "too slow: reconnect with the last seq"
STOPPED = "the server stops: reconnect with the last seq"
AT_ONCE, PRICE = 10, 0.5
"""The most records sent before other tasks get a turn, and their price at the address's pace."""
REST_S = 60.0
"""Seconds without a record until a table's offers are forgotten; the next record restores them."""
LOG_PIECE = 500
"""The records that a late feed reads from the log at a time."""


class Dropped(StorypoolError):
    """The end of a feed: a close code, and the reason in a word."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code, self.why = code, why

    @classmethod
    def by(cls, error: BaseException) -> Dropped:
        """The end of a feed for the exception that ended it."""
        match error:
            case Dropped():
                return error
            case NoTable():
                return cls(DELETED, GONE)
            case _:
                return cls(STORAGE, str(error))


class Feed:
    """One live connection of one seat; `send` delivers a message to the client."""

    def __init__(
        self,
        feeds: Feeds,
        table_id: str,
        seat: Seat,
        session: str,
        address: str,
        send: Callable[[Message], Awaitable[None]],
        ping: float | None = None,
    ) -> None:
        self.feeds, self.table_id, self.seat, self.session = feeds, table_id, seat, session
        self.leads = seat.side == "gm"
        self.address, self.send, self.ping = address, send, ping or feeds.limits.ping
        self.seq, self.offers, self.words, self.host = (
            0,
            False,
            feeds.tables.languages.default.program,
            False,
        )
        self._steps: Sequence[Step] | None = None
        self._caught_up = False
        self._news: dict[str, Message | SeatView | Watched] = {}
        self._watched: dict[str, Watched] = {}
        self._sent: SentView | None = None
        self._over: Dropped | None = None
        self._noticed = self._claimed = False
        self._committed: float | None = None
        self._woken = asyncio.Event()

    async def hello(self) -> None:
        """Send the first message of every feed."""
        seq, epoch = await self._now()
        await self._send(message("hello", v=VERSION, epoch=epoch, seq=seq, seat=self.seat.id))

    async def knows(self, after: int, epoch: str) -> bool:
        """Whether a client may go on after this record.

        A client ahead of the log, or of another epoch, is reset.
        """
        seq, now = await self._now()
        known = after <= seq and epoch in ("", now)
        if not known:
            await self._send(message("reset", epoch=now, seq=seq))
        return known

    async def first_record(self, after: int, newest: int) -> int:
        """The record to begin after, for a client that knows those up to `after`.

        A client that knows none may want only its number of the newest ones; 0 for all.
        """
        return after if after or newest <= 0 else max(0, (await self._now())[0] - newest)

    async def run(self, after: int, offers: bool, changes: bool = False, asks: bool = True) -> None:
        """Send everything after record `after` while the session may speak for the seat.

        With `changes`, a seat's view is sent as its differences; unless `asks`, without the
        questions of forms. Ends with `Dropped`, or the `StoreError` of a log that cannot be read.
        """
        self.seq, self.offers, self._steps, self._caught_up = after, offers, None, False
        self._sent = SentView(asks) if changes else None
        self._news.clear()
        for watched in self._watched.values():
            watched.restart()
        with self.feeds.following(self):
            await self._admit()
            system = await self.feeds.tables.system(self.table_id)
            self.notice()
            offered, since, rests = -1, self.feeds.clock(), False
            while True:
                self._woken.clear()
                committed, self._committed = self._committed, None
                steps = await self._next()
                if steps:
                    since, rests = self.feeds.clock(), False
                elif not rests and self.feeds.clock() - since > REST_S:
                    rests = True
                    self.feeds.rest(self.table_id)
                for n, step in enumerate(steps, 1):
                    record = self.feeds.records.message(self.table_id, step, self.seat, system)
                    await self._send(record)
                    self.seq = step.record.seq
                    if n % AT_ONCE == 0:
                        await self.keep_pace(PRICE)
                if committed is not None and steps:
                    self.feeds.lagged(self.feeds.clock() - committed)
                while self._news and self._caught_up:
                    news = self._news.pop(next(iter(self._news)))
                    if isinstance(news, SeatView):
                        offered = news.seq
                        news = self._sent.message(news) if self._sent else news.message
                    await self._send(news.message if isinstance(news, Watched) else news)
                if offers and offered < self.seq and self._caught_up:
                    self.feeds.offers.request(self.table_id, self.seat.id, self.brief)
                elif any(self.due()):
                    self.feeds.answers.request(self)
                await self._wait()

    @property
    def brief(self) -> bool:
        """Whether its client takes brief offers, as clients that follow the changes do."""
        return self._sent is not None

    # Notifications.

    def stored(self, steps: Sequence[Step]) -> None:
        """Take newly stored records; a client that lacks earlier ones gets them from the log."""
        self._steps = None if self._steps is None or self._steps else steps
        self._committed = self.feeds.clock() if self._committed is None else self._committed
        self._check(steps[-1].after.seats.get(self.seat.id))
        self._woken.set()

    async def keep_pace(self, price: float) -> None:
        """Wait until its address may go on, and add this price."""
        await asyncio.sleep(self.feeds.pace.wait(self.address, price))

    def watch(self, questions: Mapping[str, WatchQuestion]) -> int:
        """Answer these questions now and after each change; returns the price of new ones."""
        known, self._watched = self._watched, {}
        for name, asked in questions.items():
            watched = known.get(name)
            if watched is None or watched.question != asked:
                watched = Watched(name, asked)
            self._watched[name] = watched
        self._woken.set()
        return sum(one.price for name, one in self._watched.items() if known.get(name) is not one)

    @property
    def restart_price(self) -> int:
        """The price of answering all its questions again."""
        return sum(watched.price for watched in self._watched.values())

    def due(self) -> Iterator[Watched]:
        """The questions to answer now."""
        if self._caught_up:
            yield from (watched for watched in self._watched.values() if watched.is_due(self.seq))

    def ask_again(self, watched: Watched) -> None:
        """Mark a question to be answered again, after a failure or with more knowledge."""
        watched.ask_again()
        self._woken.set()

    def push(self, news: Message | SeatView | Watched) -> None:
        """Take a message that is not a record, in place of an unsent one of its kind."""
        self._news[news.type] = news
        self._woken.set()

    def notice(self) -> None:
        """Take the notices about the server, if there are or were any."""
        texts = self.feeds.notices.texts(self.words, self.host)
        if texts or self._noticed:
            self._noticed = bool(texts)
            self.push(message("notices", texts=texts))

    def claim(self, waiting: Sequence[Claim]) -> None:
        """Take the waiting claims that this seat may answer, if there are or were any."""
        ours = [claim_state(claim) for claim in waiting if may_agree(self.seat, self.leads, claim)]
        if ours or self._claimed:
            self._claimed = bool(ours)
            self.push(message("claims", claims=ours))

    def end(self, code: int, why: str) -> None:
        """End the feed before anything else is sent."""
        self._over = self._over or Dropped(code, why)
        self._woken.set()

    # The loop.

    async def _now(self) -> tuple[int, str]:
        tables = self.feeds.tables
        return (await tables.look(self.table_id)).seq, tables.store.epoch

    async def _admit(self) -> None:
        """Check the session once, at the beginning: later changes come as notifications."""
        session = await self.feeds.access.session_of(self.session)
        if session is None or (self.table_id, self.seat.id) not in session.seats:
            self.end(SIGNED_OUT, "signed out")
        table = await self.feeds.tables.look(self.table_id)
        self.words = self.feeds.tables.languages.of(table.options).program
        self.host = session is not None and session.host
        self.leads = self.seat.id in gms(table)
        self.claim(await self.feeds.access.claims(self.table_id))
        self._check(table.seats.get(self.seat.id))

    def _check(self, seat: Seat | None) -> None:
        if seat is None or not seat.here:
            self.end(SIGNED_OUT, "this seat is free again")
        else:
            self.seat = seat

    async def _next(self) -> Sequence[Step]:
        """The next stored records: those it was notified of, or a piece of the log after a gap."""
        steps, self._steps = self._steps, ()
        newest = steps[-1].record.seq if steps else (await self._now())[0]
        if self._caught_up and newest - self.seq > self.feeds.limits.behind:
            raise Dropped(TOO_SLOW, SLOW)
        if steps is None or (steps and steps[0].record.seq != self.seq + 1):
            steps = await self.feeds.tables.steps(self.table_id, self.seq, self.seq + LOG_PIECE)
            self._caught_up = len(steps) < LOG_PIECE
            if not self._caught_up:
                # What it is notified of meanwhile comes after the pieces that are still to be read.
                self._steps = None
                self._woken.set()
        return steps

    async def _send(self, news: Message) -> None:
        self._go_on()
        try:
            async with asyncio.timeout(self.feeds.limits.stuck):
                await self.send(news)
        except TimeoutError:
            raise Dropped(TOO_SLOW, SLOW) from None

    async def _wait(self) -> None:
        """Wait for news, with a ping after a long pause."""
        self._go_on()
        try:
            async with asyncio.timeout(self.ping):
                await self._woken.wait()
        except TimeoutError:
            self.push(message("ping"))

    def _go_on(self) -> None:
        if self._over is not None:
            raise self._over


class Feeds:
    """All live feeds of one server, which subscribe to their tables, and to grants and claims."""

    def __init__(
        self,
        tables: Tables,
        access: Access,
        records: Records,
        limits: Limits,
        clock: Callable[[], float],
        notices: Notices,
        pace: Pace,
        lagged: Callable[[float], None],
        answers: Answers,
    ) -> None:
        self.tables, self.access, self.records, self.limits = tables, access, records, limits
        self.notices, self.clock, self.pace, self.lagged = notices, clock, pace, lagged
        notices.changed = self._show_notices
        self.offers, self.answers = OfferQueue(tables, clock, self._offered), AnswerQueue(answers)
        self._following: dict[str, set[Feed]] = {}
        self._connections: Counter[str] = Counter()
        self._stopped = False
        access.subscribe(self)

    @property
    def count(self) -> int:
        """The number of feeds."""
        return sum(map(len, self._following.values()))

    @contextmanager
    def connected(self, session: str) -> Iterator[None]:
        """Count a connection while it lasts; 429 when this session or the server has too many."""
        if (
            self._connections[session] >= self.limits.feeds_of_session
            or self._connections.total() >= self.limits.feeds
        ):
            raise problem("feeds", headers={"Retry-After": "10"})
        self._connections[session] += 1
        try:
            yield
        finally:
            self._connections[session] -= 1
            if not self._connections[session]:
                del self._connections[session]

    @contextmanager
    def following(self, feed: Feed) -> Iterator[None]:
        """Notify a feed of everything while it lasts, and show others that its seat is here."""
        if self._stopped:
            feed.end(RESTART, STOPPED)
        id = feed.table_id
        before = self._seats(id)
        if id not in self._following:
            self.tables.subscribe(id, self)
        self._following.setdefault(id, set()).add(feed)
        if before == self._seats(id):
            self._tell_presence(id, [feed])
        else:
            self._changed(id)
        try:
            yield
        finally:
            before = self._seats(id)
            self._following[id].remove(feed)
            if feed.seat.id not in self._seats(id):
                self.tables.withdraw_numbers(id, feed.seat.id)
            if not self._following[id]:
                del self._following[id]
                self.tables.unsubscribe(id, self)
                self.offers.forget(id)
            if before != self._seats(id):
                self._changed(id)

    def stop(self) -> None:
        """End every feed because the server stops."""
        self._stopped = True
        for id in self._following:
            self._end(id, RESTART, STOPPED)

    def rest(self, table_id: str) -> None:
        """Forget the offers of a table until something happens there."""
        self.tables.rest(table_id)
        self.offers.forget(table_id)

    def _end(self, id: str, code: int, why: str) -> None:
        for feed in self._following.get(id, ()):
            feed.end(code, why)

    # Notifications from the tables and the grants, passed on to the feeds.

    def stored(self, table_id: str, steps: Sequence[Step]) -> None:
        """Send these stored records."""
        for feed in self._following.get(table_id, ()):
            feed.stored(steps)

    def deleted(self, table_id: str) -> None:
        """End the feeds of a deleted table."""
        self._end(table_id, DELETED, GONE)

    def revoked(self, session: str | None, table_id: str | None, seat_id: str | None) -> None:
        """End the feeds of revoked grants: of this session, table and seat, each None for any."""
        for id in [table_id] if table_id is not None else list(self._following):
            for feed in self._following.get(id, ()):
                if session in (None, feed.session) and seat_id in (None, feed.seat.id):
                    feed.end(SIGNED_OUT, "signed out")

    def claimed(self, table_id: str, waiting: Sequence[Claim]) -> None:
        """Send the claims of a table after one was made, answered or expired."""
        for feed in self._following.get(table_id, ()):
            feed.claim(waiting)

    def _offered(self, table_id: str, seat_id: str, shown: SeatView) -> None:
        for feed in self._following.get(table_id, ()):
            if feed.offers and feed.seat.id == seat_id and feed.brief == shown.brief:
                feed.push(shown)

    def _show_notices(self) -> None:
        for feeds in self._following.values():
            for feed in feeds:
                feed.notice()

    def _changed(self, table_id: str) -> None:
        """Notify the followers of a table of its present seats."""
        self._tell_presence(table_id, self._following.get(table_id, ()))

    def _tell_presence(self, table_id: str, feeds: Iterable[Feed]) -> None:
        presence = message("presence", seats=self.present(table_id))
        for feed in feeds:
            feed.push(presence)

    def present(self, table_id: str) -> list[str]:
        """The ids of the seats that follow a table."""
        return self._seats(table_id)

    def _seats(self, table_id: str) -> list[str]:
        """The ids of the seats with a live feed here."""
        return sorted({feed.seat.id for feed in self._following.get(table_id, ())})
