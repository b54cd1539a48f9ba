"""The doors of the server: how many connections it holds, in all and for each address, and how long each may be silent.

A connection costs a file descriptor whether or not anything is ever sent on it. When there are none left, nobody gets
in, and the loop that accepts connections spins; so the server holds fewer connections than it has descriptors. It also
costs time, as requests do: what comes on it is read at the pace of its address.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from storypool.web.network.limits import NEARBY, Pace
from storypool.web.serving.server_settings import Limits

SPARE = 128
"""Descriptors kept for files, the database and the program itself."""
CONNECTION, PART = 4, 0.25
"""What a connection, and a part of a body, cost beside the requests themselves, which cost 1 at least."""
AT_ONCE = 16
"""How many connections are taken before everybody else has a turn."""
HELD = 64 * 1024
"""How many bytes are held of what waits for its turn."""


class Doors:
    """Counts connections, from when they are made until they are lost."""

    def __init__(self, limits: Limits, pace: Pace, descriptors: int | None = None) -> None:
        self.limits, self.pace = limits, pace
        self.most = max(SPARE, (raised_descriptors() if descriptors is None else descriptors) - SPARE)
        self._from: Counter[str] = Counter()
        self._in = 0

    @property
    def count(self) -> int:
        """Return how many connections there are."""
        return self._in

    async def let_in(self, listener: socket.socket, made: Callable[[], asyncio.Protocol]) -> None:
        """Take one connection after another, until cancelled; each gets a protocol when it is its address's turn.

        One that there is no room for, or whose turn has not come, costs next to nothing.
        """
        loop, coming = asyncio.get_running_loop(), set[asyncio.Task[None]]()

        async def connected(wire: socket.socket, address: str) -> None:
            await asyncio.sleep(self.pace.wait(address, CONNECTION))
            try:
                await loop.connect_accepted_socket(made, wire)
            except OSError:
                self.leave(address)
                wire.close()

        for n in count(1):
            if n % AT_ONCE == 0:
                await asyncio.sleep(0)
            try:
                wire, (address, *_) = await loop.sock_accept(listener)
            except ConnectionError:
                continue
            except OSError:
                # There is no descriptor left, until somebody leaves.
                await asyncio.sleep(1)
                continue
            if self.enter(address):
                coming.add(task := loop.create_task(connected(wire, address)))
                task.add_done_callback(coming.discard)
            else:
                self.leave(address)
                wire.close()

    def enter(self, address: str) -> bool:
        """Count a connection in, and return whether there is room for it."""
        self._in += 1
        self._from[address] += 1
        return self._in <= self.most and (address in NEARBY or self._from[address] <= self.limits.connections)

    def leave(self, address: str) -> None:
        """Count a connection out."""
        self._in -= 1
        self._from[address] -= 1
        if not self._from[address]:
            del self._from[address]


def raised_descriptors() -> int:
    """Raise the number of files that this process may have open as far as the system lets, and return it."""
    if sys.platform == "win32":
        return 2048
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (hard, 65_536, 10_240):
        # Some systems say that there is no bound, and refuse to set what is above another one.
        wanted = 1 << 20 if most == resource.RLIM_INFINITY else min(most, 1 << 20)
        if wanted <= soft != resource.RLIM_INFINITY:
            return soft
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            continue
        return wanted
    return soft


class Gathered:
    """A transport that sends at once what is written to it in one step of the event loop.

    A move is two or three records, and each of its followers is sent them one by one: every call to the system that is
    saved is a tenth of a millisecond.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send these bytes behind those before them, when this step of the loop is over."""
        if not self._parts:
            self._loop.call_soon(self.flush)
        self._parts.append(data)

    def flush(self) -> None:
        """Send what has been written."""
        if self._parts:
            parts, self._parts = self._parts, []
            self._transport.write(b"".join(parts))

    def close(self) -> None:
        """Send what has been written, and close."""
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def protocols(doors: Doors) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return the protocols for HTTP and WebSockets whose connections go through these doors."""

    class Http(H11Protocol):
        """HTTP, at the pace of its address, and with a bound on the time until a request is there."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = (self.client or ("",))[0]
            self._late: asyncio.TimerHandle | None = None
            self._turn: asyncio.TimerHandle | None = None
            self._left = False
            self._coming = bytearray()
            self._wait()

        def data_received(self, data: bytes) -> None:
            self._coming += data
            if self._turn is None:
                begins = getattr(self.cycle, "response_complete", True)
                wait = doors.pace.wait(self._address, 1 if begins else PART)
                if wait:
                    self._turn = self.loop.call_later(wait, self._take)
                else:
                    self._take()
            elif len(self._coming) > HELD:
                self.flow.pause_reading()

        def _take(self) -> None:
            data, self._coming, self._turn = bytes(self._coming), bytearray(), None
            if len(data) > HELD:
                self.flow.resume_reading()
            before = self.cycle
            super().data_received(data)
            if self._left or self.transport.is_closing() or self.cycle is not before:
                self._in_time()
            elif self._late is None and getattr(before, "response_complete", True):
                # A further request began on this connection, and is not whole yet.
                self._wait()

        def on_response_complete(self) -> None:
            # A further request may be here already, behind the one that is answered.
            wait = doors.pace.wait(self._address, 1) if self.conn.trailing_data[0] else 0
            if wait:
                self.loop.call_later(wait, self._next)
            else:
                self._next()

        def _next(self) -> None:
            before = self.cycle
            super().on_response_complete()
            if self.cycle is before and self._late is None and self.conn.trailing_data[0]:
                # The beginning of a further request came together with the one that is answered.
                self._wait()

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._in_time()
            self._left = True
            super().handle_websocket_upgrade(event)

        def connection_lost(self, exc: Exception | None) -> None:
            self._in_time()
            if self._turn is not None:
                self._turn.cancel()
            super().connection_lost(exc)
            if not self._left:
                self._left = True
                doors.leave(self._address)

        def _wait(self) -> None:
            self._late = self.loop.call_later(doors.limits.silent, self.transport.abort)

        def _in_time(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

    class Socket(WebSocketsSansIOProtocol):
        """WebSockets; the connection was counted in when it was made."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(Gathered(transport, self.loop))  # type: ignore[arg-type]

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            doors.leave((self.client or ("",))[0])

    return Http, Socket
