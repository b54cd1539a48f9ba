"""The feed of a table over lost lines: each record once, in order, with the state after it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from json import loads
from typing import Any

from aiohttp import ClientWebSocketResponse, WSMsgType, WSServerHandshakeError

from storypool.client.remote_server import LOST, RemoteServer, Tries, not_served
from storypool.client.shown import MoveMaker, News, SeenRecord

SIGNED_OUT, DELETED = 4001, 4004
"""The codes with which a server closes a feed for good."""


class Follower:
    """The place of one follower of a table: the last record that it has, and of which log."""

    def __init__(self, seat: MoveMaker, table: str, after: int | None) -> None:
        self._seat, self._table, self._after, self._epoch = seat, table, after, ""
        self._records, self._again = list[SeenRecord](), False
        self._shown = -1

    async def news(
        self, socket: ClientWebSocketResponse, tries: Tries
    ) -> AsyncGenerator[News, None]:
        """The news of one connection, until it is lost; `Refused` where it has ended for good."""
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            data = loads(message.data)
            match data["type"]:
                case "hello":
                    await self._begin(socket, data)
                case "reset":
                    self._after, self._epoch, self._again = 0, data["epoch"], True
                    self._records.clear()
                    await self._begin(socket, data)
                case "ping":
                    await socket.send_json({"type": "pong"})
                case "record":
                    self._take(SeenRecord.of(data))
                case "offers":
                    tries.succeeded()
                    if self._records or self._again or self._shown != data["seq"]:
                        yield self._made(data)
        if socket.close_code == SIGNED_OUT:
            raise not_served("identity", "no_right")
        if socket.close_code == DELETED:
            raise not_served("identity", "deleted")

    async def _begin(self, socket: ClientWebSocketResponse, data: dict[str, Any]) -> None:
        if self._after is None:
            self._after = data["seq"]
        follow = {"type": "follow", "table": self._table, "after": self._after}
        await socket.send_json({**follow, "epoch": self._epoch or data["epoch"], "offers": True})
        self._epoch = data["epoch"]

    def _take(self, line: SeenRecord) -> None:
        if line.record.seq > (self._after or 0):
            self._after = line.record.seq
            self._records.append(line)

    def _made(self, data: dict[str, Any]) -> News:
        news = News.of(self._seat, data, self._records, self._again)
        self._records, self._again, self._shown = [], False, data["seq"]
        return news


async def follow(server: RemoteServer, path: str, follower: Follower) -> AsyncGenerator[News, None]:
    """The news of the feed at a path, however often the line is lost."""
    tries = server.tries()
    while True:
        try:
            async with (
                server.live(path) as socket,
                aclosing(follower.news(socket, tries)) as heard,
            ):
                async for news in heard:
                    yield news
        except WSServerHandshakeError as no:
            if no.status in (401, 403, 404):
                raise not_served("identity", "no_right") from None
        except LOST:
            pass
        await tries.pause()
