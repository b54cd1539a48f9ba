"""What requests and answers look like: read by the decoder, which refuses anything else, and by the documentation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from storypool.engine.asks import AskView
from storypool.engine.table import Check, Seat, Side
from storypool.web.server_settings import Limits

_LIMITS = Limits()

Id = Annotated[str, Meta(max_length=80, description="An id, as the server gave it.")]
Name = Annotated[str, Meta(min_length=1, max_length=_LIMITS.name)]
Title = Annotated[str, Meta(max_length=_LIMITS.title)]
Note = Annotated[str, Meta(max_length=_LIMITS.note)]
Secret = Annotated[str, Meta(max_length=200, description="What stands behind the # of a link.")]
Text = Annotated[str, Meta(max_length=_LIMITS.text)]
Token = Annotated[str, Meta(min_length=1, max_length=_LIMITS.token)]
Args = Annotated[dict[Annotated[str, Meta(max_length=60)], Any], Meta(max_length=40)]


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    """What a request holds; a field that is not asked for is refused."""


class Gives(Struct, kw_only=True):
    """What an answer holds."""


class RefusalShown(Gives):
    """Why something may not be done: for the player, for programs, and what would make it possible."""

    code: str
    text: str
    rule: str
    remedy: str
    field: str
    overridable: bool


class Error(Gives):
    """Every refusal, whatever went wrong."""

    error: RefusalShown


class OfferShown(Gives):
    """A move as one seat sees it now, with the first reason why it is closed, or null."""

    key: str
    title: str
    group: str
    price: dict[str, int]
    asks: list[AskView]
    closed: RefusalShown | None
    all_closed: list[RefusalShown]
    caution: str
    approval: bool
    rule: str


# Joining.


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
    """A table by name."""

    id: str
    title: str
    system: str


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


class Done(Gives):
    """It is done."""

    done: bool


# Tables.


class NewTable(Body):
    """A game, a title, house rules, and the name of its first game master."""

    system: Id
    title: Title = ""
    options: dict[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=60)]] = {}
    name: Name = "GM"


class Opened(Gives):
    """A new table, your seat, and a link that recovers it."""

    table: str
    seat: Seat
    link: Link


class TableListed(Gives):
    """A table as home shows it. Times in milliseconds since 1970, UTC; 0 is never."""

    id: str
    title: str
    system: str
    created: int
    changed: int
    closed: int
    archived: int
    seats: list[Seat]


class TableState(Gives):
    """A table as one seat sees it."""

    id: str
    title: str
    system: str
    epoch: str
    seq: int
    closed: int
    archived: int
    seat: Seat
    table: dict[str, Any]


class MoveBody(Body):
    """A move. The same `token` again gives the same answer again."""

    move: Id
    args: Args = {}
    token: Token | None = None
    override: bool = False
    seat: Id = ""


class PreviewBody(Body):
    """A move, perhaps with some of its questions still open."""

    move: Id
    args: Args = {}
    override: bool = False
    seat: Id = ""


class PreviewState(Gives):
    """What a move would do: later questions, why it would be refused, and the pool and the check as they would be.

    `odds` are those of this check before it is rolled, as `GET .../odds` tells them, or null.
    """

    offer: OfferShown
    refused: RefusalShown | None
    pool: dict[str, int] | None
    check: Check | None
    odds: dict[str, Any] | None


class WorthShown(Gives):
    """What an offer is worth: chances or amounts before and after it, and after the other side's best answer.

    Exact fractions as texts, by outcome, what the action is about first. `adds` are points that grow by it.
    """

    move: str
    args: dict[str, str | int]
    price: dict[str, int]
    adds: dict[str, int]
    of: Literal["chance", "amount"]
    before: dict[str, str]
    after: dict[str, str]
    answered: dict[str, str] | None


class WeighedState(Gives):
    """The odds of the action in sight as `POST /api/odds` gives them, without `joint`, and the worth of the offers.

    `answered` is what is left of these odds after the other side's best answer.
    """

    seq: int
    check: str
    odds: dict[str, Any] | None
    answered: dict[str, str] | None
    worth: list[WorthShown]
    too_many: bool


class RecordShown(Gives):
    """A record as one seat may read it; `event` is null where it may not look, `paid` tells that it took a price."""

    seq: int
    at: int
    seat: str
    event: dict[str, Any] | None
    text: str
    paid: bool


class MadeState(Gives):
    """The last record of the move, and its records."""

    seq: int
    records: list[RecordShown]


class LogPage(Gives):
    """Records in order; `more` says that there are further ones behind them."""

    seq: int
    more: bool
    records: list[RecordShown]


class OffersState(Gives):
    """Every move of a seat as it stands."""

    seq: int
    offers: list[OfferShown]


class LogQuery(Body):
    """Where to begin, and how much."""

    seat: str = ""
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    limit: Annotated[int, Meta(ge=1, le=_LIMITS.page)] = 500


class FeedQuery(Body):
    """Where a feed begins, which life of the store that number is from, and whether offers are wanted."""

    seat: str = ""
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    epoch: str = ""
    offers: bool = False


class CloseBody(Body):
    """Whether the table is closed; `confirm` is its title, to be sure."""

    closed: bool
    confirm: Title = ""
    seat: Id = ""


class ArchiveBody(Body):
    """Whether the table is in the archive; `confirm` is its title, to be sure."""

    archived: bool
    confirm: Title = ""
    seat: Id = ""


class DeleteBody(Body):
    """`confirm` is the table's title, to be sure."""

    confirm: Title = ""
    seat: Id = ""


# Answers that need no table.


class OddsBody(Body):
    """A pool in the notation of a game, and what its terms are."""

    system: Id
    pool: Annotated[str, Meta(min_length=1, max_length=_LIMITS.text)]
    against: Text = ""
    terms: Annotated[
        dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)] | int], Meta(max_length=20)
    ] = {}


class NotationBody(Body):
    """What somebody typed, and the letters they use."""

    system: Id
    text: Text
    scheme: Annotated[str, Meta(max_length=40)] = ""


class NotationState(Gives):
    """The pool that was understood, and how it is written."""

    pool: dict[str, int]
    text: str


class SystemListed(Gives):
    """A game."""

    key: str
    name: str
    about: str


class About(Gives):
    """This server."""

    name: str
    version: str
    epoch: str
