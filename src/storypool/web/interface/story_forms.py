"""Requests and responses about stories: pages of sessions for people outside of the table."""

from typing import Annotated

from msgspec import Meta, field

from storypool.engine.story import StoryLine
from storypool.web.interface.forms import Body, Id, ResponsePart


class NewStory(Body):
    """The seat, and the number of the session; 0 is the whole campaign."""

    session: Annotated[int, Meta(ge=0)] = 0
    seat: Id = ""


class StoryQuery(Body):
    """The session of a campaign; the link of a session needs none."""

    session: Annotated[int, Meta(ge=0)] = 0


class StoryState(ResponsePart):
    """A session of a table, or the campaign if `session` is 0, with its page if it has one.

    `began` is in milliseconds since 1970, UTC. Without a link, `path` and `url` are "". `may_end`:
    this seat may revoke the link.
    """

    session: int
    began: int = 0
    running: bool = False
    people: list[str] = field(default_factory=list)
    spent: int = 0
    line: str = ""
    path: str = ""
    url: str = ""
    may_end: bool = False


class TranscriptState(ResponsePart):
    """The story of a table as a seat saw it: its title, the key of its game, and its lines."""

    title: str
    system: str
    lines: list[StoryLine]
