"""A seat at a table: what it sees, what it is offered, and the moves that it makes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

from storypool.client.follower import Follower, follow
from storypool.client.remote_server import RemoteServer
from storypool.client.shown import News, SeatOdds, SeenRecord, read
from storypool.engine import table as state

PAGE = 500
"""Records of the log in one request."""


class ClientSeat:
    """One seat at one table; `system` is the key of its game, `me` has its id, name and side.

    `options` are the house rules of the table, also its `language`.
    """

    def __init__(self, server: RemoteServer, table: str, shown: Mapping[str, Any]) -> None:
        self.server, self.table_id = server, table
        self.system, self.title = str(shown["system"]), str(shown["title"])
        self.options: dict[str, str] = dict(shown["table"]["options"])
        self.me = read(state.Seat, shown["seat"])
        self.path = f"/api/tables/{table}"

    @classmethod
    async def at(cls, server: RemoteServer, table: str, id: str) -> ClientSeat:
        """A seat of the server's session; the only one at this table may be left out."""
        return cls(server, table, await server.get(f"/api/tables/{table}", seat=id))

    async def look(self) -> News:
        """The table, the offers and the waits now, without records."""
        async with aclosing(self.follow()) as feed:
            return await anext(feed)

    def follow(self, after: int | None = None) -> AsyncGenerator[News, None]:
        """The news of the table: as it is now, and again after each change, for ever.

        With `after`, the records after that one come first; 0 is the whole log. Records come in
        order, each once, over lost lines and restarts. `Refused` when the seat has lost its rights,
        or the table was deleted; `Unreachable` when the server is gone for longer than its
        patience.
        """
        follower = Follower(self, self.table_id, after)
        path = f"{self.path}/live?{urlencode({'seat': self.me.id})}"
        return follow(self.server, path, follower)

    async def log(self, after: int = 0) -> tuple[SeenRecord, ...]:
        """All records after this one, as this seat reads them."""
        line, more = list[SeenRecord](), True
        while more:
            page = await self.server.get(
                f"{self.path}/log", seat=self.me.id, after=after, limit=PAGE
            )
            line += map(SeenRecord.of, page["records"])
            after, more = line[-1].record.seq if line else after, page["more"]
        return tuple(line)

    async def make(
        self,
        move: str,
        args: Mapping[str, object] | None = None,
        /,
        *,
        override: bool = False,
        finish: bool = False,
        **answers: object,
    ) -> tuple[SeenRecord, ...]:
        """Make a move, once, however often it has to be sent; the records, which are stored.

        Its answers are given by name, or in a mapping.

        With `finish`, an action about which nothing is left to do ends with it; `override` sets a
        refusal aside where that may be done. `Refused` has the reason and the remedy, and
        `MissingAnswers` the questions that still need an answer.
        """
        body = {
            "seat": self.me.id,
            "move": move,
            "args": {**(args or {}), **answers},
            "override": override,
            "finish": finish,
            "token": token_hex(12),
        }
        made = await self.server.post(f"{self.path}/moves", body, again=True)
        return tuple(map(SeenRecord.of, made["records"]))

    async def preview(self, move: str, /, **answers: object) -> dict[str, Any]:
        """The effect of a move that is not made: as the interface's preview, in plain data."""
        body = {"seat": self.me.id, "move": move, "args": answers}
        found: dict[str, Any] = await self.server.post(f"{self.path}/preview", body, again=True)
        return found

    async def odds(self, check: str = "", *, move: str = "", brief: bool = False) -> SeatOdds:
        """The odds of the open action, exact, and the worth of each offer."""
        found = await self.server.get(
            f"{self.path}/odds", seat=self.me.id, check=check, move=move, brief=brief
        )
        return read(SeatOdds, found)

    async def game(self) -> dict[str, Any]:
        """The game as the page is sent it, in plain data: its panels, its ready characters."""
        found: dict[str, Any] = await self.server.get(f"/api/systems/{self.system}")
        return found

    async def recap(self) -> str:
        """The recap of the latest session as Markdown."""
        return await self.server.text(f"{self.path}/recap.md", seat=self.me.id)
