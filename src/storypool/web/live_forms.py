"""The messages of the live feed: what the server says, and what a client says."""

from __future__ import annotations

from storypool.engine.waiting import Waiting
from storypool.web.forms import Gives
from storypool.web.joining_forms import ClaimState
from storypool.web.table_forms import OfferShown, RecordShown, TableShown


class HelloTold(Gives, tag="hello"):
    """The first message: the version of the feed, the epoch of the store, the last record, and whose feed it is."""

    v: int
    epoch: str
    seq: int
    seat: str


class RecordTold(RecordShown, tag="record"):
    """A record, in order, each once."""


class OffersTold(Gives, tag="offers"):
    """What this seat may do after record `seq`, what the table waits for, and the table as it sees it.

    `notes` say what the side ought to know about its points, such as that they are locked.
    """

    seq: int
    offers: list[OfferShown]
    waits: list[Waiting]
    table: TableShown
    notes: list[str]


class PresenceTold(Gives, tag="presence"):
    """The ids of the seats that follow the table now."""

    seats: list[str]


class ClaimsTold(Gives, tag="claims"):
    """The claims that this seat may answer."""

    claims: list[ClaimState]


class NoticesTold(Gives, tag="notices"):
    """Sentences about the server that hold now."""

    texts: list[str]


class PingTold(Gives, tag="ping"):
    """Nothing has happened for a while; answer with a pong."""


class ResetTold(Gives, tag="reset"):
    """The client is ahead of the log, or of another epoch: follow again from 0."""

    epoch: str
    seq: int


class FollowSaid(Gives, tag="follow"):
    """Follow the table from the record after this one on, of the epoch that the client knows, with offers if wanted."""

    after: int = 0
    table: str = ""
    epoch: str = ""
    offers: bool = False


class PongSaid(Gives, tag="pong"):
    """The answer to a ping."""


SAID_BY_SERVER = (HelloTold, RecordTold, OffersTold, PresenceTold, ClaimsTold, NoticesTold, PingTold, ResetTold)
SAID_BY_CLIENT = (FollowSaid, PongSaid)
