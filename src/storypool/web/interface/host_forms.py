"""Requests and responses about the lasting credentials of the host."""

from typing import Annotated, Literal

from msgspec import Meta

from storypool.web.access import Right
from storypool.web.interface.forms import Body, Name, ResponsePart


class NewHostLink(Body):
    """A lasting link of the host. A new one takes the place of an earlier one of the same name."""

    name: Name = "host"


class NewHostToken(Body):
    """A lasting token: its unique name, and its rights."""

    name: Name
    rights: Annotated[list[Right], Meta(min_length=1)]


class HostLink(ResponsePart):
    """A new link, which is shown once. `path` begins with a slash; `url` is its whole address."""

    name: str
    path: str
    url: str


class HostToken(ResponsePart):
    """A new token, which is shown once."""

    name: str
    rights: list[Right]
    token: str


class Credential(ResponsePart):
    """A lasting credential without its secret.

    `session` is a browser or a program that came by the link of this name. `made` is in
    milliseconds since 1970, UTC.
    """

    name: str
    kind: Literal["link", "token", "session"]
    rights: list[Right]
    made: int
