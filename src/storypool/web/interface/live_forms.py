"""The messages of the live feed: those of the server, and those of a client."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, UnsetType, defstruct, field

from storypool.engine.waiting import Waiting
from storypool.web.interface.forms import Args, Id, RefusalShown, ResponsePart
from storypool.web.interface.joining_forms import ClaimState
from storypool.web.interface.odds_forms import Weighing
from storypool.web.interface.table_forms import (
    OfferShown,
    PreviewRest,
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


def _in_parts(name: str, hint: Any) -> Any:
    """The type of a table's field in a message of parts: what it has by id is sent as a number."""
    by_id = name == "options" or (
        get_origin(hint) in (dict, Mapping) and get_args(hint)[1] is not str
    )
    return (int if by_id else hint) | UnsetType


TableParts = defstruct(
    "TableParts",
    [(name, _in_parts(name, hint), UNSET) for name, hint in get_type_hints(TableShown).items()],
    bases=(ResponsePart,),
    namespace={
        "__doc__": "The table as a seat sees it, with numbers of parts in place of what is in them."
    },
    module=__name__,
)


class PartsMessage(ResponsePart, tag="parts"):
    """The same as `offers`, for those who asked for it in parts: what was sent before is named, or
    left out.

    Each part is in `new` once, then named by its number; `records` names by their number the
    records whose action, character, trait or proposal is a new part. An offer `as` another is that
    one but for what it says itself; its `asks` and `all_closed` are lists of numbers and `closed`
    is one; what a table has by id is a part with numbers for values. `waits`, `notes`,
    `first_scene` and the fields of the table are there where they changed since the message before.
    With `anew`, what was numbered before counts no more.
    """

    seq: int
    anew: bool
    new: dict[str, Any]
    records: dict[str, int]
    offers: list[int]
    table: TableParts  # type: ignore[valid-type]
    waits: int | UnsetType = UNSET
    notes: int | UnsetType = UNSET
    first_scene: bool | UnsetType = UNSET


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

    Without any of them, the answer is what it was. Those who follow in parts get a preview as the
    number of its `offer` and the `rest`, with the parts that are new.
    """

    name: str
    seq: int
    odds: WeighedAnswer | UnsetType = UNSET
    preview: PreviewState | UnsetType = UNSET
    error: RefusalShown | UnsetType = UNSET
    anew: bool | UnsetType = UNSET
    new: dict[str, Any] | UnsetType = UNSET
    records: dict[str, int] | UnsetType = UNSET
    offer: int | UnsetType = UNSET
    rest: PreviewRest | UnsetType = UNSET


class PingMessage(ResponsePart, tag="ping"):
    """Nothing has happened for a while, or is the other side there? The answer is a pong."""


class ResetMessage(ResponsePart, tag="reset"):
    """The client is ahead of the log, or of another epoch: follow again from 0."""

    epoch: str
    seq: int


class FollowMessage(ResponsePart, tag="follow"):
    """Follow the table from the record after this one on, of the epoch the client knows, with
    offers if wanted.

    With `parts`, the offers come in parts, of which each is sent once. A client that knows no
    record may ask for the `newest` alone, so many of them.
    """

    after: int = 0
    table: str = ""
    epoch: str = ""
    offers: bool = False
    parts: bool = False
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
        PartsMessage,
        PresenceMessage,
        ClaimsMessage,
        NoticesMessage,
    ),
    *(AnswerMessage, PingMessage, PongMessage, ResetMessage),
)
CLIENT_MESSAGES = (FollowMessage, WatchMessage, PingMessage, PongMessage)
