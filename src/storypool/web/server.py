"""What all endpoints share: the tables, the grants, the limits, the live feeds."""

import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response

from storypool import systems
from storypool.engine.refusal import Refusal
from storypool.engine.table import Seat
from storypool.live.fair_queue import FairQueue
from storypool.live.nightly import Nightly
from storypool.live.tables import Tables
from storypool.log.disk.reading import ReadingStore
from storypool.web.access import Access, Session
from storypool.web.feeds.feed import Feeds
from storypool.web.later_points import LaterPoints
from storypool.web.network.connection_limit import ConnectionLimit
from storypool.web.network.limits import Buckets, Pace
from storypool.web.network.metrics import Metrics
from storypool.web.notices import STORAGE, Notices
from storypool.web.problem import problem
from storypool.web.server_settings import Settings
from storypool.web.table_answers import Answers
from storypool.web.wire import Records

COOKIE_AGE_S = 365 * 24 * 3600


@dataclass(slots=True)
class Server:
    """The state of one running server, shared by HTTP and WebSocket endpoints."""

    tables: Tables
    settings: Settings
    clock: Callable[[], float] = time.monotonic
    games: Callable[[], Iterable[str]] = systems.playable
    nightly: Nightly | None = None
    notices: Notices = field(default_factory=Notices)
    access_class: type[Access] = Access
    feeds_class: type[Feeds] = Feeds
    access: Access = field(init=False)
    records: Records = field(init=False)
    answers: Answers = field(init=False)
    feeds: Feeds = field(init=False)
    connections: ConnectionLimit = field(init=False)
    metrics: Metrics = field(init=False)
    sessions: Buckets = field(init=False)
    joins: Buckets = field(init=False)
    new_tables: Buckets = field(init=False)
    texts_read: Buckets = field(init=False)
    texts_kept: Buckets = field(init=False)
    pace: Pace = field(init=False)
    small: FairQueue = field(init=False)
    large: FairQueue = field(init=False)
    evenings: FairQueue = field(init=False)
    kept: dict[tuple[str, ...], tuple[bytes, bytes]] = field(default_factory=dict)
    stories: dict[tuple[object, ...], Any] = field(default_factory=dict)
    later: LaterPoints = field(default_factory=LaterPoints)

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.access = self.access_class(self.tables.store, self.tables.now)
        self.records = Records()
        self.pace = Pace(limits.pace, self.clock)
        self.connections = ConnectionLimit(limits, self.pace)
        self.metrics = Metrics(lambda: self.feeds.count, lambda: self.connections.count)
        self.tables.watch_commits(self.metrics.committing)
        # Large questions have a queue of their own, so that small ones do not wait for them.
        self.small, self.large = (
            FairQueue(limits.share, limits.waiting, limits.patience) for _ in range(2)
        )
        # Each request starts a process, so a client may have only one waiting.
        self.evenings = FairQueue(1, limits.waiting, limits.patience)
        known = (self.later, self.metrics, self.notices)
        self.answers = Answers(self.tables, limits, (self.small, self.large), *known)
        self.feeds = self.feeds_class(
            self.tables,
            self.access,
            self.records,
            limits=limits,
            clock=self.clock,
            notices=self.notices,
            pace=self.pace,
            lagged=self.metrics.lag.observe,
            answers=self.answers,
        )
        if isinstance(self.tables.store, ReadingStore):
            self.notices.show(STORAGE, Refusal.of("storage", self.tables.store.why))
        self.sessions = Buckets("session", limits.session, self.clock)
        self.joins = Buckets("joins", limits.joins, self.clock)
        self.new_tables = Buckets("new_tables", limits.new_tables, self.clock)
        self.texts_read = Buckets("texts_read", limits.texts_read, self.clock)
        self.texts_kept = Buckets("texts_kept", limits.texts_kept, self.clock)

    @property
    def cookie(self) -> str:
        """The name of the session cookie, which has the port: browsers share cookies between ports.

        The servers of a shared store may have several ports, and know each other's sessions.
        """
        return f"storypool-{self.settings.port}"

    def background(self) -> list[Coroutine[None, None, None]]:
        """The work to do while the server runs, until it is cancelled."""
        return [self.nightly.run()] if self.nightly else []

    async def wait_to_join(self, client: str) -> float:
        """The seconds until this client may try to join; 0 counts as a try."""
        return self.joins.wait(client)

    async def seat_of(self, session: Session | None, table: str, claimed: str) -> Seat:
        """The seat that a session speaks for at a table.

        401 without a session, 404 without a seat there, 403 for a seat that is not its own.
        """
        if session is None:
            raise problem("signin")
        ours = session.seats_at(table)
        if not ours:
            raise problem("absent")
        if claimed and claimed not in ours:
            raise problem("seat", "seat", seats=", ".join(ours))
        seats = (await self.tables.look(table)).seats
        asked = [claimed] if claimed else ours
        chosen = [seats[id] for id in asked if id in seats and seats[id].here]
        if not chosen:
            raise problem("gone", "seat")
        if len(chosen) > 1:
            raise problem("seat.which", "seat", seats=", ".join(seat.id for seat in chosen))
        return chosen[0]

    def give_cookie(self, connection: HTTPConnection, response: Response, secret: str) -> None:
        """Set the session cookie of a browser for a year, `Secure` if the request came by https."""
        response.set_cookie(
            self.cookie,
            secret,
            COOKIE_AGE_S,
            path="/",
            secure=self.by_https(connection),
            httponly=True,
            samesite="strict",
        )

    def by_https(self, connection: HTTPConnection) -> bool:
        """Whether a request came by https, at least as far as the proxy."""
        public = urlsplit(self.settings.public_url)
        name = connection.headers.get("host", "").lower()
        return connection.url.scheme in ("https", "wss") or (
            public.scheme == "https" and name == public.netloc.lower()
        )
