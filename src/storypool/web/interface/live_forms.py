"""The messages of the live feed: those of the server, and those of a client."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from storypool.engine.bag import Bag
from storypool.engine.table import Points
from storypool.engine.waiting import Waiting
from storypool.web.interface.forms import Args, Gives, Id, RefusalShown
from storypool.web.interface.joining_forms import ClaimState
from storypool.web.interface.odds_forms import Weighing
from storypool.web.interface.table_forms import OfferShown, PreviewState, RecordShown, TableShown


class HelloMessage(Gives, tag="hello"):
    """The first message: the version of the feed, the epoch of the store, the last record, whose feed it is."""

    v: int
    epoch: str
    seq: int
    seat: str


class RecordMessage(RecordShown, tag="record"):
    """A record, in order, each once."""


class OffersMessage(Gives, tag="offers"):
    """What this seat may do after record `seq`, what the table waits for, and the table as it sees it.

    `notes` say what the side ought to know about its points, such as that they are locked. `first_scene`: this is
    a game master, who may play the first scene of the game.
    """

    seq: int
    offers: list[OfferShown]
    waits: list[Waiting]
    table: TableShown
    notes: list[str]
    first_scene: bool


class TableParts(Gives):
    """The table as a seat sees it, with numbers of parts in place of what is in them."""

    system: str
    title: str
    options: int
    seats: int
    characters: int
    points: Points
    traits: int
    checks: int
    proposals: int
    periods: Bag
    running: list[str]
    titles: dict[str, str]
    undo_to: int
    redo_to: int
    dice_at: int
    seq: int
    bound: int


class PartsMessage(Gives, tag="parts"):
    """The same as `offers`, for those who asked for it in parts: each is in `new` once, then named by its number.

    In an offer, `asks` and `all_closed` are lists of numbers and `closed` is one; what a table has by id is a part
    with numbers for values. With `anew`, what was numbered before counts no more.
    """

    seq: int
    anew: bool
    new: dict[str, Any]
    offers: list[int]
    waits: int
    notes: int
    first_scene: bool
    table: TableParts


class PresenceMessage(Gives, tag="presence"):
    """The ids of the seats that follow the table now."""

    seats: list[str]


class ClaimsMessage(Gives, tag="claims"):
    """The claims that this seat may answer."""

    claims: list[ClaimState]


class NoticesMessage(Gives, tag="notices"):
    """Sentences about the server that hold now."""

    texts: list[str]


class WeighedAnswer(Weighing):
    """The odds of the action and the worth of the offers, as `GET .../odds` gives them."""

    solving: bool


class AnswerMessage(Gives, tag="answer"):
    """The answer to the question of this `name` after record `seq`: `odds` or `preview`, or why there is none.

    Without any of them, the answer is what it was.
    """

    name: str
    seq: int
    odds: WeighedAnswer | UnsetType = UNSET
    preview: PreviewState | UnsetType = UNSET
    error: RefusalShown | UnsetType = UNSET


class PingMessage(Gives, tag="ping"):
    """Nothing has happened for a while, or is the other side there? The answer is a pong."""


class ResetMessage(Gives, tag="reset"):
    """The client is ahead of the log, or of another epoch: follow again from 0."""

    epoch: str
    seq: int


class FollowMessage(Gives, tag="follow"):
    """Follow the table from the record after this one on, of the epoch the client knows, with offers if wanted.

    With `parts`, the offers come in parts, of which each is sent once. A client that knows no record may ask for
    the `newest` alone, so many of them.
    """

    after: int = 0
    table: str = ""
    epoch: str = ""
    offers: bool = False
    parts: bool = False
    newest: int = 0


class WatchedMove(Gives):
    """A move to look at before it is made."""

    move: Id
    args: Args = field(default_factory=dict)
    override: bool = False


class WatchQuestion(Gives):
    """What a client wants to know: the odds and the worth of the offers, as `GET .../odds` is asked, or a preview.

    It is answered when it is asked, and again whenever the table has changed, unless it is for `once`.
    """

    check: Id = ""
    brief: bool = False
    move: Id = ""
    preview: WatchedMove | None = None
    once: bool = False


MAX_QUESTIONS = 12
Questions = Annotated[dict[Annotated[str, Meta(max_length=20)], WatchQuestion], Meta(max_length=MAX_QUESTIONS)]
"""What a client wants to know, by names of its own."""


class WatchMessage(Gives, tag="watch"):
    """All that a client wants to know from now on, by names of its own, in place of what it asked before."""

    questions: Questions = field(default_factory=dict)


class PongMessage(Gives, tag="pong"):
    """The answer to a ping."""


SERVER_MESSAGES = (
    *(HelloMessage, RecordMessage, OffersMessage, PartsMessage, PresenceMessage, ClaimsMessage, NoticesMessage),
    *(AnswerMessage, PingMessage, PongMessage, ResetMessage),
)
CLIENT_MESSAGES = (FollowMessage, WatchMessage, PingMessage, PongMessage)
