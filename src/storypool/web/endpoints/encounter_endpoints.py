"""Endpoints for encounters and packs, for game masters alone.

Their modules are imported with the first question, off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from storypool import systems
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.table import Seat, Table
from storypool.web.endpoint import Call, Endpoint, Reply, SeatQuery, endpoint
from storypool.web.endpoints.table_endpoints import as_file
from storypool.web.interface import encounter_forms, forms
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.problem import problem
from storypool.web.wire import encode

if TYPE_CHECKING:
    from storypool.systems.supporting_cast.bringing import Casting

T = TypeVar("T")


async def _of_gm(call: Call, work: Callable[[System, Table, Seat], T]) -> T:
    """Run `work` for a game master's seat, off the event loop."""
    seat, id = await call.master(), call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    return await call.queued(call.server.small, lambda: work(system, table, seat))


@endpoint(
    "GET",
    "/api/tables/{table}/encounters",
    query=SeatQuery,
    gives=encounter_forms.EncountersState,
    errors=(*SEATED, "gm", *QUEUED),
    price=8,
)
async def list_encounters(call: Call) -> bytes:
    """The prepared encounters: their people and places, and how even a fight would be."""
    return await _of_gm(call, _encounters)


def _encounters(system: System, table: Table, seat: Seat) -> bytes:
    from storypool.systems.supporting_cast.encounters import Encounter, Encounters, in_words
    from storypool.worth.balance import weighed_rows

    turn, found = Turn(system, table, seat, ""), list[encounter_forms.EncounterShown]()
    casting = _casting(system)
    for choice in Encounters(casting).closed(turn) if casting else ():
        one = Encounter.of(table.traits[choice.value])
        weight = None if choice.closed else weighed_rows(system, table, seat, {"id": choice.value})
        shown = encounter_forms.EncounterShown(
            id=choice.value,
            title=choice.label,
            who=[*in_words(turn, one)],
            where=one.where,
            hidden=one.hidden,
            came=one.came,
            closed=choice.closed,
            weight=forms.shown(encounter_forms.WeightShown, weight) if weight else None,
        )
        found.append(shown)
    return encode({"seq": table.seq, "encounters": found})


def _casting(system: System) -> Casting | None:
    """The casting of a game; None for one without people to bring in."""
    if "encounter.bring" not in system.by_key:
        return None
    return cast("Casting", systems.part(system.key, "encounters").CASTING)


@endpoint(
    "POST",
    "/api/tables/{table}/encounters",
    body=encounter_forms.EncounterBody,
    gives=encounter_forms.WeightState,
    errors=(*SEATED, "gm", *QUEUED),
    price=4,
)
async def weigh_encounter(call: Call) -> bytes:
    """How even an encounter with these answers would be; nothing is stored."""
    args = call.body.args

    def work(system: System, table: Table, seat: Seat) -> bytes:
        from storypool.worth.balance import weighed_rows

        return encode({"weight": weighed_rows(system, table, seat, args)})

    return await _of_gm(call, work)


@endpoint(
    "GET",
    "/api/tables/{table}/pack",
    query=encounter_forms.PackQuery,
    gives=dict[str, Any],
    errors=(*SEATED, "gm", "argument", *QUEUED),
)
async def save_pack(call: Call) -> Reply:
    """The chosen NPCs and encounters as a file that another table of the game can take."""
    chosen = frozenset(call.query.chosen.split(","))

    def work(system: System, table: Table, seat: Seat) -> bytes:
        from storypool.systems.supporting_cast.packs import packed

        return packed(Turn(system, table, seat, ""), _casting(system), chosen).encode()

    data = await _of_gm(call, work)
    return Reply(data, headers=await as_file(call, "pack.json"), media="application/json")


@endpoint(
    "POST",
    "/api/tables/{table}/pack",
    body=encounter_forms.PackBody,
    gives=encounter_forms.PackState,
    errors=(*SEATED, "gm", "argument", *QUEUED),
    price=4,
)
async def look_into_pack(call: Call) -> bytes:
    """What the table would take from a pack, and what not and why; nothing is stored."""
    text = call.body.pack

    def work(system: System, table: Table, seat: Seat) -> bytes:
        from storypool.systems.supporting_cast.packs import read_pack

        casting = _casting(system)
        if casting is None:
            raise problem("absent")
        pack = read_pack(Turn(system, table, seat, "pack.take"), casting, text)
        people, encounters = (
            [one.name for one in pack.people],
            [one[0] for one in pack.encounters],
        )
        left = [{"what": one.what, "why": one.why} for one in pack.left_out]
        return encode({"people": people, "encounters": encounters, "left_out": left})

    return await _of_gm(call, work)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
