"""The messages of the live feed: those of the server, and those of a client."""

from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from storypool.engine.waiting import Waiting
from storypool.web.interface.forms import LIMITS, Args, Id, RefusalShown, ResponsePart
from storypool.web.interface.joining_forms import ClaimState
from storypool.web.interface.odds_forms import Weighing
from storypool.web.interface.table_forms import (
    OfferShown,
    PreviewState,
    RecordShown,
    TableShown,
)


class HelloMessage(ResponsePart, tag="hello"):
    """The first message: the feed's version, the store's epoch, the last record, and the seat."""

    v: int
    epoch: str
    seq: int
    seat: str


class RecordMessage(RecordShown, tag="record"):
    """A record, in order, each once."""


class OffersMessage(ResponsePart, tag="offers"):
    """The moves of this seat after record `seq`, the waits, and the table as it sees it.

    `notes` are facts that the side should know about its points, such as that they are locked.
    `first_scene`: this is a game master, who may play the first scene of the game.
    """

    seq: int
    offers: list[OfferShown]
    waits: list[Waiting]
    table: TableShown
    notes: list[str]
    first_scene: bool


class ChangesMessage(ResponsePart, tag="changes"):
    """The differences from the last message; a `whole` one has everything.

    The content of `offers` and of its `table` is one object here, with offers by their keys. Its
    `fields` are replaced; things with ids or keys change by entries: those that are `gone` first,
    then the `entries` that changed or are new, which come last. Each offer is a `BriefOffer`.
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
    """The answer to a question after record `seq`: `odds`, a `preview`, or a refusal.

    Without any of them, the answer is unchanged.
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
    """Follow the table after this record, of the client's epoch, with offers if wanted.

    With `changes`, they come as differences from the last ones; then those outside the dock are
    without their questions if `asks` is false. A client that knows no record may ask for the
    `newest` alone, this many of them.
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
    """A question: the odds and the worth of the offers, as for `GET .../odds`, or a preview.

    It is answered at once, and again after each change of the table unless it is for `once`.
    """

    check: Id = ""
    brief: bool = False
    move: Id = ""
    preview: WatchedMove | None = None
    once: bool = False


MAX_QUESTIONS = LIMITS.questions
Questions = Annotated[
    dict[Annotated[str, Meta(max_length=20)], WatchQuestion], Meta(max_length=MAX_QUESTIONS)
]
"""What a client wants to know, by names of its own."""


class WatchMessage(ResponsePart, tag="watch"):
    """All questions of a client from now on, by names of its own, in place of earlier ones."""

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
