"""A recap for the group's chat: printed as Markdown when a session ends.

`python recap.py LINK NAME`, with a spectator's link, so that it holds only what everybody saw.
"""

import asyncio
import sys
from collections.abc import Callable

from storypool import events
from storypool.client import connect


async def post(link: str, name: str, send: Callable[[str], object] = print) -> None:
    """Wait for the end of the session, and send its recap."""
    async with connect(link, name) as seat:
        async for news in seat.follow():
            ended = [one.record.event for one in news.records]
            if any(isinstance(e, events.PeriodEnded) and e.kind == "session" for e in ended):
                send(await seat.recap())
                return


if __name__ == "__main__":
    asyncio.run(post(sys.argv[1], sys.argv[2]))
