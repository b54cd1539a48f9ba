"""Endpoints that declare their method, path, input and output, for routing and documentation."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from storypool.engine.game.waits import gms
from storypool.engine.table import Seat
from storypool.live.fair_queue import FairQueue
from storypool.web.access import Session, hashed
from storypool.web.network.gate import bearer, client, too_often
from storypool.web.problem import Problem, problem
from storypool.web.server import Server
from storypool.web.table_answers import in_turn
from storypool.web.wire import encode
from storypool.words.languages import Language

T = TypeVar("T")


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """No body or query."""


class SeatQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The seat of this request; optional if the session has one seat at the table."""

    seat: str = ""


class CheckQuery(SeatQuery, forbid_unknown_fields=True):
    """The seat, and the id or title of an action if the seat sees more than one."""

    check: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response with more than status 200 and JSON."""

    body: object
    status: int = 200
    headers: Mapping[str, str] | None = None
    media: str = "application/json"
    cookie: str = ""


class Call:
    """One request to an endpoint: its body, its query, and its session."""

    def __init__(self, request: Request, server: Server, body: Any, query: Any) -> None:
        self.request, self.server, self.body, self.query = request, server, body, query
        self.tables, self.access, self.settings = server.tables, server.access, server.settings
        self.secret = secret_of(request, server)
        self.whose = client(request.scope)

    @property
    def language(self) -> Language:
        """The language of the answer: the table's once it is known, before that the server's."""
        return language_of(self.request)

    async def speak_as_at(self, table: str) -> None:
        """Answer in the language of a table, once the session may know of the table."""
        self.request.state.language = self.tables.languages.of(
            (await self.tables.look(table)).options
        )

    def path(self, name: str) -> str:
        """A parameter of the path."""
        return str(self.request.path_params[name])

    async def session(self) -> Session | None:
        """The session of this request; None if there is none."""
        return await self.access.session(self.secret) if self.secret else None

    async def check_token(self) -> None:
        """Refuse an unknown bearer token with 401."""
        token = bearer(self.request.headers)
        if token and await self.session() is None and not await self.access.waits(hashed(token)):
            raise problem("token")

    async def signed_in(self) -> Session:
        """The session of this request; 401 without one."""
        session = await self.session()
        if session is None:
            raise problem("signin")
        return session

    async def seat(self, claimed: str | None = None) -> Seat:
        """The seat of this request at the table in its path, checked against the session."""
        if claimed is None:
            claimed = getattr(self.body, "seat", None) or getattr(self.query, "seat", None)
        session, table = await self.session(), self.path("table")
        if session and session.seats_at(table):
            await self.speak_as_at(table)
        seat = await self.server.seat_of(session, table, claimed or "")
        self.whose = f"{seat.id} at {table}"
        return seat

    async def queued(self, queue: FairQueue, work: Callable[[], T]) -> T:
        """Run `work` off the event loop when this client's turn in the queue comes."""
        return await self.in_turn(queue, partial(asyncio.to_thread, work))

    async def in_turn(self, queue: FairQueue, work: Callable[[], Awaitable[T]]) -> T:
        """Await `work` when its turn in the queue comes; 429 if too much waits."""
        return await in_turn(queue, self.whose, work)

    async def master(self) -> Seat:
        """The game master's seat of this request, or a player's without one; 403 for others."""
        seat = await self.seat()
        if not await self.leads(seat):
            raise problem("gm")
        return seat

    async def leads(self, seat: Seat) -> bool:
        """Whether this seat decides for the table of this request: as a GM, or without one."""
        return seat.id in gms(await self.server.tables.look(self.path("table")))


def language_of(connection: HTTPConnection) -> Language:
    """The language to answer a request in, as far as it is known yet."""
    server: Server = connection.app.state.server
    return getattr(connection.state, "language", server.tables.languages.default)


