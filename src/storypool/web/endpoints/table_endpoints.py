"""Endpoints for tables: open, play, read and close them."""

import asyncio
import io
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import quote

from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.game.waits import gms
from storypool.engine.ledger import Economy
from storypool.engine.refusal import CODES, Refusal, Refused
from storypool.engine.sight import copy_for, seen
from storypool.engine.table import Seat
from storypool.gamefile import Unread
from storypool.live.fair_queue import FairQueue
from storypool.live.folded import ledger_of
from storypool.live.previews import unanswered
from storypool.live.tables import offered
from storypool.live.writer import Made
from storypool.log.export import BadFile, export_lines
from storypool.log.store import Listing
from storypool.web.access import hashed
from storypool.web.brief_offers import brief_offers
from storypool.web.endpoint import Call, Endpoint, Reply, SeatQuery, endpoint, read
from storypool.web.endpoints.brought_texts import count_keeping, misread
from storypool.web.endpoints.game_endpoints import game
from storypool.web.endpoints.joining_endpoints import Arrival, arrival, new_link
from storypool.web.interface import forms, table_forms
from storypool.web.interface.live_forms import WatchedMove
from storypool.web.interface.problems import MOVE, QUEUED, SEATED
from storypool.web.network.gate import client, too_often
from storypool.web.notices import STORAGE
from storypool.web.prints.photographs import brought_picture, has_decoder, pictures_of
from storypool.web.prints.printed_sheets import paper_page
from storypool.web.problem import Problem, problem, problem_of
from storypool.web.wire import encode, offer_data, table_data
from storypool.words.folding import alike, folded
from storypool.worth.weighing import Asked

T = TypeVar("T")
AT_ONCE = 30
"""Records of a log that are written before other tasks get a turn."""
SHORT = 1000
"""The most records of a log that is quick to read."""


@endpoint("GET", "/api/tables", gives=list[table_forms.TableListed], errors=("signin",))
async def list_tables(call: Call) -> list[table_forms.TableListed]:
    """The tables where this session has seats, or all tables for the host; last played first."""
    session = await call.signed_in()
    sees_all, found = session.may("watch"), []
    for listing in await call.tables.listings():
        ours = session.seats_at(listing.id)
        if ours or sees_all:
            seats = (await call.tables.look(listing.id)).seats if ours else {}
            here = {id: seat for id, seat in seats.items() if seat.here}
            found.append(
                _listed(listing, [here[id] for id in ours if id in here], list(here.values()))
            )
    return [one for one in found if one.seats or sees_all]


def _listed(listing: Listing, seats: list[Seat], people: list[Seat]) -> table_forms.TableListed:
    others = [seat.name for seat in people if seat not in seats]
    return forms.shown(table_forms.TableListed, listing, seats=seats, people=others)


@endpoint(
    "POST",
    "/api/tables",
    body=table_forms.NewTable,
    gives=table_forms.Opened,
    status=(201,),
    errors=("hostonly", "tables.full", "system", "game.line", "texts.often", "argument"),
    large=True,
)
async def open_table(call: Call) -> Reply:
    """Open a table. You are its game master, and the link recovers your seat.

    In a game without a GM you are its first player.
    """
    body: table_forms.NewTable = call.body
    await _may_open(call)
    if body.game:
        await count_keeping(call)
    system = "" if body.game else game(call, body.system).key
    try:
        table = await call.tables.open(system, body.title, body.options, body.game)
    except Unread as wrong:
        raise misread(wrong) from None
    return await _opened(call, table, await call.tables.take_seat(table, body.name, "gm"))


async def _may_open(call: Call) -> None:
    session = await call.session()
    if not (call.settings.anybody_opens or (session and session.may("open"))):
        raise problem("hostonly")
    wait = call.server.new_tables.wait(client(call.request.scope))
    if wait:
        raise too_often(wait)
    most = call.settings.limits.tables
    if most and len(await call.tables.listings()) >= most:
        raise problem("tables.full", most=most)


async def _opened(call: Call, table: str, seat: Seat) -> Reply:
    came: Arrival = await arrival(call)
    await call.access.sit(hashed(came.secret), table, seat.id, came.kind)
    link = await new_link(call, table, side="gm")
    return Reply(
        table_forms.Opened(table=table, seat=seat, link=link),
        201,
        cookie="" if came.program else came.secret,
    )


