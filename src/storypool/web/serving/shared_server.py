"""A server whose tables other processes serve too: they share sessions, presence and limits."""

import asyncio
import hmac
from collections.abc import Coroutine, Sequence
from typing import Any

from storypool.engine.table import Seat
from storypool.live.peers.shared_tables import SharedTables
from storypool.live.tables import Tables
from storypool.log.store import Grant
from storypool.web.access import CLAIM, Access, Session, hashed
from storypool.web.feeds.feed import Feeds
from storypool.web.problem import Problem
from storypool.web.server import Server
from storypool.web.server_settings import Settings


class SharedAccess(Access):
    """The access of all processes: what one of them has granted or revoked reaches the others."""

    _heard = frozenset[Grant]()

    async def starting_session(self, secret: str) -> Session:
        """The session of a page or program that another process may just have let in."""
        session = await super().starting_session(secret)
        return await self.renewed(session) or Session("")

    async def session_of(self, hash: str) -> Session | None:
        """Like `Access.session_of`; one without grants is not cached, as it may soon have some."""
        session = await super().session_of(hash)
        if session is None:
            self._sessions.pop(hash, None)
        return session

    async def renewed(self, session: Session) -> Session | None:
        """A session with what other processes may have granted it a moment ago."""
        self._forget(session.hash)
        return await self.session_of(session.hash)

    def granted(self, grants: Sequence[Grant]) -> None:
        """Take grants that another process has stored or revoked, possibly repeatedly."""
        new = frozenset(grants) - self._heard
        self._heard = frozenset(grants)
        for grant in new:
            self._forget(grant.hash)
            if grant.revoked:
                for subscriber in self._subscribers:
                    subscriber.revoked(grant.hash, grant.table, grant.seat)
        for table in {grant.table for grant in new if grant.kind == CLAIM}:
            self._begin(self._tell(table))

    def _forget(self, hash: str) -> None:
        self._life += 1
        self._sessions.pop(hash, None)


class SharedFeeds(Feeds):
    """The feeds of this process, with the presence of all."""

    tables: SharedTables

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._elsewhere: dict[str, frozenset[str]] = {}

    def elsewhere(self, table_id: str, seats: frozenset[str]) -> None:
        """These seats follow the table at other processes now."""
        if table_id in self._following:
            self._elsewhere[table_id] = seats
            self._tell_presence(table_id, self._following[table_id])

    def present(self, table_id: str) -> list[str]:
        """The ids of the seats that follow a table at any process."""
        seats = self._elsewhere.get(table_id, frozenset())
        return sorted(seats.union(super().present(table_id)))

    def _changed(self, table_id: str) -> None:
        if table_id not in self._following:
            self._elsewhere.pop(table_id, None)
        self.tables.peers.present(table_id, self._seats(table_id))
        super()._changed(table_id)


class SharedServer(Server):
    """A server for the tables of a shared store."""

    tables: SharedTables
    access: SharedAccess
    feeds: SharedFeeds

    def __init__(self, tables: SharedTables, settings: Settings, **named: Any) -> None:
        super().__init__(
            tables, settings, access_class=SharedAccess, feeds_class=SharedFeeds, **named
        )
        tables.peers.granted = self.access.granted
        tables.peers.elsewhere = self.feeds.elsewhere

    @property
    def cookie(self) -> str:
        """The name of the cookie, which all servers of the store know, at whatever port."""
        return f"storypool-{hashed(self.tables.store.secret)[:8]}"

    def background(self) -> list[Coroutine[None, None, None]]:
        """The work to do while the server runs, following the other processes included."""
        return [*super().background(), self.tables.peers.run()]

    async def wait_to_join(self, client: str) -> float:
        """Like `Server.wait_to_join`, for one limit of all processes.

        Raises `StoreError` when the store does not answer: then nobody gets in.
        """
        # Refuse a client that asks this process too often without asking the store.
        if wait := await super().wait_to_join(client):
            return wait
        store, rate = self.tables.store, self.settings.limits.joins
        bucket = hmac.new(store.secret.encode(), f"joins {client}".encode(), "sha256").hexdigest()
        return await asyncio.to_thread(store.take, bucket, rate.burst, rate.each_second)

    async def seat_of(self, session: Session | None, table: str, claimed: str) -> Seat:
        """Like `Server.seat_of`; another process may just have taken the seat for this session."""
        try:
            return await super().seat_of(session, table, claimed)
        except Problem:
            if session is None:
                raise
        renewed = await self.access.renewed(session)
        if renewed == session:
            await self.tables.renew(table)
        return await super().seat_of(renewed, table, claimed)


def server_class(tables: Tables) -> type[Server]:
    """The class for the server of these tables, which other processes may serve too."""
    return SharedServer if isinstance(tables, SharedTables) else Server
