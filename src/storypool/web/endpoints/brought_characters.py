"""The endpoint that reads characters from the file of another program."""

from storypool.brought.characters import NoCharacter
from storypool.brought.fitting import as_data, fit
from storypool.brought.formats import characters_of
from storypool.engine.refusal import Refusal
from storypool.web.endpoint import Call, Endpoint, endpoint
from storypool.web.endpoints.brought_texts import count_reading
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
        try:
            fitted = fit(system, characters_of(text))
        except NoCharacter as wrong:
            raise Problem(400, Refusal.of("argument", wrong, "text")) from None
        return encode({"characters": [as_data(one, words) for one in fitted]})

    return await call.queued(call.server.small, work)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
