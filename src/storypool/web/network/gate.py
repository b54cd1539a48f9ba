"""The first checks of every request (host, origin, rate), and the headers of every response."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storypool.web.network.connection_limit import answering
from storypool.web.network.cross_origin import (
    allowed_origin,
    offered_token,
    origin_headers,
    preflight,
    without_cookies,
)
from storypool.web.network.limits import (
    COUNTED,
    Buckets,
    Pace,
    Quota,
    network_of,
    plain,
    rate_headers,
    whole_seconds,
)
from storypool.web.problem import Problem, problem
from storypool.web.server_log import HEADER, REQUEST, request_id
from storypool.web.server_settings import Settings
from storypool.words import Words

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self';"
    " img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
OVERRIDABLE_HEADER = "Cross-Origin-Resource-Policy"
"""The one header that a response may set, to allow embedding where it shows no table."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PORTS = {"http": 80, "https": 443}


@dataclass(slots=True)
class Gate:
    """The outermost middleware: refuses requests that fail the first checks, adds headers."""

    app: ASGIApp
    settings: Settings
    words: Words
    pace: Pace
    clock: Callable[[], float] = time.monotonic
    clients: Buckets = field(init=False)

    def __post_init__(self) -> None:
        self.clients = Buckets("client", self.settings.limits.client, self.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        with answering(scope):
            wait = self.pace.wait(client(scope))
            if wait:
                await asyncio.sleep(wait)
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Work for this request is logged with its id, in other threads too.
        REQUEST.set(request_id(Headers(scope=scope).get(HEADER, "")))
        counted: dict[str, Quota] = {}
        COUNTED.set(counted)
        origin = allowed_origin(scope, self.settings.origins)
        if origin:
            scope, send = without_cookies(scope, send)
        cross = origin_headers(scope, origin, self.settings.origins)
        send = _with_headers(scope, send, counted, cross)
        try:
            self.admit(scope, origin)
        except Problem as refused:
            await refuse(scope, receive, send, refused.response(self.words))
            return
        await (preflight(scope, origin) or self.app)(scope, receive, send)

    def admit(self, scope: Scope, origin: str = "") -> None:
        """Raise a `Problem` if a request may not pass; `origin` is one that the host allows."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.known_host(host, scope):
            raise problem("host", base=self.settings.base)
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            token = offered_token(headers) if origin and scope["type"] == "websocket" else ""
            if not token:
                self._from_here(headers, host, scope)
        wait = self.clients.wait(client(scope))
        if wait:
            raise too_often(wait)

    def known_host(self, host: str, scope: Scope) -> bool:
        """Whether this is a name of this server, or the local address of the connection."""
        name = _name(host)
        arrived = (scope.get("server") or ("",))[0]
        return name in self.settings.names or (name == arrived and bool(name) and _is_address(name))

    def _from_here(self, headers: Headers, host: str, scope: Scope) -> None:
        """Refuse a browser's request that does not come from one of our own pages.

        A request with a bearer token passes: a browser never adds one automatically, so it cannot
        be forged.
        """
        if bearer(headers):
            return
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            if site != "same-origin":
                raise problem("elsewhere")
        elif origin is None:
            raise problem("nowhere")
        elif not self.own_origin(origin, host, scope):
            raise problem("elsewhere")

    def own_origin(self, origin: str, host: str, scope: Scope) -> bool:
        """Whether an `Origin` is this server's: the public one, or that of the request's target."""
        if origin and origin.lower() == self.settings.public_origin:
            return True
        scheme = str(scope["scheme"]).replace("ws", "http")
        named, _, netloc = origin.lower().partition("://")
        ours = _authority(host, scheme)
        return named == scheme and ours is not None and _authority(netloc, scheme) == ours


def client(scope: Scope) -> str:
    """The address that a request comes from, as limits count it."""
    return network_of(plain(str((scope.get("client") or ("",))[0])))


def bearer(headers: Headers) -> str:
    """The token in the `Authorization` header, or ""."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def too_often(wait: float) -> Problem:
    """A 429 for a client with too many requests; `wait` is in seconds."""
    seconds = whole_seconds(wait)
    return problem("often", headers={"Retry-After": str(seconds)}, seconds=seconds)


async def refuse(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    """Send a refusal, also before a WebSocket is accepted."""
    if scope["type"] == "http":
        await response(scope, receive, send)
        return
    await send(
        {
            "type": "websocket.http.response.start",
            "status": response.status_code,
            "headers": response.raw_headers,
        }
    )
    await send({"type": "websocket.http.response.body", "body": response.body})


def _with_headers(
    scope: Scope, send: Send, counted: Mapping[str, Quota], cross: Mapping[str, str]
) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in (
            "http.response.start",
            "websocket.http.response.start",
            "websocket.accept",
        ):
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            for name, value in HEADERS.items():
                if name != OVERRIDABLE_HEADER or OVERRIDABLE_HEADER not in headers:
                    headers[name] = value
            headers[HEADER] = REQUEST.get()
            for name, value in cross.items():
                headers.append(name, value)
            # Over plain HTTP a browser ignores this header and complains about it.
            if scope["scheme"] in ("https", "wss"):
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
            # An answer that may be kept says nothing of the limits of one client.
            if "Cache-Control" not in headers:
                headers["Cache-Control"] = "no-store"
                headers.update(rate_headers(counted))
            message = {**message, "headers": headers.raw}
        await send(message)

    return sending


def _name(host: str) -> str:
    """The lower-case name in a `Host`, without its port and the brackets of an IPv6 address."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _authority(netloc: str, scheme: str) -> tuple[str, int] | None:
    """The name and the port; None without a name, for no address, or with a user."""
    try:
        parts = urlsplit(f"//{netloc}")
        if not parts.hostname or parts.netloc != netloc or "@" in netloc:
            return None
        return parts.hostname, parts.port or PORTS.get(scheme, 0)
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    return ":" in name or name.replace(".", "").isdecimal()
