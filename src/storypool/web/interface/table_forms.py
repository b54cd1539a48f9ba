"""Requests and responses about tables: their state, moves, records."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from storypool.engine.bag import Bag
from storypool.engine.events import Event
from storypool.engine.game.asks import AskView
from storypool.engine.game.sheet_rolls import SheetRoll
from storypool.engine.moments import Moment
from storypool.engine.offers import Offer
from storypool.engine.table import Audience, Check, Points, Seat, SharedTable, Value
from storypool.engine.waiting import Waiting
from storypool.odds.question import OddsShown
from storypool.web.interface.forms import (
    LIMITS,
    Args,
    Body,
    Id,
    RefusalShown,
    ResponsePart,
    Title,
    Token,
)
from storypool.web.interface.joining_forms import Link
from storypool.web.interface.odds_forms import Weighing


@dataclass(frozen=True)
class OfferShown(Offer):
    """A move as one seat sees it now; `closed` is the first reason why it is closed, or null.

    `ends` is what others are in that would end with it, or "": ask once more before it is made.
    With `approval` the GM has to agree, or the player whose name is `agrees`. A `loss` accepts
    something bad, such as a hit: do not recommend it.
    """


class UsualAnswer(ResponsePart):
    """The default answer of a question, and its words."""

    value: Value
    label: str


class BriefOffer(ResponsePart):
    """A move as its button needs it, without what is empty, as a live feed sends it with `changes`.

    `asks` are its questions: those of the moves that a dock shows come along, of others
    `POST .../preview` has them. `asked` are the names of its questions but for optional faces of
    real dice: without any, a tap is enough. `empty` is why a question that is needed has no answer
    now. `usual` are the answers to questions that may be left out. `rows` is the question whose
    choices are rows of a menu, where `real_dice` may be thrown. `among` are the answers with which
    it begins on a board, by question. `all_closed` is there only where the first reason can be set
    aside, is not `when`, and is not the only one.
    """

    key: str
    title: str
    group: str | UnsetType = UNSET
    price: Points | UnsetType = UNSET
    asks: list[AskView] | UnsetType = UNSET
    asked: list[str] | UnsetType = UNSET
    empty: str | UnsetType = UNSET
    usual: dict[str, UsualAnswer] | UnsetType = UNSET
    rows: AskView | UnsetType = UNSET
    real_dice: bool | UnsetType = UNSET
    among: dict[str, list[str]] | UnsetType = UNSET
    closed: RefusalShown | UnsetType = UNSET
    all_closed: list[RefusalShown] | UnsetType = UNSET
    caution: str | UnsetType = UNSET
    approval: bool | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    ends: str | UnsetType = UNSET
    loss: bool | UnsetType = UNSET
    agrees: str | UnsetType = UNSET


class NewTable(Body):
    """A game, a title, house rules, and the name of its first game master, or of its first player.

    Without a name that is “GM” or “Player”, as the game has a GM or not.
    The house rules may include `language`, the key of a language of this server. `game` is the text
    of a game that is one file, which the table plays and keeps; `system` is left out then.
    """

    system: Id = ""
    game: Annotated[str, Meta(max_length=200_000)] = ""
    title: Title = ""
    options: dict[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=60)]] = field(
        default_factory=dict
    )
    name: Annotated[str, Meta(max_length=LIMITS.name)] = ""


class Opened(ResponsePart):
    """A new table, your seat, and a link that recovers it."""

    table: str
    seat: Seat
    link: Link


class TableListed(ResponsePart):
    """A table on the home page; `people` are the others there.

    Times in ms since 1970 UTC; 0 is never.
    """

    id: str
    title: str
    system: str
    created: int
    changed: int
    closed: int
    archived: int
    seats: list[Seat]
    people: list[str]


class DiceShown(ResponsePart):
    """This many equal dice of a pool in a row: their faces, and the number printed on the first."""

    name: str
    n: int
    first: int
    faces: list[Bag]


@dataclass(frozen=True, kw_only=True)
class TableShown(SharedTable):
    """The table as one seat sees it: everything that is true at it now, by id.

    `points` are balances by account, those of characters as `owner.account`. `periods` count
    sessions, scenes and the like, and `running` has those under way; `titles` are those of the last
    ones. `undo_to`, `redo_to` and `dice_at` are records. `turns` are the slots of an order of turns
    among the traits, in their order. `caps` are those of the points that depend on the table or on
    whose they are, written as the points are. `bound` has the dice of each open action as they
    count in it; a list is empty for games whose dice read the same in every action.
    """

    turns: list[str]
    caps: Points
    bound: dict[str, list[DiceShown]]


class TableState(ResponsePart):
    """A table as one seat sees it."""

    id: str
    title: str
    system: str
    epoch: str
    seq: int
    closed: int
    archived: int
    seat: Seat
    table: TableShown


class MoveBody(Body):
    """A move. `token` is an idempotency key: sent again, it gives the first answer again.

    With `finish`, an action about which the move leaves nothing else to do ends with it, by a move
    of its own.
    """

    move: Id
    args: Args = field(default_factory=dict)
    token: Token | None = None
    override: bool = False
    finish: bool = False
    seat: Id = ""


Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes, or the SHA-256 of them, in hexadecimal."""