@endpoint(
    "POST",
    "/api/tables/import",
    gives=table_forms.Opened,
    status=(201,),
    errors=("hostonly", "tables.full", "texts.often", "file", "argument", *QUEUED),
    raw=True,
    price=8,
)
async def import_table(call: Call) -> Reply:
    """Open a table from an exported file, the body. You take its first game master's seat."""
    await _may_open(call)
    # It may hold the text of a game.
    await count_keeping(call)
    limits = call.settings.limits
    data = await read(call.request, limits.whole_table, limits.slow_table)
    try:
        encode = brought_picture if has_decoder() else None
        table = await call.in_turn(
            call.server.large, lambda: call.tables.bring(io.BytesIO(data), encode)
        )
    except BadFile as error:
        raise Problem(400, Refusal.of("malformed", error)) from None
    opened = await call.tables.look(table)
    master = next((opened.seats[id] for id in gms(opened)), None)
    return await _opened(call, table, master or await call.tables.take_seat(table, "", "gm"))


@endpoint(
    "GET", "/api/tables/{table}", query=SeatQuery, gives=table_forms.TableState, errors=SEATED
)
async def table_state(call: Call) -> table_forms.TableState:
    """The table as this seat sees it."""
    seat, id = await call.seat(), call.path("table")
    table, listing = await call.tables.look(id), await call.tables.listing(id)
    return forms.shown(
        table_forms.TableState,
        listing,
        title=table.title,
        system=table.system,
        epoch=call.tables.store.epoch,
        seq=table.seq,
        seat=seat,
        table=table_forms.TableShown(**table_data(table, seat, await call.tables.system(id))),
    )


@endpoint(
    "GET",
    "/api/tables/{table}/offers",
    query=table_forms.OffersQuery,
    gives=table_forms.OffersState,
    errors=(*SEATED, "argument", *QUEUED),
    price=8,
)
async def offers(call: Call) -> bytes:
    """Every move of this seat, open or closed with the reason, and the table's waits."""
    seat, id, check = await call.seat(), call.path("table"), call.query.check
    in_brief = call.query.brief
    table, system = await call.tables.look(id), await call.tables.system(id)
    steps = await call.tables.recent(id)

    def work() -> bytes:
        found = offered(system, table, seat.id, check, brief=in_brief, steps=steps)
        listed = [] if in_brief else [offer_data(offer) for offer in found.offers]
        state = {"seq": table.seq, "offers": listed, "waits": found.waits, "weighing": weighing}
        if in_brief:
            state["brief"] = brief_offers(system, seat, seen(table, seat).checks, found)
        return encode(state)

    weighing = None
    if call.query.worth:
        _, weighing = await call.server.answers.weighing_of(
            call.whose, system, lambda: table, seat, Asked(check)
        )
    return await call.queued(call.server.small, work)


@endpoint(
    "POST",
    "/api/tables/{table}/moves",
    body=table_forms.MoveBody,
    gives=table_forms.MadeState,
    errors=(*SEATED, *MOVE),
    price=4,
)
async def make_move(call: Call) -> bytes:
    """Make a move; the reply comes once its records are durable, before others are notified."""
    body: table_forms.MoveBody = call.body
    seat, id = await call.seat(), call.path("table")
    await check_room(call, id)
    try:
        made = await call.tables.make(
            id,
            seat.id,
            body.move,
            args=body.args,
            token=body.token,
            override=body.override,
            finish=body.finish,
        )
    except Refused as refused:
        raise await _with_missing(call, seat, refused) from None
    return made_json(call, id, seat, made)


async def _with_missing(call: Call, seat: Seat, refused: Refused) -> Problem:
    """The refusal of a move, with every question that still needs an answer where one has none."""
    found, id, body = problem_of(refused), call.path("table"), call.body
    if found.refusal.code == "argument" and found.refusal.field not in ("", *body.args):
        table, system = await call.tables.look(id), await call.tables.system(id)
        asked = (system, table, seat.id, body.move, body.args, found.refusal.field)
        with suppress(Problem):
            found.missing = await call.queued(call.server.small, lambda: unanswered(*asked))
    return found


