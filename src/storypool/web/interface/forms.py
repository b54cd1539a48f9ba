"""The types of requests and responses, for the decoder, which is strict, and the documentation.

Types of one subject are in a module of their own.
"""

from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from storypool.engine.game.asks import AskView
from storypool.web.server_settings import Limits

LIMITS = Limits()

Id = Annotated[str, Meta(max_length=80, description="An id, as the server gave it.")]
Name = Annotated[str, Meta(min_length=1, max_length=LIMITS.name)]
Title = Annotated[str, Meta(max_length=LIMITS.title)]
Note = Annotated[str, Meta(max_length=LIMITS.note)]
Secret = Annotated[str, Meta(max_length=200, description="What stands behind the # of a link.")]
Text = Annotated[str, Meta(max_length=LIMITS.text)]
Token = Annotated[str, Meta(min_length=1, max_length=LIMITS.token)]
Args = Annotated[dict[Annotated[str, Meta(max_length=60)], Any], Meta(max_length=40)]


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    """A request body or query; unknown fields are refused."""


class ResponsePart(Struct, kw_only=True):
    """A response, or a part of one."""


Shown = TypeVar("Shown", bound=ResponsePart)


def shown(form: type[Shown], thing: object, **more: object) -> Shown:
    """The form of a thing: its own fields of the same names, and `more`."""
    own = {name: getattr(thing, name) for name in form.__struct_fields__ if name not in more}
    return form(**own, **more)


class RefusalShown(ResponsePart):
    """A refusal: text for the player, a code for programs, and what would make it possible."""

    code: str
    text: str
    rule: str
    remedy: str
    field: str
    overridable: bool


class ErrorShown(ResponsePart):
    """The one error shape, whatever went wrong.

    `missing` are all questions that still need an answer, with their choices, where a move was
    refused because one has none.
    """

    error: RefusalShown
    missing: list[AskView] | UnsetType = UNSET


class Done(ResponsePart):
    """The request was carried out."""

    done: bool