class NumbersBody(Body):
    """A page's numbers for the dice: sealed ones of the next roll, and a hash for the one after.

    `sealed` is "" if the page takes no part in that one.
    """

    numbers: Annotated[list[Hex], Meta(max_length=8)] = field(default_factory=list)
    sealed: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    seat: Id = ""


class NumbersState(ResponsePart):
    """The hashes of the numbers that were taken for the next roll."""

    opened: list[str]


class SceneBody(Body):
    """Whose seat plays the first scene."""

    seat: Id = ""


class SceneState(ResponsePart):
    """The last record of the first scene."""

    seq: int


class PreviewBody(Body):
    """A move, possibly with some of its questions still open."""

    move: Id
    args: Args = field(default_factory=dict)
    override: bool = False
    seat: Id = ""


class PreviewState(ResponsePart):
    """The effect of a move: later questions in `offer`, a refusal, and the pool and check.

    `odds` are those of this check before it is rolled, as `GET .../odds` gives them, or null.
    `proposed` are the questions of the proposed move that `proposal.accept` would carry out, with
    its `changes`; for other moves none.
    """

    offer: OfferShown
    refused: RefusalShown | None
    pool: dict[str, int] | None
    check: Check | None
    odds: OddsShown | None
    proposed: list[AskView]


SheetValues = Annotated[
    dict[
        Annotated[str, Meta(max_length=60)],
        Annotated[int, Meta(ge=-999, le=999)] | Annotated[str, Meta(max_length=2000)],
    ],
    Meta(max_length=200),
]


class SheetBody(Body):
    """A character, or none for a new one, and numbers that replace those of the sheet.

    Words of the sheet roll nothing, and are passed over.
    """

    character: Id = ""
    sheet: SheetValues = field(default_factory=dict)
    seat: Id = ""


class SheetState(ResponsePart):
    """The rolls of a character's entries and traits after record `seq`.

    None if the seat reads no numbers of theirs.
    """

    seq: int
    rolls: list[SheetRoll]


class RecordShown(ResponsePart):
    """A record as one seat may read it, with its number and its time in ms since 1970 UTC.

    `event` is null if it is hidden; else it has its `type`, the version `v` of that, and all its
    fields. `seen_by` are the seats and sides ("@gm") that read the record, or null for everybody.
    A line of an exported table is a record of the same shape, without `text`, `paid` and `moments`:
    these are its sentence for this reader, whether it took a move's price, and the moments that it
    brings. Only an export has the text of a `game`; here it is "".
    """

    seq: int
    at: int
    seat: str
    seen_by: Audience
    event: Event | None
    text: str
    paid: bool
    moments: list[Moment]


class MadeState(ResponsePart):
    """The last record of the move, and its records."""

    seq: int
    records: list[RecordShown]


class LogPage(ResponsePart):
    """Records in order; with `more`, there are further ones after them."""

    seq: int
    more: bool
    records: list[RecordShown]


class OffersQuery(Body):
    """The seat, an action by its id or title, and whether to weigh offers and to be brief.

    Brief offers are those of a live feed.
    """

    seat: str = ""
    check: str = ""
    worth: bool = False
    brief: bool = False


class OffersState(ResponsePart):
    """Every move of a seat as it is now, and what the table waits for, the most pressing first.

    `weighing` has the odds of the action and the worth of the offers, as `GET .../odds` gives them;
    null unless they were asked for. Asked for them in `brief`, the offers are there by their keys.
    """

    seq: int
    offers: list[OfferShown]
    waits: list[Waiting]
    weighing: Weighing | None
    brief: dict[str, BriefOffer] | UnsetType = UNSET


class LogQuery(Body):
    """Where to begin, and how many records."""

    seat: str = ""
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    limit: Annotated[int, Meta(ge=1, le=LIMITS.page)] = 500


class FeedQuery(Body):
    """The start of a feed, the epoch of that number, and whether to send offers, as changes.

    `asks`: the changes have the questions of forms. Without a number, `newest` asks for the newest
    records alone, this many of them. `parts` is of earlier versions, and changes nothing.
    """

    seat: str = ""
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    epoch: str = ""
    offers: bool = False
    changes: bool = False
    asks: bool = True
    parts: bool = False
    newest: Annotated[int, Meta(ge=0, le=2**53)] = 0


class CloseBody(Body):
    """Whether the table is to be closed; `confirm` is its title, to prevent mistakes."""

    closed: bool
    confirm: Title = ""
    seat: Id = ""


class ArchiveBody(Body):
    """Whether the table is to be archived; `confirm` is its title, to prevent mistakes."""

    archived: bool
    confirm: Title = ""
    seat: Id = ""


class DeleteBody(Body):
    """`confirm` is the table's title, to prevent mistakes."""

    confirm: Title = ""
    seat: Id = ""
