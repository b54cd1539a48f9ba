"""The feed over a WebSocket, and as server-sent events."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress

import msgspec
from starlette.responses import StreamingResponse
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from storypool.engine.table import Seat
from storypool.log.store import StoreError
from storypool.web import table_forms
from storypool.web.endpoint import Call, Endpoint, endpoint, language_of, seat_of, secret_of
from storypool.web.feed import TOO_MUCH, TOO_SLOW, Dropped, Feed, Hub, Message
from storypool.web.limits import Buckets
from storypool.web.problem import problem, told
from storypool.web.server_settings import Rate
from storypool.web.wire import encode

FRAMES = Rate(30, 2)
"""Messages that a client may send."""
BAD_DATA, POLICY, STORAGE = 1007, 1008, 1011
LAST_WORDS = 5.0
"""Seconds in which a close code has to get through."""


class Follow(msgspec.Struct):
    """What a client sends: it follows a table from a record on, or answers a ping. Other types are ignored."""

    type: str = ""
    table: str = ""
    after: int = 0
    epoch: str = ""
    offers: bool = False


class Live:
    """Every live connection's way in."""

    def __init__(self, hub: Hub) -> None:
        self.hub, self.server = hub, hub.server
        self._open: Counter[str] = Counter()

    def routes(self) -> list[WebSocketRoute]:
        """The WebSocket's route."""
        return [WebSocketRoute("/api/tables/{table}/live", self.socket)]

    def enter(self, secret: str) -> None:
        """Count a connection; 429 when this session, or the server, has too many."""
        limits = self.server.settings.limits
        if self._open[secret] >= limits.feeds_of_session or self._open.total() >= limits.feeds:
            raise problem(429, "limit", "feeds", headers={"Retry-After": "10"})
        self._open[secret] += 1

    def leave(self, secret: str) -> None:
        """A connection is over."""
        self._open[secret] -= 1
        if not self._open[secret]:
            del self._open[secret]

    async def socket(self, ws: WebSocket) -> None:
        """One WebSocket, from the handshake to its end."""
        secret = secret_of(ws, self.server)
        table = str(ws.path_params["table"])
        try:
            session = await self.server.access.session(secret) if secret else None
            if session and session.seats_at(table):
                tables = self.server.tables
                ws.state.language = tables.languages.of((await tables.look(table)).options)
            seat = await seat_of(self.server, session, table, ws.query_params.get("seat", ""))
            self.enter(secret)
        except Exception as error:
            refused = told(error)
            if refused is None:
                raise
            await ws.send_denial_response(refused.response(language_of(ws).program))
            return
        try:
            await ws.accept()
            with suppress(WebSocketDisconnect):
                await Conversation(self.hub, ws, table, seat, secret).hold()
        finally:
            self.leave(secret)

    async def events(self, call: Call, seat: Seat, query: table_forms.FeedQuery) -> Events:
        """The feed as server-sent events."""
        table = call.path("table")
        said = call.request.headers.get("last-event-id", "")
        after = int(said) if said.isdecimal() and len(said) < 16 else query.after
        hello = await self.hub.hello(table, seat)
        start = await self.hub.start(table, after, query.epoch)
        feed = Feed(self.hub, table, seat, call.secret, query.offers)
        self.enter(feed.secret)
        return Events(self, feed, start.after, [hello, start.reset] if start.reset else [hello])