async def check_room(call: Call, table: str) -> None:
    """Refuse another move at a full table with 409."""
    most = call.settings.limits.records
    if most and (await call.tables.look(table)).seq >= most:
        raise problem("records.full", most=most)


def made_json(call: Call, table: str, seat: Seat, made: Made) -> bytes:
    """A move's records as JSON for the seat that made it."""
    if not made.repeated:
        call.server.metrics.moves.inc()
        call.server.notices.clear(STORAGE)
    records = call.server.records.list_json(table, made.steps, seat, made.system)
    return b'{"seq":%d,"records":[%b]}' % (made.seq, records)


@endpoint(
    "POST",
    "/api/tables/{table}/numbers",
    body=table_forms.NumbersBody,
    gives=table_forms.NumbersState,
    errors=(*SEATED, "when"),
)
async def take_numbers(call: Call) -> dict[str, object]:
    """Take the dice numbers of a player's page, so that nobody can have chosen a roll."""
    body: table_forms.NumbersBody = call.body
    seat = await call.seat()
    plays = seat.side != "spectator"
    opened = (
        await call.tables.take_numbers(call.path("table"), seat.id, body.numbers, body.sealed)
        if plays
        else []
    )
    return {"opened": opened}


@endpoint(
    "POST",
    "/api/tables/{table}/first-scene",
    body=table_forms.SceneBody,
    gives=table_forms.SceneState,
    errors=(*SEATED, *MOVE),
    price=60,
)
async def first_scene(call: Call) -> dict[str, object]:
    """Play the first scene of the game, for game masters.

    It has a text to read aloud, the people, the problem, and things to try.
    """
    seat = await call.seat()
    table = call.path("table")
    await call.tables.play_first_scene(table, seat.id)
    return {"seq": (await call.tables.look(table)).seq}


@endpoint(
    "POST",
    "/api/tables/{table}/preview",
    body=table_forms.PreviewBody,
    gives=table_forms.PreviewState,
    errors=(*SEATED, *CODES, *QUEUED),
    price=4,
)
async def preview(call: Call) -> bytes:
    """The effect of a move; nothing is stored, and no dice are rolled.

    If only words are missing, it is refused for that reason alone, and `pool`, `check` and `odds`
    are given as they would be with some.
    """
    seat, body = await call.seat(), call.body
    would = WatchedMove(move=body.move, args=body.args, override=body.override)
    return (await call.server.answers.previewed(call.whose, call.path("table"), seat, would)).json


@endpoint(
    "GET",
    "/api/tables/{table}/log",
    query=table_forms.LogQuery,
    gives=table_forms.LogPage,
    errors=SEATED,
    price=8,
)
async def log(call: Call) -> bytes:
    """The records after a number, as this seat may read them."""
    query: table_forms.LogQuery = call.query
    seat, id = await call.seat(), call.path("table")
    steps, newest, system = await call.tables.log(id, query.after, query.limit)
    more, parts = query.after + query.limit < newest, []
    for n in range(0, len(steps), AT_ONCE):
        parts.append(call.server.records.list_json(id, steps[n : n + AT_ONCE], seat, system))
        await asyncio.sleep(0)
    return b'{"seq":%d,"more":%b,"records":[%b]}' % (newest, encode(more), b",".join(parts))


async def of_log(
    call: Call, work: Callable[[list[Record], System], T], queue: FairQueue | None = None
) -> T:
    """Run `work` on the whole log and the game, off the event loop.

    By default it waits with the small questions or the large ones, by the length of the log.
    """
    id = call.path("table")
    system, length = await call.tables.system(id), (await call.tables.look(id)).seq
    queue = queue or (call.server.small if length <= SHORT else call.server.large)
    return await call.queued(queue, lambda: work(call.tables.store.read(id), system))