def secret_of(connection: Request | Any, server: Server) -> str:
    """The secret of a request, from its bearer token or its cookie."""
    return bearer(connection.headers) or connection.cookies.get(server.cookie, "")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of the HTTP interface.

    `errors` are the keys of its own problems, in addition to those of any request. `price` compares
    its time on the event loop with that of the cheapest requests. With `by_link` the bearer may be
    the secret of a link, and is not looked up as a token. A `large` body may hold the text of a
    game. `gives` is a type, or MODULE:NAME for one that only the documents of the interface import.
    """

    method: str
    path: str
    call: Callable[[Call], Awaitable[object]]
    _: KW_ONLY
    body: Any = Nothing
    query: Any = Nothing
    gives: Any = dict
    status: tuple[int, ...] = (200,)
    errors: tuple[str, ...] = ()
    media: str = "application/json"
    tag: str = "tables"
    raw: bool = False
    price: int = 1
    by_link: bool = False
    large: bool = False

    @property
    def title(self) -> str:
        """Its description: the docstring of its function."""
        return (self.call.__doc__ or "").strip()

    async def respond(self, request: Request, server: Server) -> Response:
        """Answer one request."""
        self._not_too_often(request, server)
        # The next request from there waits for it, in `Gate`.
        server.pace.wait(client(request.scope), self.price - 1)
        query = _converted(dict(request.query_params), self.query, strict=False)
        body = None
        if self.body is not Nothing and not self.raw:
            limits = server.settings.limits
            most = limits.game if self.large else limits.body
            body = _decoded(request, await read(request, most, limits.slow_body), self.body)
        call = Call(request, server, body, query)
        if not self.by_link:
            await call.check_token()
        result = await self.call(call)
        if isinstance(result, Response):
            return result
        reply = (
            result if isinstance(result, Reply) else Reply(result, self.status[0], media=self.media)
        )
        content = reply.body if isinstance(reply.body, (bytes, str)) else encode(reply.body)
        response = Response(content, reply.status, dict(reply.headers or {}), reply.media)
        if reply.cookie:
            server.give_cookie(request, response, reply.cookie)
        return response

    def _not_too_often(self, request: Request, server: Server) -> None:
        secret = secret_of(request, server)
        wait = server.sessions.wait(hashed(secret)) if secret else 0.0
        if wait:
            raise too_often(wait)


def routes(endpoints: Iterable[Endpoint], server: Server) -> list[Route]:
    """The endpoints as routes, one for each path."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for one in endpoints:
        by_path.setdefault(one.path, {})[one.method] = one
    return [_route(path, methods, server) for path, methods in by_path.items()]


def _route(path: str, endpoints: Mapping[str, Endpoint], server: Server) -> Route:
    async def respond(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        with server.metrics.answering(method, path) as answered:
            response = await endpoints[method].respond(request, server)
            answered(response.status_code)
        return response

    return Route(path, respond, methods=list(endpoints))


def endpoint(
    method: str, path: str, **declared: Any
) -> Callable[[Callable[[Call], Awaitable[object]]], Endpoint]:
    """Decorate a coroutine function as an `Endpoint` with these fields."""
    return lambda call: Endpoint(method, path, call, **declared)


async def read(request: Request, most: int, slow: float) -> bytes:
    """The whole body of a request.

    413 as soon as it exceeds `most` bytes, 408 if it takes `slow` seconds.
    """
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > most:
        raise problem("toolarge", most=most)
    parts, size = [], 0
    try:
        async with asyncio.timeout(slow):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise problem("toolarge", most=most)
                parts.append(part)
    except TimeoutError:
        raise problem("tooslow", seconds=round(slow)) from None
    return b"".join(parts)


def _decoded(request: Request, data: bytes, wanted: Any) -> Any:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise problem("json")
    try:
        return msgspec.json.decode(data, type=wanted)
    except msgspec.ValidationError as error:
        raise _malformed(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise problem("json") from None


def _converted(data: Mapping[str, str], wanted: Any, strict: bool) -> Any:
    try:
        return msgspec.convert(data, wanted, strict=strict)
    except msgspec.ValidationError as error:
        raise _malformed(error) from None


def _malformed(error: msgspec.ValidationError) -> Problem:
    """A 400 with msgspec's reason and its field.

    msgspec writes "Expected `str`, got `int` - at `$.name`".
    """
    why, _, place = str(error).partition(" - at `$")
    field = place.rstrip("`").lstrip(".").partition("[")[0]
    if not field and "field `" in why:
        field = why.rpartition("field `")[2].rstrip("`")
    return problem("body", field, why=why.replace("`", "“", 1).replace("`", "”", 1))


def phrase(status: int) -> str:
    """The standard phrase of a status."""
    return HTTPStatus(status).phrase
