"""The doors of the server: how many connections it holds, in all and for each address, and how long each may be silent.

A connection costs a file descriptor whether or not anything is ever sent on it. When there are none left, nobody gets
in, and the loop that accepts connections spins; so the server holds fewer connections than it has descriptors.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from storypool.web.server_settings import Limits

SPARE = 128
"""Descriptors kept for files, the database and the program itself."""
NEARBY = ("127.0.0.1", "::1")
"""A proxy on this machine stands for everybody behind it, so these addresses have no bound of their own."""


class Doors:
    """Counts connections, from when they are made until they are lost."""

    def __init__(self, limits: Limits, descriptors: int | None = None) -> None:
        self.limits = limits
        self.most = max(SPARE, (raised_descriptors() if descriptors is None else descriptors) - SPARE)
        self._from: Counter[str] = Counter()
        self._in = 0

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


def protocols(doors: Doors) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return the protocols for HTTP and WebSockets whose connections go through these doors."""

    class Http(H11Protocol):
        """HTTP, with a bound on connections and on the time until a request is there."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = (self.client or ("",))[0]
            self._late: asyncio.TimerHandle | None = None
            self._left = False
            if doors.enter(self._address):
                self._wait()
            else:
                transport.abort()

        def data_received(self, data: bytes) -> None:
            before = self.cycle
            super().data_received(data)
            if self._left or self.transport.is_closing() or self.cycle is not before:
                self._in_time()
            elif self._late is None and getattr(before, "response_complete", True):
                # A further request began on this connection, and is not whole yet.
                self._wait()

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._in_time()
            self._left = True
            super().handle_websocket_upgrade(event)

        def connection_lost(self, exc: Exception | None) -> None:
            self._in_time()
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

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            doors.leave((self.client or ("",))[0])

    return Http, Socket
