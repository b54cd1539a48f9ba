"""What is asked and answered about coming in: links, sessions, seats, claims."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from storypool.engine.table import Seat, Side
from storypool.web.forms import Body, Gives, Id, Name, Note, Secret


class Join(Body):
    """A link, and who you are. With the secret alone it looks, and changes nothing."""

    secret: Secret = ""
    name: Name | None = None
    seat: Id | None = None
    host: bool = False
    program: bool = False
    note: Note = ""


class SeatToTake(Gives):
    """A seat already there; `confirm` says that somebody has to agree."""

    id: str
    name: str
    side: Side
    confirm: bool


class TableName(Gives):
    """A table by name, and the language that it is played in."""

    id: str
    title: str
    system: str
    language: str


class LinkLook(Gives):
    """What a link is for. `first` is true of a host's link while no table is there: its holder opens the first."""

    link: Literal["host", "gm", "player", "spectator", "device"]
    table: TableName | None
    side: Side | None
    seats: list[SeatToTake]
    seat: SeatToTake | None
    first: bool = False


class ClaimState(Gives):
    """Somebody says that a seat is theirs; `code` is shown on both sides."""

    id: str
    table: str
    seat: str
    code: str
    state: Literal["waiting", "granted", "refused", "gone"]
    made: int


class Joined(Gives):
    """A seat taken up, the host's rights taken up, or a claim that waits. `token` for programs only."""

    joined: bool
    host: bool = False
    table: str | None = None
    seat: Seat | None = None
    claim: ClaimState | None = None
    token: str | None = None


class SeatHere(Gives):
    """A seat that this session speaks for."""

    table: str
    title: str
    seat: str
    name: str
    side: Side


class SessionState(Gives):
    """What this session may do."""

    host: bool
    may_open: bool
    seats: list[SeatHere]


class LinkState(Gives):
    """A link by name and time; the link itself was shown once."""

    id: str
    side: str
    seat: str
    note: str
    made: int


class NewLink(Body):
    """Which link to mint: for a side, or for another device of a seat (`for`, else one's own)."""

    side: Literal["gm", "player", "spectator", "device"]
    whose: Id = ""
    note: Note = ""
    seat: Id = ""


class Link(Gives):
    """A new link, shown this once. `path` begins with a slash; `url` is where others reach this server."""

    id: str
    side: str
    path: str
    url: str


class Speaking(Body):
    """The seat that this request speaks for."""

    seat: Id = ""


class ClaimAnswer(Body):
    """Whether that is them."""

    agree: bool
    seat: Id = ""


class QrText(Body):
    """An address to show as a code."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


class QrRows(Gives):
    """A code to draw: `size` rows of `size` cells, 1 is dark; the quiet zone around it is not included."""

    size: int
    rows: list[list[int]]
