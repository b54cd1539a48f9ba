"""Endpoints for the odds of any pool and of a table's action, computed off the event loop."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from msgspec import Meta, field

from storypool import systems
from storypool.odds.question import OddsShown, Question
from storypool.web.endpoint import Call, CheckQuery, Endpoint, endpoint
from storypool.web.endpoints.game_endpoints import game, pool_of
from storypool.web.interface.forms import LIMITS, Body, Id, Text
from storypool.web.interface.odds_forms import Weighing
from storypool.web.interface.problems import POOL, QUEUED, SEATED
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

    `solving`: the later worth of points is being computed; ask again in a few seconds.
    """

    seq: int
    solving: bool


@endpoint(
    "POST",
    "/api/odds",
    body=OddsBody,
    gives=OddsShown,
    errors=(*POOL, "system", *QUEUED),
    tag="answers",
)
async def odds(call: Call) -> bytes:
    """The exact odds of a pool or of a contest of two, as fractions.

    They are the same as those of `storypool odds --json`.
    """
    body: OddsBody = call.body
    system = game(call, body.system)
    pool = pool_of(system, body.pool)
    against = pool_of(system, body.against, "against") if body.against else None
    question = Question(
        pool, {key: half_width(str(value)) for key, value in body.terms.items()}, against
    )
    try:
        # Encode it off the loop too: there may be hundreds of thousands of rows.
        return await call.server.answers.reckoned(
            call.whose, lambda: encode(systems.odds(system.key).reckon(question).plain())
        )
    except TimeoutError:
        raise problem("pool.slow", "pool") from None


class WeighQuery(CheckQuery, forbid_unknown_fields=True):
    """The seat and the action; `brief` for the worth on buttons, `move` for one move alone."""

    brief: bool = False
    move: str = ""


@endpoint(
    "GET",
    "/api/tables/{table}/odds",
    query=WeighQuery,
    gives=WeighedState,
    errors=(*SEATED, "argument", *QUEUED),
)
async def weigh(call: Call) -> Mapping[str, Any]:
    """The odds of the open action, and the worth of each offer of this seat.

    The worth compares the odds before the offer, after it, and after the other side's best answer.
    `odds` is null if there are none, and `too_many` is true if there are too many dice for exact
    odds. Players get none if the game master keeps odds from them. With `brief`, an offer without a
    price is weighed with its default answers alone; with `move`, only this move is weighed.
    """
    seat, query = await call.seat(), call.query
    asked = Asked(query.check, query.brief, query.move)
    seq, data = await call.server.answers.weighed(call.whose, call.path("table"), seat, asked)
    return {"seq": seq, **data}


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
