"""Pages of other origins that a host names: they may use the interface, with tokens alone.

The headers are those of CORS (https://fetch.spec.whatwg.org/#http-cors-protocol). Credentials are
never allowed, so a browser sends no cookie of this server from there.
"""

from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message, Scope, Send

API = "/api"
PROTOCOL = "storypool"
"""The subprotocol of a live feed, for pages that cannot send a header with its handshake."""
TOKEN = "token."
"""The prefix of the token of such a page, in a second subprotocol."""
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
    "Access-Control-Max-Age": "7200",
}
EXPOSED = "Content-Disposition, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"


def allowed_origin(scope: Scope, origins: Collection[str]) -> str:
    """The origin of a request for the interface if a host has named it; "" for any other."""
    if not origins or not _is_api(scope):
        return ""
    origin = Headers(scope=scope).get("origin", "").lower()
    return origin if origin in origins else ""


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path == API or path.startswith(f"{API}/")


def without_cookies(scope: Scope, send: Send) -> tuple[Scope, Send]:
    """A request and its answer without cookies."""

    async def sending(message: Message) -> None:
        if "headers" in message:
            kept = [(name, value) for name, value in message["headers"] if name != b"set-cookie"]
            message = {**message, "headers": kept}
        await send(message)

    headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    return {**scope, "headers": headers}, sending


def preflight(scope: Scope, origin: str) -> Response | None:
    """The answer to a browser that asks what a page of an allowed origin may send."""
    asks = "access-control-request-method" in Headers(scope=scope)
    if not origin or scope["type"] != "http" or scope["method"] != "OPTIONS" or not asks:
        return None
    return Response(status_code=204, headers=PREFLIGHT)


def origin_headers(scope: Scope, origin: str, origins: Collection[str]) -> dict[str, str]:
    """The headers of an answer for a page of an allowed origin, and for caches of the interface."""
    if not origins or not _is_api(scope):
        return {}
    if not origin:
        return {"Vary": "Origin"}
    return {
        "Vary": "Origin",
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": EXPOSED,
    }


def offered_token(headers: Headers) -> str:
    """The token that a page offers as a subprotocol of a live feed, or ""."""
    offered = [one.strip() for one in headers.get("sec-websocket-protocol", "").split(",")]
    tokens = [one.removeprefix(TOKEN) for one in offered if one.startswith(TOKEN)]
    return tokens[0] if PROTOCOL in offered and tokens else ""
