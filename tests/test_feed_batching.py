"""What is written to a WebSocket in one step of the event loop is sent at once."""

from __future__ import annotations

import asyncio
from typing import Any

from storypool.web.network.connection_limit import Gathered


class Wire:
    """A transport that keeps what it was given."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        """Keep this."""
        assert not self.closed
        self.sent.append(data)

    def close(self) -> None:
        """Take no more."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closed


def test_a_step_is_sent_at_once_and_in_order() -> None:
    """Whoever writes, it goes out when the step is over; what is written before a close goes out before it."""

    async def scene() -> Wire:
        wire = Wire()
        transport: Any = wire
        gathered = Gathered(transport, asyncio.get_running_loop())
        for part in (b"a", b"b"):
            gathered.write(part)
        assert wire.sent == []
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert wire.sent == [b"ab"]
        gathered.write(b"c")
        gathered.close()
        assert gathered.is_closing()
        await asyncio.sleep(0)
        return wire

    wire = asyncio.run(scene())
    assert wire.sent == [b"ab", b"c"]
    assert wire.closed
