"""Requests and responses about the steps in which a player makes a character."""

from typing import Annotated

from msgspec import Meta, field

from storypool.engine.game.steps import StepText, TextMove
from storypool.engine.table import Value
from storypool.web.character_steps import Chance
from storypool.web.interface.forms import LIMITS, Body, Id, ResponsePart
from storypool.web.interface.table_forms import SheetValues

Key = Annotated[str, Meta(max_length=60)]


class StepsBody(Body):
    """The `step` to show, counted from 1, with what was answered in all of them so far.

    `chosen` are the keys of choices by step, `numbers` replace those of the choices, and `texts`
    replace those that fields begin with, by their keys.
    """

    step: Annotated[int, Meta(ge=1, le=9)] = 1
    chosen: Annotated[dict[Key, Annotated[list[Key], Meta(max_length=9)]], Meta(max_length=9)] = (
        field(default_factory=dict)
    )
    numbers: SheetValues = field(default_factory=dict)
    texts: Annotated[
        dict[Key, Annotated[str, Meta(max_length=LIMITS.text)]], Meta(max_length=40)
    ] = field(default_factory=dict)
    seat: Id = ""


class StepChoiceShown(ResponsePart):
    """A choice of a step, with a line about it."""

    key: str
    name: str
    about: str


class StepsState(ResponsePart):
    """One of the `of` steps, with the odds of its choices, and the draft of the character.

    Of `choices` this many are to `pick`; `entries` are numbers and words of the sheet to place;
    `fields` are texts to write, by their keys, for what is chosen. `sheet` is the draft for
    `character.add`; `written` are the moves that follow it, whose question `who` takes the
    character's id. The last step asks for the name.
    """

    key: str
    step: int
    of: int
    title: str
    question: str
    means: str
    pick: int
    choices: list[StepChoiceShown]
    chances: list[Chance]
    entries: list[str]
    fields: list[StepText]
    sheet: dict[str, Value]
    written: list[TextMove]
