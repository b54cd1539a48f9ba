"""Searching the log backwards in pages: by words, by person, by kind."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from storypool.engine.events import PeriodBegan, Rewound
from storypool.engine.game.system import System
from storypool.engine.sight import seen, shown
from storypool.engine.story import sentence
from storypool.engine.table import Seat, Table
from storypool.live.folded import Step
from storypool.web.endpoint import Call, Endpoint, endpoint
from storypool.web.interface.forms import LIMITS, Body, Id, ResponsePart
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.interface.table_forms import RecordShown
from storypool.web.wire import TYPES, written
from storypool.words.folding import folded, search_words

MAX_SEARCHED_RECORDS = LIMITS.searched
"""The most records that one request searches, in a fraction of a second."""


class SearchQuery(Body):
    """A search among the records before number `before` (0 for all); an empty field fits all."""

    seat: str = ""
    before: Annotated[int, Meta(ge=0, le=2**53)] = 0
    words: Annotated[str, Meta(max_length=LIMITS.text)] = ""
    who: Id = ""
    kinds: Annotated[str, Meta(max_length=LIMITS.text)] = ""


class SearchPage(ResponsePart):
    """The records found, in order, with every rewind and every beginning of a period.

    `before` is the first record that was searched: earlier ones may have more. It is 1 at the end.
    """

    records: list[RecordShown]
    before: int


@endpoint(
    "GET",
    "/api/tables/{table}/log/search",
    query=SearchQuery,
    gives=SearchPage,
    errors=(*SEATED, *QUEUED),
    price=32,
)
async def search_the_log(call: Call) -> bytes:
    """Search the log backwards, 2,000 records at a time, for sentences as this seat reads them."""
    query: SearchQuery = call.query
    seat, id = await call.seat(), call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    last = min(query.before - 1, table.seq) if query.before else table.seq
    first = max(1, last - MAX_SEARCHED_RECORDS + 1)
    steps = await call.tables.steps(id, first - 1, last) if last >= first else []
    found = await call.queued(
        call.server.large, lambda: search(steps, query, seat, system, seen(table, seat))
    )
    return b'{"records":[%b],"before":%d}' % (b",".join(found), first)


def search(
    steps: Sequence[Step], query: SearchQuery, seat: Seat, system: System, table: Table
) -> list[bytes]:
    """The matching records as JSON, as this seat may read them; it sees `table`."""
    words, kinds = search_words(query.words), {kind for kind in query.kinds.split(",") if kind}
    whose = table.seats.get(query.who) or table.characters.get(query.who)

    def fits(step: Step) -> bool:
        record = shown(step.record, seat)
        if record.event is None:
            return False
        if isinstance(record.event, (Rewound, PeriodBegan)):
            return True
        if kinds and TYPES[type(record.event)] not in kinds:
            return False
        text = sentence(record, seen(step.before, seat), system)
        if not text or (
            query.who and record.seat != query.who and not (whose and whose.name in text)
        ):
            return False
        return not words or all(map(folded(text).__contains__, words))

    return [written(step, seat, system) for step in steps if fits(step)]


ENDPOINTS: tuple[Endpoint, ...] = (search_the_log,)
"""Every endpoint of this module."""
