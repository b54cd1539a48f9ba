"""Odds: of any pool, and of the action at a table with what each offer is worth. Never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from storypool import systems
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.table import Check, Seat, Table
from storypool.odds.question import Question, TooMany, within_limits
from storypool.web import forms
from storypool.web.endpoint import Call, Endpoint, SeatQuery, endpoint
from storypool.web.games import game, pool_of
from storypool.web.problem import Problem, problem
from storypool.web.server import Server
from storypool.web.wire import encode
from storypool.worth import weighing
from storypool.worth.weighing import Weighed, known, may_weigh, weighed, weighed_data

Found = TypeVar("Found")


async def reckoned(server: Server, work: Callable[[], Found]) -> Found:
    """The work done off the event loop, one at a time; `TimeoutError` when it takes too long.

    A `Problem` for too many dice, and for what would take too long by what it costs, before that is begun. Work that
    has begun cannot be stopped: whoever gave it up is answered, and the next begins when it is over.
    """
    seconds = server.settings.limits.odds

    def within() -> Found:
        with within_limits(seconds):
            return work()

    def over(done: asyncio.Future[Found]) -> None:
        server.reckoning.release()
        if not done.cancelled():
            done.exception()  # nobody may be waiting for it any more

    async with asyncio.timeout(seconds):
        await server.reckoning.acquire()
        begun = asyncio.ensure_future(asyncio.to_thread(within))
        begun.add_done_callback(over)
        try:
            return await asyncio.shield(begun)
        except TooMany as error:
            raise Problem(413, replace(error.refusal, code="limit")) from None


@endpoint("POST", "/api/odds", body=forms.OddsBody, gives=dict[str, Any], errors=(404, 413), tag="answers")
async def odds(call: Call) -> bytes:
    """The exact odds of a pool, or of a contest of two, as fractions: the same as `storypool odds --json`."""
    body: forms.OddsBody = call.body
    system = game(call, body.system)
    pool = pool_of(system, body.pool)
    against = pool_of(system, body.against, "against") if body.against else None
    question = Question(pool, {key: str(value) for key, value in body.terms.items()}, against)
    try:
        # Written off the loop too: there may be hundreds of thousands of rows.
        return await reckoned(call.server, lambda: encode(systems.odds(system.key).reckon(question).plain()))
    except TimeoutError:
        raise problem(413, "limit", "pool.slow", "pool") from None


async def odds_of(server: Server, table: Table, seat: Seat, check: Check | None) -> Mapping[str, Any] | None:
    """The odds of an action as it would stand, for a seat that may know them; None where there is nothing to say."""
    if check is None or check.phase != "build" or not may_weigh(table, seat.id):
        return None
    ours = seen(table, seat)

    def brief() -> Mapping[str, Any] | None:
        found = weighing.reckoned(table.system, ours, check)
        return found.brief() if found else None

    try:
        return await reckoned(server, brief)
    except (TimeoutError, Problem, Refused):
        return None


@endpoint("GET", "/api/tables/{table}/odds", query=SeatQuery, gives=forms.WeighedState, errors=(401, 403, 404))
async def weigh(call: Call) -> Mapping[str, Any]:
    """The odds of the action in sight, and what each offer of this seat is worth: before it, after it, and answered.

    `odds` is null where there is nothing to say, and `too_many` where there are too many dice for exact odds. Where
    the game master keeps odds from the players, they get none.
    """
    seat, id = await call.seat(), call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    found = known(table, seat.id)
    if found is not None:
        told = weighed_data(found)
    else:
        try:
            told = await reckoned(call.server, lambda: weighed_data(weighed(system, table, seat.id)))
        except TimeoutError:
            # Not kept: a busy server may have time for it later.
            told = weighed_data(Weighed(too_many=True))
    return {"seq": table.seq, **told}


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
