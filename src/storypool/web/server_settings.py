"""What the server is told at its start: where it can be reached, and how much it takes."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

STATIC = Path(__file__).with_name("static")


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket of requests: so many at once, and so many more each second."""

    burst: float
    each_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the server takes. A table of ten behind one address stays far below; a runaway program does not.

    Sizes in bytes, times in seconds.
    """

    body: int = 64 * 1024
    whole_table: int = 64 * 1024 * 1024
    frame: int = 8 * 1024
    name: int = 40
    title: int = 80
    note: int = 80
    text: int = 500
    token: int = 100
    page: int = 1000
    feeds: int = 4000
    feeds_of_session: int = 40
    behind: int = 2000
    stuck: float = 20.0
    ping: float = 25.0
    odds: float = 2.0
    client: Rate = Rate(600, 200)
    session: Rate = Rate(150, 40)
    joins: Rate = Rate(40, 1)
    new_tables: Rate = Rate(12, 0.05)


@dataclass(frozen=True, slots=True)
class Settings:
    """The server's own address, the names it answers to, and its limits.

    `public_url` is where others reach it through a proxy or a tunnel. `lan` is the address that a phone can open.
    """

    port: int = 8230
    public_url: str = ""
    lan: str = ""
    local: bool = False
    hosts: tuple[str, ...] = ()
    static: Path = STATIC
    limits: Limits = field(default_factory=Limits)

    @property
    def base(self) -> str:
        """The address to hand out, without a slash at its end."""
        return self.public_url.rstrip("/") or f"http://{_bracketed(self.lan or 'localhost')}:{self.port}"

    @property
    def names(self) -> frozenset[str]:
        """The names and addresses that a `Host` may have, in lower case, without the port."""
        machine = socket.gethostname().lower()
        own = {"localhost", "127.0.0.1", "::1", machine, f"{machine}.local", self.lan, *self.hosts}
        return frozenset(name.lower() for name in own | {urlsplit(self.public_url).hostname or ""} if name)

    @property
    def public_origin(self) -> str:
        """The origin that browsers name when they came through `public_url`, or the empty text."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else ""

    @property
    def anybody_opens(self) -> bool:
        """Whether whoever can open the page may make a table: on a local network yes, on the internet the host only."""
        return not self.public_url


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