@endpoint(
    "GET",
    "/api/tables/{table}/economy",
    query=SeatQuery,
    gives=Economy,
    errors=(*SEATED, *QUEUED),
    price=4,
)
async def how_points_are_played(call: Call) -> Economy:
    """The table's play of its points in this session, with notes for the side of this seat."""
    seat, id = await call.seat(), call.path("table")
    system, steps = await call.tables.system(id), await call.tables.session(id)
    queue = call.server.small if len(steps) <= SHORT else call.server.large
    return await call.queued(queue, lambda: ledger_of(system, steps, seat).economy(seat.side))


@endpoint(
    "GET",
    "/api/tables/{table}/sheets",
    query=SeatQuery,
    gives=str,
    errors=(*SEATED, *QUEUED),
    media="text/html",
)
async def print_sheets(call: Call) -> Reply:
    """The characters and facts of the table as this seat sees them, as a page to print.

    The game master's characters are only on a game master's page.
    """
    seat, id = await call.seat(), call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    page = await call.queued(
        call.server.small,
        lambda: paper_page(system, seen(table, seat), seat, call.language).encode(),
    )
    return Reply(page, media="text/html; charset=utf-8")


@endpoint(
    "GET",
    "/api/tables/{table}/export",
    query=SeatQuery,
    gives=str,
    errors=(*SEATED, *QUEUED),
    media="application/x-ndjson",
)
async def export(call: Call) -> Reply:
    """The whole table as one file: everything for a game master, for others what they saw."""
    seat, id, store = await call.seat(), call.path("table"), call.tables.store
    keys = pictures_of(seen(await call.tables.look(id), seat))

    def written(records: list[Record], _: System) -> bytes:
        found = {key: store.picture(id, key) for key in sorted(keys)}
        pictures = {key: picture for key, picture in found.items() if picture is not None}
        return b"".join(export_lines(copy_for(records, seat), pictures))

    data = await of_log(call, written)
    return Reply(data, headers=await as_file(call, "jsonl"), media="application/x-ndjson")


async def as_file(call: Call, suffix: str) -> dict[str, str]:
    """The headers of a download, named after the table, with an ASCII name for old programs."""
    title = (await call.tables.look(call.path("table"))).title.lower()
    name = "".join(map(_in_a_name, title))
    plain = re.sub("[^a-z0-9]+", "-", folded(name))[:40].strip("-") or "table"
    name = quote(re.sub("--+", "-", name)[:40].strip("-") or plain)
    more = "" if name == plain else f"; filename*=UTF-8''{name}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{plain}.{suffix}"{more}'}


def _in_a_name(c: str) -> str:
    """A character in the name of a file; a dash for ASCII other than letters and digits."""
    return c if c.isalnum() or (c.isprintable() and not c.isascii()) else "-"


@endpoint(
    "POST",
    "/api/tables/{table}/close",
    body=table_forms.CloseBody,
    gives=forms.Done,
    errors=(*SEATED, "gm", "confirm"),
)
async def close(call: Call) -> forms.Done:
    """Close the table to moves, which asks for its title, or open it again."""
    await call.master()
    if call.body.closed:
        await _confirmed(call)
    await call.tables.mark(call.path("table"), "closed", call.body.closed)
    return forms.Done(done=True)


@endpoint(
    "POST",
    "/api/tables/{table}/archive",
    body=table_forms.ArchiveBody,
    gives=forms.Done,
    errors=(*SEATED, "gm", "confirm"),
)
async def archive(call: Call) -> forms.Done:
    """Archive the table, which asks for its title, or take it out of the archive."""
    await call.master()
    if call.body.archived:
        await _confirmed(call)
    await call.tables.mark(call.path("table"), "archived", call.body.archived)
    return forms.Done(done=True)


@endpoint(
    "POST",
    "/api/tables/{table}/delete",
    body=table_forms.DeleteBody,
    gives=forms.Done,
    errors=(*SEATED, "gm", "confirm"),
)
async def delete(call: Call) -> forms.Done:
    """Delete the table permanently, which asks for its title."""
    await call.master()
    await _confirmed(call)
    await call.tables.delete(call.path("table"))
    call.access.forget()
    return forms.Done(done=True)


async def _confirmed(call: Call) -> None:
    title = (await call.tables.look(call.path("table"))).title
    if alike(call.body.confirm) != alike(title):
        raise problem("confirm", "confirm", title=title)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
