"""The endpoints for the rolls of a character's sheet, and for the steps in which one is made."""

from storypool.live.previews import rolls_of_sheet
from storypool.web.character_steps import Draft
from storypool.web.endpoint import Call, Endpoint, endpoint
from storypool.web.interface import table_forms
from storypool.web.interface.forms import shown
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.interface.step_forms import StepChoiceShown, StepsBody, StepsState
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


@endpoint(
    "POST",
    "/api/tables/{table}/steps",
    body=StepsBody,
    gives=StepsState,
    errors=(*SEATED, *QUEUED),
    price=4,
)
async def character_steps(call: Call) -> bytes:
    """A step in which a player makes a character: what a choice means, and its odds.

    Nothing is stored. The draft is for `character.add`, which takes any other sheet too.
    """
    body: StepsBody = call.body
    await call.seat()
    id = call.path("table")
    table, system = await call.tables.look(id), await call.tables.system(id)
    draft = Draft(system, table.options, body.chosen, body.numbers, body.texts)
    return await call.queued(call.server.small, lambda: encode(_shown(draft, body.step)))


def _shown(draft: Draft, n: int) -> StepsState:
    """The step with this number, or the last one."""
    steps = draft.steps()
    step = steps[min(n, len(steps)) - 1]
    chances = draft.chances(step)
    return shown(
        StepsState,
        step,
        step=min(n, len(steps)),
        of=len(steps),
        choices=[shown(StepChoiceShown, one) for one in step.choices],
        means=draft.means(step, chances),
        chances=chances,
        entries=[*step.entries],
        fields=[*draft.fields(step)],
        sheet=draft.sheet(),
        written=[*draft.written()],
    )


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
