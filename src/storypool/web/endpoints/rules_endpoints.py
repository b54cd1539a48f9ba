"""Endpoints for new rules: what a newer text of its game changes at a table, and taking it over."""

import asyncio

from storypool import systems
from storypool.engine import house
from storypool.engine.offers import offer
from storypool.engine.table import Seat
from storypool.gamefile import Unread
from storypool.live.tables import NoNewRules
from storypool.systems import game_files
from storypool.web.endpoint import Call, Endpoint, endpoint
from storypool.web.endpoints.brought_texts import count_keeping, count_reading, misread
from storypool.web.endpoints.table_endpoints import check_room, made_json
from storypool.web.interface import rules_forms, table_forms
from storypool.web.interface.problems import MOVE, QUEUED, SEATED
from storypool.web.problem import problem, refusal_data
from storypool.words.text_files import plain


@endpoint(
    "POST",
    "/api/tables/{table}/rules/changes",
    body=rules_forms.NewerText,
    gives=rules_forms.RulesShown,
    errors=(*SEATED, "gm", "hostonly", "game.line", "texts.often", "argument", *QUEUED),
    price=16,
    large=True,
)
async def show_new_rules(call: Call) -> dict[str, object]:
    """The changes of a newer text of the game at this table, and a refusal if there is one.

    For game masters. Nothing is stored.
    """
    body: rules_forms.NewerText = call.body
    seat = await _may_bring(call, body.game)
    if body.game:
        await count_reading(call)
    id = call.path("table")
    try:
        new = await call.in_turn(call.server.large, lambda: call.tables.new_rules(id, body.game))
    except NoNewRules:
        return {"key": "", "changes": [], "refused": None}
    except Unread as wrong:
        raise misread(wrong) from None
    table, system = await call.tables.look(id), await call.tables.system(id)
    closed = offer(house.with_new_rules(system, new), table, seat.id, house.TAKE_OVER, {}).closed
    return {
        "key": new.system.key,
        "changes": new.changes,
        "refused": closed and refusal_data(closed),
    }


@endpoint(
    "POST",
    "/api/tables/{table}/rules",
    body=rules_forms.RulesTaken,
    gives=table_forms.MadeState,
    errors=(
        *SEATED,
        *("gm", "hostonly", "game.line", "texts.often", "rules.moved", "rules.none"),
        *MOVE,
        *QUEUED,
    ),
    price=16,
    large=True,
)
async def take_over_rules(call: Call) -> bytes:
    """Take over a newer text of the game at this table.

    It is a move of a game master; its records name the differences.
    """
    body: rules_forms.RulesTaken = call.body
    seat = await _may_bring(call, body.game)
    if body.game:
        await count_keeping(call)
    id = call.path("table")
    await check_room(call, id)
    text = plain(body.game) or await asyncio.to_thread(
        systems.newest, (await call.tables.look(id)).system
    )
    if not text:
        raise problem("rules.none", "game")
    try:
        key = await call.queued(call.server.large, lambda: game_files.kept(text))
    except Unread as wrong:
        raise misread(wrong) from None
    if key != body.to:
        raise problem("rules.moved", "to")
    return made_json(call, id, seat, await call.tables.take_over(id, seat.id, text, body.token))


async def _may_bring(call: Call, text: str) -> Seat:
    """The GM's seat of this request; 403 if this server does not let it bring a game's text."""
    seat, session = await call.master(), await call.signed_in()
    settings = call.settings
    if text and not (settings.anybody_opens or settings.workshop or session.may("open")):
        raise problem("hostonly")
    return seat


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
