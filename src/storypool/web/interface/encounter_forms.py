"""Requests and responses about encounters and packs, for game masters."""

from typing import Annotated

from msgspec import Meta, field

from storypool.web.interface.forms import Args, Body, Id, ResponsePart


class WeightShown(ResponsePart):
    """How even a fight would be: a word among `far_easier`, `easier`, `even`, `harder`,
    `far_harder`, and why in a sentence; without numbers the word is "".
    """

    level: str
    text: str


class EncounterShown(ResponsePart):
    """A prepared encounter: its rows in words, the place, and how often it came.

    `closed` is why it cannot be brought in now, or "". `weight` is null in a game without numbers.
    """

    id: Id
    title: str
    who: list[str]
    where: str
    hidden: bool
    came: int
    closed: str
    weight: WeightShown | None


class EncountersState(ResponsePart):
    """The prepared encounters after record `seq`, the newest first."""

    seq: int
    encounters: list[EncounterShown]


class EncounterBody(Body):
    """The answers of the form of an encounter that is prepared or changed."""

    args: Args = field(default_factory=dict)
    seat: Id = ""


class WeightState(ResponsePart):
    """How even the encounter would be; null where these answers bring nobody in."""

    weight: WeightShown | None


class PackQuery(Body):
    """The chosen NPCs and encounters, by their ids with commas between them."""

    chosen: Annotated[str, Meta(max_length=8000)] = ""
    seat: Id = ""


class PackBody(Body):
    """The text of a pack."""

    pack: Annotated[str, Meta(max_length=40_000)]
    seat: Id = ""


class LeftOutShown(ResponsePart):
    """Something in a pack that is not taken, and why."""

    what: str
    why: str


class PackState(ResponsePart):
    """What a table would take from a pack: names, and what it leaves out."""

    people: list[str]
    encounters: list[str]
    left_out: list[LeftOutShown]
