"""Endpoints for characters as files: those of other programs, and those that a table gives."""

from collections.abc import Callable
from typing import Any

from storypool.brought.characters import NoCharacter
from storypool.brought.fitting import as_data, fit, template
from storypool.brought.leaving import Leaving, as_csv, as_json, characters_leaving
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal
from storypool.engine.sight import seen
from storypool.web.endpoint import Call, Endpoint, Reply, endpoint
from storypool.web.endpoints.brought_texts import count_reading
from storypool.web.endpoints.table_endpoints import as_file
from storypool.web.interface import brought_forms
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.problem import Problem
from storypool.web.wire import encode


@endpoint(
    "POST",
    "/api/tables/{table}/brought",
    body=brought_forms.BroughtBody,
    gives=brought_forms.BroughtState,
    errors=(*SEATED, "argument", "texts.often", *QUEUED),
    price=8,
    large=True,
)
async def read_characters(call: Call) -> bytes:
    """The characters of a file as this table understands them, and the rest with the reasons.

    Files of OggDude's generator, actors of Foundry, CSV, and our own. Nothing is stored; the moves
    in the answer add a character.
    """
    await call.seat()
    await count_reading(call)
    text, words = call.body.text, call.language.program
    system = await call.tables.system(call.path("table"))

    def work() -> bytes:
        # The readers of formats, with a parser of XML, are imported with the first file.
        from storypool.brought.formats import characters_of

        try:
            fitted = fit(system, characters_of(text))
        except NoCharacter as wrong:
            raise Problem(400, Refusal.of("argument", wrong, "text")) from None
        return encode({"characters": [as_data(one, words) for one in fitted]})

    return await call.queued(call.server.small, work)


@endpoint(
    "GET",
    "/api/tables/{table}/characters.json",
    query=brought_forms.LeavingQuery,
    gives=dict[str, Any],
    errors=(*SEATED, *QUEUED),
)
async def save_characters(call: Call) -> Reply:
    """The characters that this seat sees as a file of Storypool, which any table of the game reads.

    Each has the numbers and texts that the seat reads, and its own notes about them.
    """
    data = await _leaving(call, as_json)
    return Reply(data, headers=await as_file(call, "json"), media="application/json")


@endpoint(
    "GET",
    "/api/tables/{table}/characters.csv",
    query=brought_forms.LeavingQuery,
    gives=str,
    errors=(*SEATED, *QUEUED),
    media="text/csv",
)
async def save_characters_as_csv(call: Call) -> Reply:
    """The same characters as a spreadsheet, or with `template` only the headings to fill in."""
    if call.query.template:
        await call.seat()
        data = template(await call.tables.system(call.path("table"))).encode()
    else:
        data = await _leaving(call, as_csv)
    return Reply(data, headers=await as_file(call, "csv"), media="text/csv; charset=utf-8")


async def _leaving(call: Call, write: Callable[[System, list[Leaving]], str]) -> bytes:
    """What `write` makes of the chosen characters as the seat sees them."""
    seat, id, who = await call.seat(), call.path("table"), call.query.who
    table, system = await call.tables.look(id), await call.tables.system(id)

    def work() -> bytes:
        own = seen(table, seat)
        chosen = [one for one in own.characters.values() if who in ("", one.id)]
        return write(system, characters_leaving(system, own, chosen, seat.id)).encode()

    return await call.queued(call.server.small, work)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
