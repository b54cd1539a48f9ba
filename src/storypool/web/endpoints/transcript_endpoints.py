"""Endpoints for the story of a table: as Markdown, as plain text, and as data for a wiki."""

from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.sight import view
from storypool.engine.story import plain_transcript, story_lines, title_of, transcript
from storypool.web.endpoint import Call, Endpoint, Reply, endpoint
from storypool.web.endpoints.table_endpoints import as_file, of_log
from storypool.web.interface import story_forms
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.wire import encode
from storypool.web.zones import ZonedQuery


@endpoint(
    "GET",
    "/api/tables/{table}/transcript.md",
    query=ZonedQuery,
    gives=str,
    errors=(*SEATED, "zone", *QUEUED),
    media="text/markdown",
)
async def read_transcript(call: Call) -> Reply:
    """The whole story as Markdown, as this seat saw it, with dates in the reader's time zone."""
    query: ZonedQuery = call.query
    seat, zone = await call.seat(), query.as_zone()
    text = await of_log(
        call, lambda records, system: transcript(view(records, seat), system, zone).encode()
    )
    return Reply(text, headers=await as_file(call, "md"), media="text/markdown; charset=utf-8")


@endpoint(
    "GET",
    "/api/tables/{table}/transcript.txt",
    query=ZonedQuery,
    gives=str,
    errors=(*SEATED, "zone", *QUEUED),
    media="text/plain",
)
async def read_plain_transcript(call: Call) -> Reply:
    """The same story as plain text, without what was taken back."""
    seat, zone = await call.seat(), call.query.as_zone()
    text = await of_log(
        call, lambda records, system: plain_transcript(view(records, seat), system, zone).encode()
    )
    return Reply(text, headers=await as_file(call, "txt"), media="text/plain; charset=utf-8")


@endpoint(
    "GET",
    "/api/tables/{table}/transcript.json",
    query=ZonedQuery,
    gives=story_forms.TranscriptState,
    errors=(*SEATED, "zone", *QUEUED),
)
async def read_transcript_data(call: Call) -> Reply:
    """The same story as data: each line with what it is, for a wiki or another program."""
    seat, zone = await call.seat(), call.query.as_zone()

    def written(records: list[Record], system: System) -> bytes:
        own = view(records, seat)
        lines = [*story_lines(own, system, zone)]
        return encode({"title": title_of(own, system), "system": system.key, "lines": lines})

    data = await of_log(call, written)
    return Reply(data, headers=await as_file(call, "json"), media="application/json")


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
