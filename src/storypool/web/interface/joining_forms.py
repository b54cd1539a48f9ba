"""Requests and responses about joining: links, sessions, seats, claims."""

from typing import Annotated, Literal

from msgspec import Meta

from storypool.engine.table import Seat, Side
from storypool.web.interface.forms import Body, Id, Name, Note, ResponsePart, Secret


class Join(Body):
    """A link, and a name or a seat. The secret alone only looks, and changes nothing."""

    secret: Secret = ""
    name: Name | None = None
    seat: Id | None = None
    host: bool = False
    program: bool = False
    note: Note = ""


class SeatToTake(ResponsePart):
    """An existing seat; with `confirm`, a game master or a device of that seat has to agree."""

    id: str
    name: str
    side: Side
    confirm: bool


class TableName(ResponsePart):
    """A table by name, and the language it is played in."""

    id: str
    title: str
    system: str
    language: str


class LinkLook(ResponsePart):
    """The purpose of a link.

    `first` is true for a host's link while there is no table: its holder opens one.
    """

    link: Literal["host", "gm", "player", "spectator", "device"]
    table: TableName | None
    side: Side | None
    seats: list[SeatToTake]
    seat: SeatToTake | None
    first: bool = False


class ClaimState(ResponsePart):
    """A request to speak for an existing seat; `code` is shown on both sides."""

    id: str
    table: str
    seat: str
    code: str
    state: Literal["waiting", "granted", "refused", "gone"]
    made: int


class Joined(ResponsePart):
    """The result of joining: a seat, the host's rights, or a claim that waits.

    Only programs get a `token`.
    """

    joined: bool
    host: bool = False
    table: str | None = None
    seat: Seat | None = None
    claim: ClaimState | None = None
    token: str | None = None


class SeatHere(ResponsePart):
    """A seat that this session speaks for; `system` is the game of its table."""

    table: str
    title: str
    system: str
    seat: str
    name: str
    side: Side


class SessionState(ResponsePart):
    """The rights and seats of this session, and the notices of the server."""

    host: bool
    may_open: bool
    workshop: bool
    seats: list[SeatHere]
    notices: list[str]


class LinkState(ResponsePart):
    """A link without its secret: its id, what it is for, and when it was made."""

    id: str
    side: str
    seat: str
    note: str
    made: int


class NewLink(Body):
    """The link to mint: for a side, or for another device of a seat (`whose`, by default yours)."""

    side: Literal["gm", "player", "spectator", "device"]
    whose: Id = ""
    note: Note = ""
    seat: Id = ""


class Link(ResponsePart):
    """A new link, which is shown once.

    `path` begins with a slash; `url` is the address for other devices.
    """

    id: str
    side: str
    path: str
    url: str


class LinkCode(ResponsePart):
    """A short code that stands for a link until then, in milliseconds since 1970 UTC."""

    code: str
    until: int


class Speaking(Body):
    """The seat that this request speaks for."""

    seat: Id = ""


class ClaimAnswer(Body):
    """The answer to a claim."""

    agree: bool
    seat: Id = ""


class QrText(Body):
    """An address to show as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


class QrRows(ResponsePart):
    """A QR code to draw: `size` rows of `size` cells, 1 is dark; without a quiet zone."""

    size: int
    rows: list[list[int]]
