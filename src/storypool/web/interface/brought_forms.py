"""Requests and responses about characters that come from files."""

from typing import Annotated

from msgspec import Meta

from storypool.brought.characters import MOST_SENT
from storypool.brought.fitting import Understood
from storypool.engine.game.steps import TextMove
from storypool.engine.table import Value
from storypool.web.endpoint import SeatQuery
from storypool.web.interface.encounter_forms import LeftOutShown
from storypool.web.interface.forms import Body, Id, ResponsePart


class BroughtBody(Body):
    """The text of a file, which may hold several characters."""

    text: Annotated[str, Meta(max_length=MOST_SENT)]
    seat: Id = ""


class BroughtShown(ResponsePart):
    """A character of a file as this table can add it.

    `sheet` is for `character.add`; `written` are the moves that follow it, whose question `who`
    takes the character's id. `left_out` is what the sheet has no place for, with the reason; the
    `note` has it where it is worth keeping.
    """

    name: str
    is_npc: bool
    sheet: dict[str, Value]
    written: list[TextMove]
    understood: list[Understood]
    left_out: list[LeftOutShown]
    note: str


class BroughtState(ResponsePart):
    """The characters of a file."""

    characters: list[BroughtShown]


class LeavingQuery(SeatQuery, forbid_unknown_fields=True):
    """The character, by default everyone whom this seat sees; or an empty spreadsheet."""

    who: Id = ""
    template: bool = False
