"""Endpoints for odds, computed off the event loop: of any pool, and of the action at a table with its offers."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypeVar

from msgspec import Meta, field

from storypool import systems
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.table import Check, Seat, Table
from storypool.odds.question import Question, TooMany, within_limits
from storypool.web.endpoint import Call, CheckQuery, Endpoint, endpoint
from storypool.web.endpoints.game_endpoints import game, pool_of
from storypool.web.interface.forms import LIMITS, Body, Id, Text
from storypool.web.interface.odds_forms import OddsShown, Weighing
from storypool.web.problem import Problem, problem
from storypool.web.wire import encode
from storypool.worth import weighing
from storypool.worth.weighing import (
    Asked,
    Weighed,
    known,
    may_know_later,
    may_weigh,
    small_weighed,
    weighed,
    weighed_data,
)

Found = TypeVar("Found")


class OddsBody(Body):
    """A pool in the notation of a game, and its terms."""

    system: Id
    pool: Annotated[str, Meta(min_length=1, max_length=LIMITS.text)]
    against: Text = ""
    terms: Annotated[
        dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=40)] | int], Meta(max_length=20)
    ] = field(default_factory=dict)


class WeighedState(Weighing):
    """The odds of the open action and the worth of the offers, after record `seq`.

    With `solving`, what points are worth later is being worked out: it helps to ask again in a few seconds.
    """

    seq: int
    solving: bool


SMALL = 0.05
"""Seconds that a small question takes at most, by what its counting costs."""


async def reckoned(call: Call, work: Callable[[], Found], first: Callable[[], Found] | None = None) -> Found:
    """Do some work off the event loop, as a small question if it is one; `TimeoutError` when it takes too long.

    What it costs is known before anything is counted: what is too much for a small question waits among the large
    ones, and what is too much for those is a `Problem`, and never started. Work that has started cannot be
    stopped: after a timeout the request is answered, and the next work begins when this one is over. `first` is
    the work as a small question, where that differs; it raises `TooMany`.
    """
    most = call.settings.limits.odds

    def within(seconds: float, work: Callable[[], Found]) -> Found:
        with within_limits(seconds):
            return work()

    began, answer = time.perf_counter(), "given"
    try:
        with suppress(TooMany):
            return await call.queued(call.server.small, partial(within, min(SMALL, most), first or work), most)
        return await call.queued(call.server.large, partial(within, most, work), most)
    except TooMany as error:
        answer = "too_many"
        raise Problem(413, replace(error.refusal, code="limit")) from None
    except TimeoutError:
        answer = "too_late"
        raise
    except Problem:
        answer = "crowded"
        raise
    finally:
        call.server.metrics.odds.labels(answer).observe(time.perf_counter() - began)


@endpoint("POST", "/api/odds", body=OddsBody, gives=OddsShown, errors=(404, 413), tag="answers")
async def odds(call: Call) -> bytes:
    """The exact odds of a pool, or of a contest of two, as fractions: the same as `storypool odds --json`."""
    body: OddsBody = call.body
    system = game(call, body.system)
    pool = pool_of(system, body.pool)
    against = pool_of(system, body.against, "against") if body.against else None
    question = Question(pool, {key: str(value) for key, value in body.terms.items()}, against)
    try:
        # Encoded off the loop too: there may be hundreds of thousands of rows.
        return await reckoned(call, lambda: encode(systems.odds(system.key).reckon(question).plain()))
    except TimeoutError:
        raise problem(413, "limit", "pool.slow", "pool") from None


async def odds_of(call: Call, table: Table, seat: Seat, check: Check | None) -> Mapping[str, Any] | None:
    """Return the odds of an action as it would stand, or None if there are none or the seat may not know them."""
    if check is None or check.phase != "build" or not may_weigh(table, seat.id):
        return None
    ours = seen(table, seat)

    def brief() -> Mapping[str, Any] | None:
        found = weighing.reckoned(table.system, ours, check)
        return found.brief() if found else None

    try:
        return await reckoned(call, brief)
    except (TimeoutError, Problem, Refused):
        return None


class WeighQuery(CheckQuery, forbid_unknown_fields=True):
    """The seat and the action. The worth of all offers; or in brief, what buttons show; or that of one move."""

    brief: bool = False
    move: str = ""


@endpoint("GET", "/api/tables/{table}/odds", query=WeighQuery, gives=WeighedState, errors=(401, 403, 404))
async def weigh(call: Call) -> Mapping[str, Any]:
    """The odds of the open action, and what each offer of this seat is worth: before it, after it, and answered.

    `odds` is null when there are none, and `too_many` is true when there are too many dice for exact odds. Players
    get none when the game master keeps odds from them. With `brief`, the worth of an offer without a price is for
    its default answers alone, and with `move`, that of this move alone.
    """
    seat, id, query = await call.seat(), call.path("table"), call.query
    newest, system = await call.tables.newest(id), await call.tables.system(id)
    # Before and after: it may be done just when this was answered without it.
    later, was_busy = call.server.later, call.server.later.busy
    if may_know_later(newest(), seat.id):
        later.note_missing(call.server.notices)
    seq, data = await weighing_of(call, system, newest, seat, Asked(query.check, query.brief, query.move))
    waits = may_know_later(newest(), seat.id) and any(
        row["price"] and row["later"] is None for row in data["worth"]
    )
    return {"seq": seq, "solving": waits and (was_busy or later.busy), **data}


async def weighing_of(
    call: Call, system: System, newest: Callable[[], Table], seat: Seat, asked: Asked
) -> tuple[int, Mapping[str, Any]]:
    """Return what is `asked` of the open action, weighed for a seat, as plain data; see `Weighing`.

    With it comes the record after which it is so: that of the `newest` table when its turn has come. So where the
    table has changed while questions waited, the first answers them all.
    """

    def work(weigh: Callable[..., Weighed]) -> tuple[int, Mapping[str, Any]]:
        table = newest()
        found = weigh(system, table, seat.id, asked, call.tables.offered_before(table, seat.id))
        return table.seq, _with_later(call, system, table, seat, found)

    table = newest()
    kept = known(table, seat.id, asked)
    if kept is not None and not may_know_later(table, seat.id):
        return table.seq, weighed_data(kept)
    try:
        return await reckoned(call, lambda: work(weighed), lambda: work(small_weighed))
    except TimeoutError:
        # Not cached: a busy server may have time for it later.
        return table.seq, weighed_data(Weighed(too_many=True))


def _with_later(call: Call, system: System, table: Table, seat: Seat, found: Weighed) -> Mapping[str, Any]:
    """Return what was weighed as plain data, with what points would be worth later where this seat may know it."""
    data = weighed_data(found)
    if may_know_later(table, seat.id):
        for row, shown in zip(found.worth, data["worth"], strict=True):
            shown["later"] = call.server.later.kept(system, table, seat.id, row)
    return data


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
