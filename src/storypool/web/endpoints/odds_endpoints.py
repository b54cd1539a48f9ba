"""Endpoints for odds, computed off the event loop: of any pool, and of the action at a table with
its offers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from msgspec import Meta, field

from storypool import systems
from storypool.odds.question import Question
from storypool.web.endpoint import Call, CheckQuery, Endpoint, endpoint
from storypool.web.endpoints.game_endpoints import game, pool_of
from storypool.web.interface.forms import LIMITS, Body, Id, Text
from storypool.web.interface.odds_forms import OddsShown, Weighing
from storypool.web.problem import problem
from storypool.web.wire import encode
from storypool.words.folding import half_width
from storypool.worth.weighing import (
    Asked,
)

Found = TypeVar("Found")


class OddsBody(Body):
    """A pool in the notation of a game, and its terms."""

    system: Id
    pool: Annotated[str, Meta(min_length=1, max_length=LIMITS.text)]
    against: Text = ""
    terms: Annotated[
        dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)] | int],
        Meta(max_length=20),
    ] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class WeighedState(Weighing):
    """The odds of the open action and the worth of the offers, after record `seq`.

    With `solving`, what points are worth later is being worked out: it helps to ask again in a few
    seconds.
    """

    seq: int
    solving: bool


@endpoint("POST", "/api/odds", body=OddsBody, gives=OddsShown, errors=(404, 413), tag="answers")
async def odds(call: Call) -> bytes:
    """The exact odds of a pool, or of a contest of two, as fractions: the same as `storypool odds
    --json`.
    """
    body: OddsBody = call.body
    system = game(call, body.system)
    pool = pool_of(system, body.pool)
    against = pool_of(system, body.against, "against") if body.against else None
    question = Question(
        pool, {key: half_width(str(value)) for key, value in body.terms.items()}, against
    )
    try:
        # Encoded off the loop too: there may be hundreds of thousands of rows.
        return await call.server.answers.reckoned(
            call.whose, lambda: encode(systems.odds(system.key).reckon(question).plain())
        )
    except TimeoutError:
        raise problem(413, "limit", "pool.slow", "pool") from None


class WeighQuery(CheckQuery, forbid_unknown_fields=True):
    """The seat and the action. The worth of all offers; or in brief, what buttons show; or that of
    one move.
    """

    brief: bool = False
    move: str = ""


@endpoint(
    "GET", "/api/tables/{table}/odds", query=WeighQuery, gives=WeighedState, errors=(401, 403, 404)
)
async def weigh(call: Call) -> Mapping[str, Any]:
    """The odds of the open action, and what each offer of this seat is worth: before it, after it,
    and answered.

    `odds` is null when there are none, and `too_many` is true when there are too many dice for
    exact odds. Players get none when the game master keeps odds from them. With `brief`, the worth
    of an offer without a price is for its default answers alone, and with `move`, that of this move
    alone.
    """
    seat, query = await call.seat(), call.query
    asked = Asked(query.check, query.brief, query.move)
    seq, data = await call.server.answers.weighed(call.whose, call.path("table"), seat, asked)
    return {"seq": seq, **data}


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
