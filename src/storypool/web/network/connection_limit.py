"""Limits on connections: in all, for each address, and the time without a request.

A connection costs a file descriptor even if nothing is ever sent. Without descriptors nobody gets
in, and the accepting loop spins; so the server holds fewer connections than it has descriptors.

This stands between the sockets and the HTTP server, which gets an asyncio transport like any other.
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

from storypool.web.network.limits import PROXY_ADDRESSES, Pace, network_of, plain
from storypool.web.server_settings import Limits

SPARE_DESCRIPTORS = 128
"""Descriptors reserved for files, the database and the program."""
CONNECTION_PRICE = 4
"""The price of a connection at the pace of its address, added to those of its requests (1 or more).
"""
ACCEPTED_AT_ONCE = 16
"""Connections accepted before other tasks have a turn."""
UNASKED_S = 0.1
"""Seconds that a stopping server waits for the first request of an accepted connection."""
RETRY_PAUSE_S = 1
"""Seconds to wait for a descriptor when there is none."""
GATHERED_BYTES = 64 * 1024
"""Bytes gathered before they are sent within a step of the event loop."""
KEY = "connection"
"""The key of a request's `Connection` in the `state` of its ASGI scope."""


class ConnectionLimit:
    """Counts connections, from accepting to losing them."""

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
        """The number of connections."""
        return self._count

    async def accept(
        self, listener: socket.socket, protocol: Callable[[Connection], asyncio.Protocol]
    ) -> None:
        """Accept connections until cancelled; each gets a protocol when its address may go on.

        One without room, or that has to wait, costs next to nothing. Cancelling loses none: a
        connection that was not accepted waits in the socket.
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
                client, (host, *_) = await _accepted(loop, listener)
            except ConnectionError:
                continue
            except OSError:
                # No descriptor is left until a client leaves.
                await asyncio.sleep(RETRY_PAUSE_S)
                continue
            address = network_of(plain(host))
            if self.enter(address):
                self.unasked += 1
                waiting.add(task := loop.create_task(connect(client, address)))
                task.add_done_callback(waiting.discard)
            else:
                self.leave(address)
                client.close()

    async def settle(self) -> None:
        """Wait briefly for a request on each connection; call this when no more are accepted."""
        end = asyncio.get_running_loop().time() + UNASKED_S
        while self.unasked and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(UNASKED_S / 20)

    def enter(self, address: str) -> bool:
        """Count a connection; returns whether there is room for it."""
        self._count += 1
        self.by_address[address] += 1
        if self._count > self.most:
            return False
        return address in PROXY_ADDRESSES or self.by_address[address] <= self.limits.connections

    def leave(self, address: str) -> None:
        """Stop counting a connection."""
        self._count -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]


class Connection(asyncio.Protocol):
    """One connection: the protocol of its socket, and the transport of the HTTP server's protocol.

    It ends when a request is not complete in time: `silent` seconds after the start, or `idle`
    seconds between requests. Everything written in one step of the event loop is sent at its end: a
    response has several parts, a move is two or three records for each follower, and system calls
    are slow.
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
        """Suspend the time limit while a request is answered."""
        self._was_asked()
        self._stop_waiting()
        try:
            yield
        finally:
            if not self._transport.is_closing():
                self._wait(self._limit.limits.idle + self._limit.limits.silent)

    # The protocol of the socket's transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start, and wait for the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._wait(self._limit.limits.silent)
        # A protocol needs only the methods of a transport.
        self._protocol.connection_made(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and free the place."""
        self._was_asked()
        self._stop_waiting()
        self._limit.leave(self._address)
        self._protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass on received bytes."""
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass on the end of the input."""
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        """Pass on that the client reads slowly."""
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that the client reads again."""
        self._protocol.resume_writing()

    # The transport of the server's protocol.

    def set_protocol(self, protocol: asyncio.Protocol) -> None:
        """Switch to another protocol, such as that of WebSockets."""
        self._protocol = protocol

    def write(self, data: bytes) -> None:
        """Queue these bytes; they are sent when this step of the loop is over."""
        if not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent += data
        if len(self._unsent) > GATHERED_BYTES:
            self.flush()

    def flush(self) -> None:
        """Send the queued bytes."""
        if self._unsent:
            unsent, self._unsent = self._unsent, bytearray()
            self._transport.write(unsent)

    def close(self) -> None:
        """Send the queued bytes, and close."""
        self.flush()
        self._transport.close()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What the socket's transport knows; both of its addresses are plain."""
        if name == "socket":
            # uvicorn would ask it for addresses that are not.
            return default
        found = self._transport.get_extra_info(name, default)
        if found and name in ("peername", "sockname"):
            return plain(found[0]), found[1]
        return found

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
    """Accept a connection; unlike the loop's own way, cancelling this loses none."""
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
    """A context without the time limit of a request's connection; nothing without a socket."""
    connection = scope.get("state", {}).get(KEY)
    return connection.answering() if isinstance(connection, Connection) else nullcontext()


def raise_descriptor_limit() -> int:
    """Raise this process's limit of open files as far as possible, and return it."""
    if sys.platform == "win32":
        return 2048
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (hard, 65_536, 10_240):
        # Some systems report no limit, and still refuse a high one.
        wanted = 1 << 20 if most == resource.RLIM_INFINITY else min(most, 1 << 20)
        if wanted <= soft != resource.RLIM_INFINITY:
            return soft
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            continue
        return wanted
    return soft
