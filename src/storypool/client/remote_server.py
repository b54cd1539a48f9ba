"""Requests to a server with a token, sent again where that is safe; refusals are exceptions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from json import loads
from types import TracebackType
from typing import Any, Self

from storypool.client.shown import read, refusal_of
from storypool.engine.game.asks import AskView
from storypool.engine.refusal import Refusal, Refused
from storypool.words import NotInstalled, Phrase, StorypoolError

try:
    import aiohttp
except ImportError:
    raise NotInstalled(Phrase("client.extra")) from None

SILENCE_S = 60.0
"""Seconds without a byte after which a line counts as lost; the server sends pings more often."""
PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0
"""Seconds before the second try, and the most between two; each pause is twice the one before."""
LOST = (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, TimeoutError)
"""The errors of a line that is lost for the moment."""


class Unreachable(StorypoolError, ConnectionError):
    """Raised when a server has not answered for as long as the caller is patient."""


class MissingAnswers(Refused):
    """A move is refused, since `missing` has questions that need an answer and have none."""

    def __init__(self, refusal: Refusal, missing: Sequence[AskView]) -> None:
        super().__init__(refusal)
        self.missing = tuple(missing)


def not_served(code: str, key: str, field: str = "", /, **values: object) -> Refused:
    """A refusal of the client's own: `client.KEY` and, if there is one, `client.KEY.remedy`."""
    return Refused(Refusal.of(code, Phrase(f"client.{key}", **values), field))


class Tries:
    """The tries of one errand: how long to wait before the next, until patience ends."""

    def __init__(self, patience: float, address: str) -> None:
        self._patience, self._address = patience, address
        self.succeeded()

    def succeeded(self) -> None:
        """Be as patient as at the first try again."""
        self._until, self._pause = time.monotonic() + self._patience, PAUSE_S

    async def pause(self, at_least: float = 0) -> None:
        """Wait before the next try; `Unreachable` where no patience is left."""
        if time.monotonic() > self._until:
            raise Unreachable(Phrase("client.gone", address=self._address))
        await asyncio.sleep(max(self._pause, at_least))
        self._pause = min(2 * self._pause, LONGEST_PAUSE_S)


class RemoteServer:
    """A server at an address, as `http://127.0.0.1:8230`, and the token of one session.

    `patience` is how many seconds a lost line and a server that restarts are waited for.
    """

    def __init__(self, address: str, token: str = "", patience: float = 600) -> None:
        self.address, self.token, self.patience = address, token, patience
        self._http = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=SILENCE_S)
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.close()

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def tries(self) -> Tries:
        """The tries of an errand at this server."""
        return Tries(self.patience, self.address)

    async def get(self, path: str, **query: object) -> Any:
        """The answer to a question, which changes nothing."""
        return loads(await self.text(path, **query))

    async def text(self, path: str, **query: object) -> str:
        """The same as the text that it is sent as."""
        asked = {key: _written(value) for key, value in query.items() if value not in (None, "")}
        return await self._asked("GET", path, again=True, params=asked)

    async def post(self, path: str, body: object, *, again: bool = False) -> Any:
        """The answer to a body; `again`: it may be sent a second time, as it counts only once."""
        return loads(await self._asked("POST", path, again=again, json=body))

    async def _asked(self, method: str, path: str, *, again: bool, **more: Any) -> str:
        tries = self.tries()
        while True:
            wait = 0.0
            try:
                async with self._http.request(
                    method, self.address + path, headers=self._headers, **more
                ) as answer:
                    text = await answer.read()
                    if answer.status < 400:
                        return text.decode()
                    if answer.status not in (429, 503) or not again:
                        raise _refused(answer.status, text)
                    wait = float(answer.headers.get("Retry-After", 0))
            except LOST as lost:
                if not again:
                    raise Unreachable(Phrase("client.gone", address=self.address)) from lost
            await tries.pause(wait)

    def live(self, path: str) -> AbstractAsyncContextManager[aiohttp.ClientWebSocketResponse]:
        """A WebSocket, whose messages come within `SILENCE_S` seconds of each other."""
        return self._http.ws_connect(
            self.address + path,
            headers=self._headers,
            timeout=aiohttp.ClientWSTimeout(ws_receive=SILENCE_S, ws_close=5),
            max_msg_size=0,
        )


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refused(status: int, text: bytes) -> Refused:
    """The refusal in an error response."""
    try:
        body: Mapping[str, Any] = loads(text)
        refusal = refusal_of(body["error"])
        missing = [read(AskView, one) for one in body.get("missing", ())]
    except (ValueError, TypeError, KeyError):
        return not_served("storage", "odd", status=status)
    return MissingAnswers(refusal, missing) if missing else Refused(refusal)
