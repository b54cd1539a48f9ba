"""The proxy in front of a server, seen from outside: certificate, and forwarded requests."""

import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from json import loads
from typing import NamedTuple
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from storypool.cli.address import Address
from storypool.cli.examination.findings import Observation, note, well, wrong
from storypool.engine.refusal import Refusal, Refused
from storypool.web.network.gate import PORTS
from storypool.words import Phrase, Words

TIMEOUT_S = 15.0
"""Seconds to wait for a response."""
QUIET_S = 25
"""Seconds that a live page may hear nothing: the server sends something at least this often."""
CERTIFICATE_DAYS = 14
"""Days before its end at which a certificate should have been renewed."""
CLOCK_OFF_S = 30
"""Seconds by which two clocks may differ."""
LIVE = "/api/tables/none/live"
"""The address of a feed that nobody may open."""


class Response(NamedTuple):
    """A response: its status, the code of its refusal, and its date."""

    status: int
    code: str
    date: str


class ServerAddress:
    """A server at an address, through any proxy; only the address of a link is shown."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._link = address if parts.fragment.startswith("link=") else ""
        self._scheme, self._netloc = parts.scheme, parts.netloc.rpartition("@")[2]
        self._host, self._port = parts.hostname or "", parts.port
        self.address = f"{self._scheme}://{self._netloc}"

    def examine(self, seconds: int, words: Words) -> Iterator[Observation]:
        """Observations; with the link of a seat, a live page is kept open for these `seconds`."""
        try:
            health = self._ask("GET", "/api/health")
        except ssl.SSLCertVerificationError as error:
            yield wrong("doctor.certificate.bad", address=self.address, why=error.verify_message)
            return
        except (OSError, HTTPException) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            yield wrong("doctor.front.away", address=self.address, why=why)
            return
        if health.code == "host":
            yield wrong("doctor.front.name", address=self.address)
            return
        if health.status not in (200, 503):
            yield wrong("doctor.front.other", address=self.address, status=health.status)
            return
        yield well("doctor.front", address=self.address)
        if self._scheme == "https":
            yield self._certificate()
        if health.date:
            off = round(
                abs((datetime.now(UTC) - parsedate_to_datetime(health.date)).total_seconds())
            )
            same = off <= CLOCK_OFF_S
            yield well("doctor.clock.same") if same else wrong("doctor.clock.off", n=off)
        yield self._passes_host()
        yield self._upgrades()
        yield self._stays_connected(seconds, words) if self._link else note("doctor.quiet.untried")

    def _ask(self, method: str, path: str, **headers: str) -> Response:
        kind = HTTPSConnection if self._scheme == "https" else HTTPConnection
        connection = kind(self._netloc, timeout=TIMEOUT_S)
        try:
            connection.request(
                method, path, headers={name.replace("_", "-"): one for name, one in headers.items()}
            )
            answer = connection.getresponse()
            data = b"" if answer.status == 101 else answer.read()
            return Response(answer.status, _code(data), answer.headers.get("Date", ""))
        finally:
            connection.close()

    def _certificate(self) -> Observation:
        context = ssl.create_default_context()
        with (
            socket.create_connection((self._host, self._port or 443), TIMEOUT_S) as line,
            context.wrap_socket(line, server_hostname=self._host) as secured,
        ):
            until = ssl.cert_time_to_seconds(str((secured.getpeercert() or {})["notAfter"]))
        days = int((until - time.time()) // 86400)
        soon = days < CERTIFICATE_DAYS
        return (
            note("doctor.certificate.soon", n=days) if soon else well("doctor.certificate", n=days)
        )

    def _passes_host(self) -> Observation:
        """Whether the server receives the original `Host`.

        A request whose `Origin` is neither the server's public one nor that of its `Host` is
        refused. The public one is compared as text, so with a port that begins with 0 only the
        `Host` counts.
        """
        name = self._netloc.removesuffix(f":{self._port}")
        plain, secure = (f"{kind}://{name}:0{self._port or port}" for kind, port in PORTS.items())
        answers = [
            self._ask("POST", "/api/join", Origin=one, Content_Type="application/json")
            for one in (plain, secure)
        ]
        passed = any(one.code != "origin" for one in answers)
        return well("doctor.host") if passed else wrong("doctor.host.changed")

    def _upgrades(self) -> Observation:
        key = b64encode(bytes(16)).decode()
        answer = self._ask(
            "GET", LIVE, Origin=self.address, Connection="Upgrade", Upgrade="websocket",
            Sec_WebSocket_Version="13", Sec_WebSocket_Key=key,
        )  # fmt: skip
        # The server refuses unknown sessions; a request without the upgrade finds nothing at that
        # address.
        passed = answer.code in ("identity", "origin")
        return well("doctor.upgrade") if passed else wrong("doctor.upgrade.lost")

    def _stays_connected(self, seconds: int, words: Words) -> Observation:
        """Whether a live page of this seat stays connected while nothing happens."""
        try:
            token, table = self._seated()
        except Refused as refused:
            return note("doctor.quiet.link", why=refused.refusal.localize(words).text)
        path = f"{self.address.replace('http', 'ws', 1)}/api/tables/{table}/live"
        began = time.monotonic()
        try:
            with connect(path, additional_headers={"Authorization": f"Bearer {token}"}) as feed:
                while (left := seconds - (time.monotonic() - began)) > 0:
                    try:
                        feed.recv(left)
                    except TimeoutError:
                        break
        except (ConnectionClosed, InvalidHandshake, OSError):
            return wrong("doctor.quiet.cut", n=round(time.monotonic() - began), quiet=QUIET_S)
        finally:
            Address(self.address).json("DELETE", "/api/session", token)
        return well("doctor.quiet", n=seconds)

    def _seated(self) -> tuple[str, str]:
        """A token for the seat of the link, and the id of its table."""
        secret, server = self._link.partition("#link=")[2], Address(self.address)
        look = server.json("POST", "/api/join", secret, {})
        if look["link"] == "host":
            raise Refused(Refusal.of("argument", Phrase("client.host")))
        whose = {"seat": look["seat"]["id"]} if look["seat"] else {"name": ""}
        came = server.json("POST", "/api/join", secret, {**whose, "program": True})
        return str(came["token"]), str(came["table"])


def _code(data: bytes) -> str:
    try:
        error: Mapping[str, str] = loads(data)["error"]
        return error["code"]
    except (ValueError, TypeError, KeyError):
        return ""
