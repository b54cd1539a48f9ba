"""The endpoint for the rolls of a character's sheet."""

from storypool.live.previews import rolls_of_sheet
from storypool.web.endpoint import Call, Endpoint, endpoint
from storypool.web.interface import table_forms
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.wire import encode


@endpoint(
    "POST",
    "/api/tables/{table}/sheet",
    body=table_forms.SheetBody,
    gives=table_forms.SheetState,
    errors=(*SEATED, *QUEUED),
    price=2,
)
async def sheet_rolls(call: Call) -> bytes:
    """What the numbers of a sheet roll, as they are or as they would be; nothing is stored."""
    body: table_forms.SheetBody = call.body
    seat, id = await call.seat(), call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    sheet = {
        key: min(entry.high, max(entry.low, n))
        for key, entry in system.by_entry.items()
        if isinstance(n := body.sheet.get(key), int)
    }

    def work() -> bytes:
        rolls = rolls_of_sheet(system, table, seat, body.character, sheet)
        return encode({"seq": table.seq, "rolls": rolls})

    return await call.queued(call.server.small, work)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
