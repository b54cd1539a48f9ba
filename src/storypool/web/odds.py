"""Odds: of any pool, and of the action at a table with what each offer is worth. Never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from storypool import systems
from storypool.refusal import Refused
from storypool.systems import weighing
from storypool.systems.answers import Question
from storypool.systems.weighing import MOST_DICE, Weighed, known, may_weigh, weighed, weighed_data
from storypool.table import Check, Seat, Table, seen
from storypool.web import forms
from storypool.web.answers import game
from storypool.web.door import Call, Door, SeatQuery, door
from storypool.web.problem import problem
from storypool.web.server import Server

Found = TypeVar("Found")


async def reckoned(server: Server, work: Callable[[], Found]) -> Found:
    """The work done off the event loop, one at a time; `TimeoutError` when it takes too long."""
    async with asyncio.timeout(server.settings.limits.odds), server.reckoning:
        return await asyncio.to_thread(work)


@door("POST", "/api/odds", body=forms.OddsBody, gives=dict[str, Any], errors=(404, 413), tag="answers")
async def odds(call: Call) -> Mapping[str, Any]:
    """The exact odds of a pool, or of a contest of two, as fractions: the same as `storypool odds --json`."""
    body: forms.OddsBody = call.body
    system = game(call, body.system)
    pools = [system.notation.parse(text) for text in (body.pool, body.against) if text]
    if any(pool.total > MOST_DICE for pool in pools):
        raise problem(413, "limit", "pool", "pool", most=MOST_DICE)
    question = Question(pools[0], {key: str(value) for key, value in body.terms.items()}, *pools[1:])
    try:
        return await reckoned(call.server, lambda: systems.odds(system.key).reckon(question).plain())
    except TimeoutError:
        raise problem(413, "limit", "pool.slow", "pool") from None


async def odds_of(server: Server, table: Table, seat: Seat, check: Check | None) -> Mapping[str, Any] | None:
    """The odds of an action as it would stand, for a seat that may know them; None where there is nothing to say."""
    if check is None or check.phase != "build" or not may_weigh(table, seat.id):
        return None
    ours = seen(table, seat)
    try:
        found = await reckoned(server, lambda: weighing.reckoned(table.system, ours, check))
    except (TimeoutError, Refused):
        return None
    return found.brief() if found else None


@door("GET", "/api/tables/{table}/odds", query=SeatQuery, gives=forms.WeighedState, errors=(401, 403, 404))
async def weigh(call: Call) -> Mapping[str, Any]:
    """The odds of the action in sight, and what each offer of this seat is worth: before it, after it, and answered.

    `odds` is null where there is nothing to say, and `too_many` where there are too many dice for exact odds. Where
    the game master keeps odds from the players, they get none.
    """
    seat, id = await call.seat(), call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    found = known(table, seat.id)
    if found is None:
        try:
            found = await reckoned(call.server, lambda: weighed(system, table, seat.id))
        except TimeoutError:
            # Not kept: a busy server may have time for it later.
            found = Weighed(too_many=True)
    return {"seq": table.seq, **weighed_data(found)}


DOORS = tuple(value for value in list(globals().values()) if isinstance(value, Door))
"""Every endpoint of this module."""
