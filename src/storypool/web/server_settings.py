"""The settings of the server: its addresses and its limits."""

import socket
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Rate:
    """The size of a token bucket: requests at once, and additional ones each second."""

    burst: float
    each_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The server's limits, in bytes and seconds.

    A table of ten behind one address stays far below them; a runaway program does not. `links`
    counts the working links to a table, and those for the devices of each seat. A connection may be
    `idle` between requests, and `silent` before and during one. `tables`, and `records` of each
    table, are unlimited if 0. `texts_read` and `texts_kept` count the texts of games that a session
    brings: texts that are read, such as drafts in the workshop, and texts that tables keep.
    """

    _: KW_ONLY
    tables: int = 0
    records: int = 0

    body: int = 64 * 1024
    game: int = 512 * 1024
    whole_table: int = 64 * 1024 * 1024
    frame: int = 8 * 1024
    name: int = 40
    title: int = 80
    note: int = 80
    text: int = 500
    token: int = 100
    page: int = 1000
    connections: int = 256
    silent: float = 10.0
    idle: int = 30
    slow_body: float = 20.0
    slow_table: float = 300.0
    feeds: int = 4000
    feeds_of_session: int = 40
    behind: int = 2000
    stuck: float = 20.0
    ping: float = 25.0
    ping_events: float = 3.0
    odds: float = 2.0
    share: int = 8
    waiting: int = 64
    links: int = 200
    patience: float = 20.0
    pace: Rate = Rate(60, 400)
    client: Rate = Rate(600, 200)
    session: Rate = Rate(150, 40)
    joins: Rate = Rate(40, 1)
    new_tables: Rate = Rate(12, 0.05)
    texts_read: Rate = Rate(300, 1200 / 3600)
    texts_kept: Rate = Rate(30, 30 / 3600)


@dataclass(frozen=True, slots=True)
class Settings:
    """The server's own address, the names it answers to, and its limits.

    `public_url` is its address through a proxy or a tunnel. `lan` is the address for phones. With
    `workshop`, everybody may use the workshop for game files, not only the host.
    """

    port: int = 8230
    public_url: str = ""
    lan: str = ""
    _: KW_ONLY
    local: bool = False
    hosts: tuple[str, ...] = ()
    workshop: bool = False
    static: Path = STATIC
    limits: Limits = field(default_factory=Limits)

    @property
    def base(self) -> str:
        """The address to hand out, without a trailing slash."""
        return (
            self.public_url.rstrip("/")
            or f"http://{_bracketed(self.lan or self._here)}:{self.port}"
        )

    @property
    def _here(self) -> str:
        """The name of the server in a browser of this machine."""
        return next((host for host in self.hosts if host != "127.0.0.1"), "localhost")

    @property
    def names(self) -> frozenset[str]:
        """The names and addresses allowed in `Host`, in lower case and without a port."""
        machine = socket.gethostname().lower()
        own = {"localhost", "127.0.0.1", "::1", machine, f"{machine}.local", self.lan, *self.hosts}
        return frozenset(
            name.lower() for name in own | {urlsplit(self.public_url).hostname or ""} if name
        )

    @property
    def public_origin(self) -> str:
        """The origin of browsers that came through `public_url`; "" if there is none."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else ""

    @property
    def anybody_opens(self) -> bool:
        """Whether anybody may open a table: on the internet only the host may."""
        return not self.public_url


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
