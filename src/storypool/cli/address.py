"""Requests to a server by its address, each with a bearer token; refusals become `Refused`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from json import dumps, loads
from typing import IO, Any
from urllib.parse import urlsplit

from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused

SILENCE_TIMEOUT_S = 60
"""Seconds of silence after which the server counts as gone; it sends pings more often."""


class Unanswered(Refused):
    """A move is refused, since `missing` lists questions that need an answer and have none."""

    def __init__(self, refusal: Refusal, missing: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(refusal)
        self.missing = missing


class Address:
    """A server at an address, as `http://127.0.0.1:8230`."""

    def __init__(self, address: str) -> None:
        self.address = address

    def json(self, method: str, path: str, token: str, body: object = None) -> Any:
        """The response to a request as plain data; `Refused` gives the server's reason."""
        return loads(
            self.whole(method, path, token, None if body is None else dumps(body).encode())
        )

    def whole(
        self,
        method: str,
        path: str,
        token: str,
        data: bytes | None = None,
        media: str = "application/json",
    ) -> bytes:
        """The response to a request as bytes."""
        with self.ask(method, path, token, data, media) as answer:
            return answer.read()

    def feed(self, path: str, token: str) -> Iterator[tuple[str, Any]]:
        """The type and data of each event of a feed as it arrives, until the server ends it."""
        kind = ""
        with self.ask("GET", path, token) as answer:
            for line in answer:
                name, _, value = line.decode("utf-8").rstrip("\r\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    yield kind, loads(value)

    @contextmanager
    def ask(
        self,
        method: str,
        path: str,
        token: str,
        data: bytes | None = None,
        media: str = "application/json",
    ) -> Iterator[IO[bytes]]:
        """The response to a request, as a stream."""
        parts = urlsplit(self.address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.netloc, timeout=SILENCE_TIMEOUT_S)
        headers = {"Authorization": f"Bearer {token}"} | (
            {"Content-Type": media} if data is not None else {}
        )
        try:
            connection.request(method, path, data, headers)
            with connection.getresponse() as answer:
                if answer.status >= 400:
                    raise _refused(answer)
                yield answer
        except (OSError, HTTPException):
            raise denied("storage", "gone", address=self.address) from None
        finally:
            connection.close()


def _refused(answer: HTTPResponse) -> Refused:
    """The refusal in an error response."""
    try:
        body = loads(answer.read())
        return refused_by(Refusal(**body["error"]), body.get("missing", ()))
    except (ValueError, TypeError, KeyError):
        return denied("storage", "odd", status=answer.status)


def refused_by(refusal: Refusal, missing: Sequence[Mapping[str, Any]]) -> Refused:
    """The refusal of a server, and the questions of a move that still need an answer."""
    return Unanswered(refusal, missing) if missing else Refused(refusal)
