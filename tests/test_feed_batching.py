"""Writes of one event loop step are sent together, and never to a client that has gone."""

from __future__ import annotations

import asyncio
import time

import pytest
import uvicorn
from uvicorn.server import ServerState

from storypool.web.network.connection_limit import Connection, ConnectionLimit
from storypool.web.network.limits import Pace
from storypool.web.network.web_sockets import WebSocketProtocol
from storypool.web.server_settings import Limits, Rate


class Wire(asyncio.Transport):
    """A transport that records its input."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Record this."""
        assert not self.closed
        self.sent.append(bytes(data))

    def close(self) -> None:
        """Accept nothing more."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closed


def test_step_is_sent_together_in_order() -> None:
    """Every task's writes go out after the step, or before a close that follows them."""

    async def scene() -> Wire:
        wire = Wire()
        limit = ConnectionLimit(Limits(), Pace(Rate(1, 1), time.monotonic))
        connection = Connection(limit, "", lambda _: asyncio.Protocol())
        connection.connection_made(wire)
        for part in (b"a", b"b"):
            connection.write(part)
        assert wire.sent == []
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert wire.sent == [b"ab"]
        connection.write(b"c")
        connection.close()
        assert connection.is_closing()
        await asyncio.sleep(0)
        return wire

    wire = asyncio.run(scene())
    assert wire.sent == [b"ab", b"c"]
    assert wire.closed


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_client_leaving_early_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """A WebSocket whose client leaves before acceptance ends silently, even late."""
    wire = Wire()

    async def accepting(scope: object, receive: object, send: object) -> None:
        wire.close()
        assert callable(send)
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "hello"})

    async def scene() -> None:
        config, state = uvicorn.Config(accepting, lifespan="off"), ServerState()
        config.load()
        protocol = WebSocketProtocol(config, state, {})
        protocol.connection_made(wire)
        protocol.data_received(HANDSHAKE)
        await asyncio.wait(state.tasks)

    asyncio.run(scene())
    assert [] == wire.sent
    assert [] == caplog.messages
