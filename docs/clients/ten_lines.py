"""A bot in ten lines: it does what the table waits for, with the usual answers."""

import asyncio
import sys
from contextlib import suppress

from storypool.client import Refused, connect


async def play(link: str, name: str) -> None:
    """Answer everything that is asked of a seat, for ever."""
    async with connect(link, name) as seat:
        async for news in seat.follow():
            for wait in news.mine[:1]:
                with suppress(Refused):  # it was answered meanwhile, or needs your own words
                    await news.answer(wait)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], sys.argv[2]))
