"""The settings of the server: its addresses and its limits."""

import socket
from dataclasses import KW_ONLY, dataclass, field
from math import ceil
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Rate:
    """The size of a token bucket: requests at once, and additional ones each second."""

    burst: float
    each_second: float

    @property
    def seconds(self) -> int:
        """The whole seconds in which an empty bucket is full again, at least 1."""
        return max(1, ceil(self.burst / self.each_second))


@dataclass(frozen=True, slots=True)
class Limits:
    """The server's limits with their meanings, from which the table in docs/api.md is made.

    A table of ten behind one address stays far below them; a runaway program does not.
    """

    _: KW_ONLY
    client: Annotated[Rate, "requests from an address"] = Rate(600, 200)
    session: Annotated[Rate, "requests with a token, and messages on a WebSocket"] = Rate(150, 40)
    pace: Annotated[Rate, "cheapest requests from an address; beyond, they wait"] = Rate(60, 400)
    joins: Annotated[Rate, "uses of links from an address"] = Rate(40, 1)
    new_tables: Annotated[Rate, "tables opened from an address"] = Rate(12, 0.05)
    texts_read: Annotated[Rate, "texts of games that a session has read"] = Rate(300, 1200 / 3600)
    texts_kept: Annotated[Rate, "texts of games that tables keep, for a session"] = Rate(
        30, 30 / 3600
    )

    tables: Annotated[int, "tables of the server; 0 for any number"] = 0
    records: Annotated[int, "records of a table; 0 for any number"] = 0
    pictures: Annotated[int, "pictures of a table; 0 for any number"] = 300
    links: Annotated[int, "working links to a table, and to each seat for its devices"] = 200
    claims: Annotated[int, "waiting claims of a table"] = 20
    code_life: Annotated[float, "seconds until the code of a link expires"] = 600.0
    claim_life: Annotated[float, "seconds until a claim expires"] = 600.0
    page: Annotated[int, "records in one answer about a log"] = 1000
    searched: Annotated[int, "records that one search looks through"] = 2000

    body: Annotated[int, "bytes of a body"] = 64 * 1024
    game: Annotated[int, "bytes of a body with the text of a game"] = 512 * 1024
    whole_table: Annotated[int, "bytes of an imported table"] = 64 * 1024 * 1024
    frame: Annotated[int, "bytes of a message on a WebSocket"] = 8 * 1024
    name: Annotated[int, "letters of a name"] = 40
    title: Annotated[int, "letters of a title"] = 80
    note: Annotated[int, "letters of a link's note"] = 80
    text: Annotated[int, "letters of a pool or a search"] = 500
    token: Annotated[int, "letters of an idempotency key"] = 100

    connections: Annotated[int, "connections from an address"] = 256
    silent: Annotated[float, "seconds until a request is whole, or a connection's first"] = 10.0
    idle: Annotated[int, "seconds between the requests of a connection"] = 30
    slow_body: Annotated[float, "seconds until a body is there"] = 20.0
    slow_table: Annotated[float, "seconds until an imported table is there"] = 300.0
    feeds: Annotated[int, "live feeds of the server"] = 4000
    feeds_of_session: Annotated[int, "live feeds of a session"] = 40
    questions: Annotated[int, "watched questions of a feed"] = 12
    behind: Annotated[int, "records that a feed may lag behind"] = 2000
    stuck: Annotated[float, "seconds until a client takes a message of its feed"] = 20.0
    ping: Annotated[float, "seconds between pings on a quiet WebSocket"] = 25.0
    ping_events: Annotated[float, "seconds between pings in quiet server-sent events"] = 3.0

    odds: Annotated[float, "seconds for the odds of one question"] = 2.0
    share: Annotated[int, "slow answers that one seat or address waits for"] = 8
    waiting: Annotated[int, "slow answers that wait in all"] = 64
    patience: Annotated[float, "seconds that a slow answer waits for its turn"] = 20.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The server's own address, the names it answers to, and its limits.

    `public_url` is its address through a proxy or a tunnel. `lan` is the address for phones. With
    `workshop`, everybody may use the workshop for game files, not only the host. `origins` are
    those of other sites whose pages may use the interface with a token.
    """

    port: int = 8230
    public_url: str = ""
    lan: str = ""
    _: KW_ONLY
    local: bool = False
    hosts: tuple[str, ...] = ()
    workshop: bool = False
    origins: tuple[str, ...] = ()
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