class Events(StreamingResponse):
    """A feed as server-sent events: `event` is the type of a message, `id` the seq of a record."""

    def __init__(self, live: Live, feed: Feed, after: int, first: list[Message]) -> None:
        self.live, self.feed, self.after, self.first = live, feed, after, first
        self._given_up = False
        super().__init__(self._told(), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the feed until the other side is gone, or takes nothing for too long."""
        task = _this_task()

        def give_up() -> None:
            self._given_up = True
            task.cancel()

        self.feed.give_up = give_up
        try:
            await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            if not self._given_up:
                raise
            task.uncancel()
        finally:
            self.live.leave(self.feed.secret)

    async def _told(self) -> AsyncIterator[bytes]:
        for message in self.first:
            yield _event(message)
        async with aclosing(self.feed.messages(self.after)) as messages:
            try:
                async for message in messages:
                    with self.feed.sending():
                        yield _event(message)
            except Dropped as dropped:
                yield b"event: closed\ndata: %b\n\n" % encode({"code": dropped.code, "why": dropped.why})


@endpoint(
    "GET",
    "/api/tables/{table}/events",
    query=table_forms.FeedQuery,
    gives=str,
    errors=(401, 403, 404),
    media="text/event-stream",
    tag="live",
)
async def events(call: Call) -> Events:
    """The live feed as server-sent events. `Last-Event-ID` goes before `after`."""
    seat = await call.seat()
    live: Live = call.request.app.state.live
    return await live.events(call, seat, call.query)


class Conversation:
    """What goes on over one accepted WebSocket."""

    def __init__(self, hub: Hub, ws: WebSocket, table: str, seat: Seat, secret: str) -> None:
        self.hub, self.ws, self.table, self.seat, self.secret = hub, ws, table, seat, secret
        self.frames = Buckets(FRAMES, hub.server.clock)
        self._sender: asyncio.Task[None] | None = None
        self._closed = self._given_up = False

    async def hold(self) -> None:
        """Say hello, then listen until the other side is gone, or takes nothing for too long."""
        task = self._listening = _this_task()
        try:
            await self._send(await self.hub.hello(self.table, self.seat))
            while not self._closed:
                await self._heard(await self.ws.receive())
        except asyncio.CancelledError:
            if not self._given_up:
                raise
            task.uncancel()
        finally:
            await self._stop()

    async def _heard(self, received: object) -> None:
        assert isinstance(received, dict)
        if received["type"] == "websocket.disconnect":
            self._closed = True
            return
        if self.frames.wait(""):
            await self._close(Dropped(TOO_MUCH, "too many messages"))
            return
        try:
            said = msgspec.json.decode(received.get("text") or received.get("bytes") or b"", type=Follow)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            await self._close(Dropped(BAD_DATA, "not a message of this feed"))
            return
        if said.type == "follow":
            if said.table not in ("", self.table):
                await self._close(Dropped(POLICY, "another table than that of this address"))
            else:
                await self._follow(said)

    async def _follow(self, said: Follow) -> None:
        await self._stop()
        start = await self.hub.start(self.table, said.after, said.epoch) if said.after >= 0 else None
        if start is None:
            await self._close(Dropped(BAD_DATA, "after is a number from 0 on"))
        elif start.reset:
            await self._send(start.reset)
        else:
            feed = Feed(self.hub, self.table, self.seat, self.secret, said.offers)
            feed.give_up = self._give_up
            self._sender = asyncio.create_task(self._tell(feed, start.after))

    async def _tell(self, feed: Feed, after: int) -> None:
        async with aclosing(feed.messages(after)) as messages:
            try:
                async for message in messages:
                    with feed.sending():
                        await self._send(message)
            except Dropped as dropped:
                await self._close(dropped)
            except StoreError as error:
                await self._close(Dropped(STORAGE, str(error)))
            except WebSocketDisconnect:
                pass

    def _give_up(self) -> None:
        self._ending = asyncio.create_task(self._end_slow())

    async def _end_slow(self) -> None:
        """Whoever takes nothing is told so in case they listen again, and let go a little later."""
        await self._stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                await self._close(Dropped(TOO_SLOW, "too slow: reconnect with the last seq"))
        self._given_up = True
        self._listening.cancel()

    async def _send(self, message: Message) -> None:
        await self.ws.send({"type": "websocket.send", "text": message.json.decode()})

    async def _close(self, dropped: Dropped) -> None:
        if not self._closed:
            self._closed = True
            with suppress(WebSocketDisconnect, RuntimeError):
                await self.ws.close(dropped.code, dropped.why[:100])

    async def _stop(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            with suppress(asyncio.CancelledError):
                await self._sender
            self._sender = None


def _this_task() -> asyncio.Task[object]:
    task = asyncio.current_task()
    assert task is not None
    return task


def _event(message: Message) -> bytes:
    id = b"id: %d\n" % message.seq if message.seq is not None and message.type == "record" else b""
    return b"event: %b\n%bdata: %b\n\n" % (message.type.encode(), id, message.json)


ENDPOINTS: tuple[Endpoint, ...] = (events,)
"""Every endpoint of this module that is no WebSocket."""
