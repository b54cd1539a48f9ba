"""The messages of the live feed: those of the server, and those of a client."""

from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from storypool.engine.waiting import Waiting
from storypool.web.interface.forms import Args, Id, RefusalShown, ResponsePart
from storypool.web.interface.joining_forms import ClaimState
from storypool.web.interface.odds_forms import Weighing
from storypool.web.interface.table_forms import (
    OfferShown,
    PreviewState,
    RecordShown,
    TableShown,
)


class HelloMessage(ResponsePart, tag="hello"):
    """The first message: the version of the feed, the epoch of the store, the last record, whose
    feed it is.
    """

    v: int
    epoch: str
    seq: int
    seat: str


class RecordMessage(RecordShown, tag="record"):
    """A record, in order, each once."""


class OffersMessage(ResponsePart, tag="offers"):
    """What this seat may do after record `seq`, what the table waits for, and the table as it sees
    it.

    `notes` say what the side ought to know about its points, such as that they are locked.
    `first_scene`: this is a game master, who may play the first scene of the game.
    """

    seq: int
    offers: list[OfferShown]
    waits: list[Waiting]
    table: TableShown
    notes: list[str]
    first_scene: bool


class ChangesMessage(ResponsePart, tag="changes"):
    """What differs in all of this from the message before; a `whole` one has everything.

    What `offers` and its `table` say is one object here, with offers by their keys. Its `fields`
    are replaced; what it has by id or key changes by entries: those that are `gone` first, then the
    `entries` that changed or are new, which come last. Each offer is a `BriefOffer`.
    """

    seq: int
    whole: bool
    fields: dict[str, Any]
    entries: dict[str, dict[str, Any]]
    gone: dict[str, list[str]]


class PresenceMessage(ResponsePart, tag="presence"):
    """The ids of the seats that follow the table now."""

    seats: list[str]


class ClaimsMessage(ResponsePart, tag="claims"):
    """The claims that this seat may answer."""

    claims: list[ClaimState]


class NoticesMessage(ResponsePart, tag="notices"):
    """Sentences about the server that hold now."""

    texts: list[str]


@dataclass(frozen=True, kw_only=True)
class WeighedAnswer(Weighing):
    """The odds of the action and the worth of the offers, as `GET .../odds` gives them."""

    solving: bool


class AnswerMessage(ResponsePart, tag="answer"):
    """The answer to the question of this `name` after record `seq`: `odds` or `preview`, or why
    there is none.

    Without any of them, the answer is what it was.
    """

    name: str
    seq: int
    odds: WeighedAnswer | UnsetType = UNSET
    preview: PreviewState | UnsetType = UNSET
    error: RefusalShown | UnsetType = UNSET


class PingMessage(ResponsePart, tag="ping"):
    """Nothing has happened for a while, or is the other side there? The answer is a pong."""


class ResetMessage(ResponsePart, tag="reset"):
    """The client is ahead of the log, or of another epoch: follow again from 0."""

    epoch: str
    seq: int


class FollowMessage(ResponsePart, tag="follow"):
    """Follow the table from the record after this one on, of the epoch the client knows, with
    offers if wanted.

    With `changes`, they come as what differs from what was sent before; then those outside the dock
    are without their questions if `asks` is false. A client that knows no record may ask for
    the `newest` alone, so many of them.
    """

    after: int = 0
    table: str = ""
    epoch: str = ""
    offers: bool = False
    changes: bool = False
    asks: bool = True
    newest: int = 0


class WatchedMove(ResponsePart):
    """A move to look at before it is made."""

    move: Id
    args: Args = field(default_factory=dict)
    override: bool = False


class WatchQuestion(ResponsePart):
    """What a client wants to know: the odds and the worth of the offers, as `GET .../odds` is
    asked, or a preview.

    It is answered when it is asked, and again whenever the table has changed, unless it is for
    `once`.
    """

    check: Id = ""
    brief: bool = False
    move: Id = ""
    preview: WatchedMove | None = None
    once: bool = False


MAX_QUESTIONS = 12
Questions = Annotated[
    dict[Annotated[str, Meta(max_length=20)], WatchQuestion], Meta(max_length=MAX_QUESTIONS)
]
"""What a client wants to know, by names of its own."""


class WatchMessage(ResponsePart, tag="watch"):
    """All that a client wants to know from now on, by names of its own, in place of what it asked
    before.
    """

    questions: Questions = field(default_factory=dict)


class PongMessage(ResponsePart, tag="pong"):
    """The answer to a ping."""


SERVER_MESSAGES = (
    *(
        HelloMessage,
        RecordMessage,
        OffersMessage,
        ChangesMessage,
        PresenceMessage,
        ClaimsMessage,
        NoticesMessage,
    ),
    *(AnswerMessage, PingMessage, PongMessage, ResetMessage),
)
CLIENT_MESSAGES = (FollowMessage, WatchMessage, PingMessage, PongMessage)
