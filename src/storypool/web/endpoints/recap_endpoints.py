"""Endpoints for the recap of a session: in brief, as data, as Markdown, and as one picture.

Its modules are imported with the first recap, off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import view
from storypool.pictures import Theme
from storypool.web.endpoint import Call, Endpoint, Reply, SeatQuery, endpoint
from storypool.web.endpoints.table_endpoints import as_file, of_log
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.prints.raster import has_renderer, png_apart
from storypool.web.wire import encode
from storypool.words import Phrase
from storypool.worth.weighing import may_weigh

if TYPE_CHECKING:
    from storypool.worth.recap import Recap
    from storypool.worth.session_view import SessionView

T = TypeVar("T")


class RecapPictureQuery(SeatQuery, forbid_unknown_fields=True):
    """The seat, and the colours: by default dark, or light for viewers who prefer that."""

    theme: Theme = "auto"


class RecapQuery(SeatQuery, forbid_unknown_fields=True):
    """The seat, and whether the session before the latest is meant."""

    previous: bool = False


@endpoint(
    "GET",
    "/api/tables/{table}/recap",
    query=RecapQuery,
    gives="storypool.worth.recap:Recap",
    errors=(*SEATED, *QUEUED),
)
async def what_became_of_the_session(call: Call) -> Recap:
    """The latest session in at most twelve lines, or the one before it, as this seat saw it."""
    seat, table = await call.seat(), await call.tables.look(call.path("table"))
    previous, began = call.query.previous, table.began["session"]

    def made(records: list[Record], system: System) -> Recap:
        from storypool.worth.session import session_recap

        if previous:
            records = [record for record in records if record.seq < began]
        return session_recap(view(records, seat), system, chances=False).short

    return await of_log(call, made)


async def _of_session(call: Call, work: Callable[[SessionView, System], T]) -> T:
    """Run `work` on the recap of the session as this seat saw it, off the event loop."""
    seat, table = await call.seat(), await call.tables.look(call.path("table"))
    knows, seconds = may_weigh(table, seat.id), call.settings.limits.odds

    def made(records: list[Record], system: System) -> T:
        from storypool.worth.session import session_recap
        from storypool.worth.session_view import view_session

        found = session_recap(view(records, seat), system, chances=knows, seconds=seconds)
        return work(view_session(found, system, table.title), system)

    return await of_log(call, made, call.server.large)


@endpoint(
    "GET",
    "/api/tables/{table}/recap/whole",
    query=SeatQuery,
    gives="storypool.worth.session_view:SessionView",
    errors=(*SEATED, *QUEUED),
    price=4,
)
async def tell_the_session(call: Call) -> bytes:
    """The latest session as this seat saw it: pools, spends, luck, turning points, empty pools.

    Players get no chances if the game master keeps odds from them.
    """
    return await _of_session(call, lambda session, _: encode(session))


@endpoint(
    "GET",
    "/api/tables/{table}/recap.md",
    query=SeatQuery,
    gives=str,
    errors=(*SEATED, *QUEUED),
    media="text/markdown",
    price=4,
)
async def write_the_session(call: Call) -> Reply:
    """The latest session as this seat saw it, as Markdown."""

    def in_markdown(session: SessionView, system: System) -> bytes:
        from storypool.worth.session_leaflet import leaflet

        return leaflet(session, system).markdown().encode()

    text = await _of_session(call, in_markdown)
    return Reply(text, headers=await as_file(call, "md"), media="text/markdown; charset=utf-8")


@endpoint(
    "GET",
    "/api/tables/{table}/recap.svg",
    query=RecapPictureQuery,
    gives=str,
    errors=(*SEATED, *QUEUED),
    media="image/svg+xml",
    price=4,
)
async def draw_the_session(call: Call) -> Reply:
    """The latest session as this seat saw it, as one picture to send to friends."""
    text = await _drawn(call)
    return Reply(text, headers=await as_file(call, "svg"), media="image/svg+xml")


@endpoint(
    "GET",
    "/api/tables/{table}/recap.png",
    query=RecapPictureQuery,
    gives=bytes,
    errors=(*SEATED, "unknown", *QUEUED),
    media="image/png",
    price=4,
)
async def paint_the_session(call: Call) -> Reply:
    """The picture of the latest session as PNG, three times as wide."""
    if not has_renderer():
        raise Refused(Refusal.of("unknown", Phrase("web.png")))
    text = await _drawn(call)
    data = await call.in_turn(call.server.large, partial(png_apart, text))
    return Reply(data, headers=await as_file(call, "png"), media="image/png")


async def _drawn(call: Call) -> str:
    query: RecapPictureQuery = call.query

    def drawn(session: SessionView, system: System) -> str:
        from storypool.worth.session_leaflet import picture

        return picture(session, system, query.theme)

    return await _of_session(call, drawn)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
