"""How many connections the server holds, in all and for each address, and how long each may go
without a request.

A connection costs a file descriptor whether or not anything is ever sent on it. When there are none
left, nobody gets in, and the loop that accepts connections spins; so the server holds fewer
connections than it has descriptors.

All of this is between the sockets and the HTTP server, which is given an asyncio transport like any
other.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import count
from typing import Any

from storypool.web.network.limits import PROXY_ADDRESSES, Pace
from storypool.web.server_settings import Limits

SPARE_DESCRIPTORS = 128
"""Kept for files, the database and the program itself."""
CONNECTION_PRICE = 4
"""What a connection costs at the pace of its address, beside its requests, which cost 1 at
least.
"""
ACCEPTED_AT_ONCE = 16
"""How many connections are accepted before other tasks have a turn."""
UNASKED_S = 0.1
"""How long a server that ends waits for the first request of a connection that it has accepted."""
RETRY_PAUSE_S = 1
"""How long to wait for a descriptor where there is none left."""
GATHERED_BYTES = 64 * 1024
"""How much is gathered before it is sent within a step of the event loop."""
KEY = "connection"
"""Where the `Connection` of a request is in the `state` of its ASGI scope."""


class ConnectionLimit:
    """Counts connections, from when they are accepted until they are lost."""

    def __init__(self, limits: Limits, pace: Pace, descriptors: int | None = None) -> None:
        self.limits, self.pace = limits, pace
        all_descriptors = raise_descriptor_limit() if descriptors is None else descriptors
        self.most = max(SPARE_DESCRIPTORS, all_descriptors - SPARE_DESCRIPTORS)
        self.by_address: Counter[str] = Counter()
        self._count = 0
        self.unasked = 0
        """How many connections were accepted on which no request has come yet."""

    @property
    def count(self) -> int:
        """Return how many connections there are."""
        return self._count

    async def accept(
        self, listener: socket.socket, protocol: Callable[[Connection], asyncio.Protocol]
    ) -> None:
        """Accept connections until cancelled; each gets a protocol when its address may go on.

        One that there is no room for, or that has to wait, costs next to nothing. None is lost by
        cancelling this: what was not accepted waits in the socket.
        """
        loop, waiting = asyncio.get_running_loop(), set[asyncio.Task[None]]()

        async def connect(client: socket.socket, address: str) -> None:
            await asyncio.sleep(self.pace.wait(address, CONNECTION_PRICE))
            try:
                await loop.connect_accepted_socket(
                    lambda: Connection(self, address, protocol), client
                )
            except OSError:
                self.unasked -= 1
                self.leave(address)
                client.close()

        for n in count(1):
            if n % ACCEPTED_AT_ONCE == 0:
                await asyncio.sleep(0)
            try:
                client, (address, *_) = await _accepted(loop, listener)
            except ConnectionError:
                continue
            except OSError:
                # There is no descriptor left until a client leaves.
                await asyncio.sleep(RETRY_PAUSE_S)
                continue
            if self.enter(address):
                self.unasked += 1
                waiting.add(task := loop.create_task(connect(client, address)))
                task.add_done_callback(waiting.discard)
            else:
                self.leave(address)
                client.close()

    async def settle(self) -> None:
        """Wait a moment until a request has come on each connection; call this when no more are
        accepted.
        """
        end = asyncio.get_running_loop().time() + UNASKED_S
        while self.unasked and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(UNASKED_S / 20)

    def enter(self, address: str) -> bool:
        """Count a connection, and return whether there is room for it."""
        self._count += 1
        self.by_address[address] += 1
        if self._count > self.most:
            return False
        return address in PROXY_ADDRESSES or self.by_address[address] <= self.limits.connections

    def leave(self, address: str) -> None:
        """Count a connection no more."""
        self._count -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]


class Connection(asyncio.Protocol):
    """One connection: the protocol of its socket's transport, and the transport of a protocol of
    the HTTP server.

    It ends when a request is not whole in time: `silent` seconds after the connection was made, or
    after the time that a connection may be `idle` between requests. What is written in one step of
    the event loop is sent at once: a response has several parts, a move is two or three records for
    each follower, and a call to the system takes long.
    """

    def __init__(
        self,
        limit: ConnectionLimit,
        address: str,
        protocol: Callable[[Connection], asyncio.Protocol],
    ) -> None:
        self._limit, self._address = limit, address
        self._loop = asyncio.get_running_loop()
        self._late: asyncio.TimerHandle | None = None
        self._unsent = bytearray()
        self._protocol = protocol(self)
        self._asked = False

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Let this connection take its time while a request is answered."""
        self._was_asked()
        self._stop_waiting()
        try:
            yield
        finally:
            if not self._transport.is_closing():
                self._wait(self._limit.limits.idle + self._limit.limits.silent)

    # The protocol of the socket's transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, and wait for the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._wait(self._limit.limits.silent)
        # A protocol asks for no more than the methods of a transport.
        self._protocol.connection_made(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and make room."""
        self._was_asked()
        self._stop_waiting()
        self._limit.leave(self._address)
        self._protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass on what has come."""
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass on that nothing more comes."""
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        """Pass on that the client reads slowly."""
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that the client has read."""
        self._protocol.resume_writing()

    # The transport of the server's protocol.

    def set_protocol(self, protocol: asyncio.Protocol) -> None:
        """Go on with another protocol, as with that of WebSockets."""
        self._protocol = protocol

    def write(self, data: bytes) -> None:
        """Send these bytes behind those before them, when this step of the loop is over."""
        if not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent += data
        if len(self._unsent) > GATHERED_BYTES:
            self.flush()

    def flush(self) -> None:
        """Send what has been written."""
        if self._unsent:
            unsent, self._unsent = self._unsent, bytearray()
            self._transport.write(unsent)

    def close(self) -> None:
        """Send what has been written, and close."""
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def _was_asked(self) -> None:
        if not self._asked:
            self._asked = True
            self._limit.unasked -= 1

    def _wait(self, seconds: float) -> None:
        self._late = self._loop.call_later(seconds, self._transport.abort)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


async def _accepted(
    loop: asyncio.AbstractEventLoop, listener: socket.socket
) -> tuple[socket.socket, Any]:
    """Accept a connection. Unlike the loop's own way of waiting for one, this loses none when it is
    cancelled.
    """
    if sys.platform == "win32":
        return await loop.sock_accept(listener)
    while True:
        with suppress(BlockingIOError, InterruptedError):
            client, address = listener.accept()
            client.setblocking(False)
            return client, address
        readable = asyncio.Event()
        loop.add_reader(listener, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(listener)


def answering(scope: MutableMapping[str, Any]) -> AbstractContextManager[None]:
    """Return a context in which the connection of a request may take its time; nothing without a
    socket.
    """
    connection = scope.get("state", {}).get(KEY)
    return connection.answering() if isinstance(connection, Connection) else nullcontext()


def raise_descriptor_limit() -> int:
    """Raise the number of files that this process may have open as far as the system lets, and
    return it.
    """
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
