"""A seat at a table of any server, for programs: connect, follow, look at offers, make moves.

    async with connect("https://table.example/join#link=SECRET", "Robo") as seat:
        async for news in seat.follow():
            for wait in news.waits:
                if wait.yours:
                    await news.answer(wait)

A client knows no rule: what a seat may do is what the server offers it. A lost line and a restarted
server are nothing that the caller sees; a refusal is an exception with its reason and its remedy.
It needs the extra `client`, which is aiohttp.
"""

from storypool.client.connecting import connect
from storypool.client.remote_server import MissingAnswers, Unreachable
from storypool.client.seat import ClientSeat
from storypool.client.shown import News, SeatOffer, SeenRecord, usual
from storypool.engine.game.asks import AskView as Ask
from storypool.engine.refusal import Refused
from storypool.engine.waiting import Waiting

__all__ = [
    "Ask",
    "ClientSeat",
    "MissingAnswers",
    "News",
    "Refused",
    "SeatOffer",
    "SeenRecord",
    "Unreachable",
    "Waiting",
    "connect",
    "usual",
]
