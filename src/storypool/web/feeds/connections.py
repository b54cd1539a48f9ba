"""The feed over a WebSocket and as server-sent events: two transports for one `Feed`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from functools import partial

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from storypool.engine.table import Seat
from storypool.log.store import StoreError
from storypool.web.access import hashed
from storypool.web.endpoint import Call, Endpoint, endpoint, language_of, secret_of
from storypool.web.feeds.feed import TOO_MUCH, Dropped, Feed
from storypool.web.interface import table_forms
from storypool.web.interface.live_forms import Questions
from storypool.web.interface.problems import SEATED
from storypool.web.network.cross_origin import PROTOCOL, offered_token
from storypool.web.network.gate import client
from storypool.web.network.limits import Buckets
from storypool.web.problem import problem_for
from storypool.web.server import Server
from storypool.web.wire import Message, encode, message

MESSAGE_PRICE, FOLLOW_PRICE = 1, 4
"""The prices of a message, and of one that restarts the feed, at the pace of their address."""
BAD_DATA, POLICY = 1007, 1008
CLOSE_TIMEOUT_S = 5.0
"""Seconds to wait until a close code is sent."""


async def hold(
    listen: Callable[[asyncio.TaskGroup], Awaitable[None]],
    close: Callable[[Dropped], Awaitable[None]],
) -> None:
    """Run a feed's tasks until the client is gone or the feed ends, then close.

    `listen` starts them.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            await listen(tasks)
    except* (ClientDisconnect, WebSocketDisconnect):
        pass
    except* (Dropped, StoreError) as over:
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await close(Dropped.by(over.exceptions[0]))


# Over a WebSocket.


class Heard(msgspec.Struct):
    """A message from a client: follow a table, watch the answers to questions, or ping.

    Pongs and unknown types are ignored.
    """

    type: str = ""
    table: str = ""
    after: int = 0
    epoch: str = ""
    offers: bool = False
    changes: bool = False
    asks: bool = True
    newest: int = 0
    questions: Questions = msgspec.field(default_factory=dict)


def routes(server: Server) -> list[WebSocketRoute]:
    """The route of the WebSocket."""
    return [WebSocketRoute("/api/tables/{table}/live", partial(socket, server))]


async def socket(server: Server, ws: WebSocket) -> None:
    """Serve one WebSocket, from the handshake to its end."""
    table = str(ws.path_params["table"])
    secret = offered_token(ws.headers) or secret_of(ws, server)
    with ExitStack() as connection:
        try:
            session = await server.access.session(secret) if secret else None
            if session and session.seats_at(table):
                ws.state.language = server.tables.languages.of(
                    (await server.tables.look(table)).options
                )
            seat = await server.seat_of(session, table, ws.query_params.get("seat", ""))
            connection.enter_context(server.feeds.connected(hashed(secret)))
        except Exception as error:
            refused = problem_for(error)
            if refused is None:
                raise
            await ws.send_denial_response(refused.response(language_of(ws).program))
            return
        await ws.accept(PROTOCOL if PROTOCOL in ws.scope["subprotocols"] else None)
        feed = Feed(
            server.feeds,
            table,
            seat,
            session=hashed(secret),
            address=client(ws.scope),
            send=partial(_send, ws),
        )
        # As many messages as a session may make requests: a page asks here what it would ask there.
        frames = Buckets("session", server.settings.limits.session, server.clock)
        await hold(partial(_listen, ws, feed, frames), partial(_close, ws))


async def _listen(ws: WebSocket, feed: Feed, frames: Buckets, tasks: asyncio.TaskGroup) -> None:
    await feed.hello()
    sending: asyncio.Task[None] | None = None
    while True:
        heard, price = await _received(ws, frames), MESSAGE_PRICE
        if heard.type == "ping":
            feed.push(message("pong"))
        elif heard.type == "watch":
            price = max(price, feed.watch(heard.questions))
        elif heard.type == "follow":
            if heard.table not in ("", feed.table_id):
                raise Dropped(POLICY, "another table than that of this address")
            if heard.after < 0:
                raise Dropped(BAD_DATA, "after is a number from 0 on")
            if sending is not None:
                sending.cancel()
                await asyncio.wait([sending])
            price = FOLLOW_PRICE + feed.restart_price
            if await feed.knows(heard.after, heard.epoch):
                after = await feed.first_record(heard.after, heard.newest)
                sending = tasks.create_task(
                    feed.run(after, heard.offers, heard.changes, heard.asks)
                )
        # The next message from there waits for it, as the next request does.
        await feed.keep_pace(price)


async def _received(ws: WebSocket, frames: Buckets) -> Heard:
    received = await ws.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received["code"])
    if frames.wait(""):
        raise Dropped(TOO_MUCH, "too many messages")
    try:
        return msgspec.json.decode(received.get("text") or received.get("bytes") or b"", type=Heard)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Dropped(BAD_DATA, "not a message of this feed") from None


async def _send(ws: WebSocket, message: Message) -> None:
    await ws.send({"type": "websocket.send", "text": message.json.decode()})


async def _close(ws: WebSocket, dropped: Dropped) -> None:
    await ws.close(dropped.code, dropped.why[:100])


# As server-sent events.


@endpoint(
    "GET",
    "/api/tables/{table}/events",
    query=table_forms.FeedQuery,
    gives=str,
    errors=(*SEATED, "feeds"),
    media="text/event-stream",
    tag="live",
    price=4,
)
async def events(call: Call) -> EventStream:
    """The live feed as server-sent events. `Last-Event-ID` takes precedence over `after`."""
    last_id = call.request.headers.get("last-event-id", "")
    after = int(last_id) if last_id.isdecimal() and len(last_id) < 16 else call.query.after
    return EventStream(call, await call.seat(), after)


class EventStream(Response):
    """A feed as server-sent events: `event` is the type of a message, `id` the seq of a record."""

    media_type = "text/event-stream"

    def __init__(self, call: Call, seat: Seat, after: int) -> None:
        self.call, self.seat, self.after = call, seat, after
        self.status_code, self.background = 200, None
        self.init_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the feed until the client is gone or the feed ends."""
        call, query = self.call, self.call.query

        async def write(event: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": event, "more_body": more})

        async def send_event(message: Message) -> None:
            await write(_event(message))

        async def listen(tasks: asyncio.TaskGroup) -> None:
            await feed.hello()
            known = await feed.knows(self.after, query.epoch)
            after = await feed.first_record(self.after if known else 0, query.newest)
            tasks.create_task(feed.run(after, query.offers, query.changes, query.asks))
            while (await receive())["type"] != "http.disconnect":
                pass
            raise ClientDisconnect

        async def close(dropped: Dropped) -> None:
            data = encode({"code": dropped.code, "why": dropped.why})
            await write(b"event: closed\ndata: %b\n\n" % data, more=False)

        feeds, session = call.server.feeds, hashed(call.secret)
        address, ping = client(call.request.scope), feeds.limits.ping_events
        feed = Feed(
            feeds,
            call.path("table"),
            self.seat,
            session=session,
            address=address,
            send=send_event,
            ping=ping,
        )
        with feeds.connected(session):
            await send(
                {
                    "type": "http.response.start",
                    "status": self.status_code,
                    "headers": self.raw_headers,
                }
            )
            await hold(listen, close)


def _event(message: Message) -> bytes:
    id = b"id: %d\n" % message.seq if message.seq is not None and message.type == "record" else b""
    return b"event: %b\n%bdata: %b\n\n" % (message.type.encode(), id, message.json)


ENDPOINTS: tuple[Endpoint, ...] = (events,)
"""Every HTTP endpoint of this module."""
