"""A server within a command, for a store that no server has open: the same endpoints, no socket."""

import asyncio
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.types import Message

from storypool.cli.address import Address, refused_by
from storypool.cli.refusals import denied
from storypool.cli.table_client import TableClient
from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.live.clock import system_time_ms
from storypool.live.peers.shared_tables import tables_class
from storypool.log.export import export_lines
from storypool.log.store import Store
from storypool.web.access import Access, Session, hashed
from storypool.web.app import ENDPOINTS
from storypool.web.endpoint import routes
from storypool.web.problem import Problem
from storypool.web.server import Server
from storypool.web.server_settings import Limits, Settings
from storypool.web.wire import plain
from storypool.words import Phrase
from storypool.words.folding import alike
from storypool.words.languages import Languages

OWNER = "owner"
LIMITS = Limits(whole_table=sys.maxsize, odds=60.0)
"""A command may take its time, and a file may have any length."""


class StoredTables(TableClient):
    """The tables in an open store, without a running server; closing it closes the store."""

    def __init__(self, store: Store, languages: Languages) -> None:
        self._store, self._runner = store, asyncio.Runner()
        super().__init__(InProcess(store, languages, self._runner), OWNER)

    def close(self) -> None:
        """Close the store, which releases the lock on the folder."""
        self._runner.close()
        self._store.close()

    def delete(self, id: str, title: str) -> None:
        """Delete a table with its records, seats and links, permanently, even without a GM."""
        self._store.delete(id, system_time_ms())

    def export(self, id: str, seat: str) -> bytes:
        """The whole table as one file, even without a GM, or for a seat its view."""
        return super().export(id, seat) if seat else b"".join(export_lines(self._records(id)))

    def _token(self, id: str, seat: str) -> str:
        return f"{OWNER} {id} {self._seat(id, seat)}"

    def _seat(self, id: str, name: str) -> str:
        seats = [seat for seat in fold(self._records(id)).seats.values() if seat.here]
        for seat in seats:
            if alike(name) in (seat.id, alike(seat.name)) if name else seat.side == "gm":
                return seat.id
        here = ", ".join(seat.name for seat in seats) or Phrase("cli.nobody")
        if name:
            raise denied("unknown", "seat", name=name, here=here)
        raise denied("unknown", "master.here", here=here)

    def _records(self, id: str) -> list[Record]:
        listing = self._store.listing(id)
        if listing is None or listing.deleted:
            raise denied("unknown", "table", id=id)
        return self._store.read(id)


class OwnerAccess(Access):
    """Access of the user who has the store open: the host, for every seat; no tokens are stored."""

    async def session(self, secret: str) -> Session | None:
        """The host's session, with the seat of the secret: `OWNER`, or `OWNER TABLE SEAT`."""
        _, *seat = secret.split(" ")
        return Session(hashed(secret), frozenset({(seat[0], seat[1])} if seat else ()), host=True)

    async def sit(
        self, hash: str, table: str, seat: str, kind: str = "session", note: str = ""
    ) -> None:
        """Store nothing."""


class InProcess(Address):
    """The endpoints in this process, without a socket; their exceptions pass through."""

    def __init__(self, store: Store, languages: Languages, runner: asyncio.Runner) -> None:
        super().__init__("")
        self._runner = runner
        server = Server(
            tables_class(store)(store, languages=languages),
            Settings(limits=LIMITS),
            access_class=OwnerAccess,
        )
        self._app = Starlette(routes=routes(ENDPOINTS, server))
        self._app.state.server = server

    @contextmanager
    def ask(
        self,
        method: str,
        path: str,
        token: str,
        data: bytes | None = None,
        media: str = "application/json",
    ) -> Iterator[IO[bytes]]:
        """The response to a request."""
        path, _, query = path.partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [
                (b"authorization", f"Bearer {token}".encode()),
                (b"content-type", media.encode()),
            ],
        }
        body = io.BytesIO()

        async def receive() -> Message:
            return {"type": "http.request", "body": data or b"", "more_body": False}

        async def send(message: Message) -> None:
            body.write(message.get("body", b""))

        try:
            self._runner.run(self._app(scope, receive, send))
        except Problem as problem:
            raise refused_by(problem.refusal, plain(problem.missing)) from None
        body.seek(0)
        yield body
