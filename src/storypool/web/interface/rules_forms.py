"""Requests and responses about new rules of the game that a table plays."""

from typing import Annotated

from msgspec import Meta

from storypool.web.interface.forms import Body, Id, RefusalShown, ResponsePart, Token


class NewerText(Body):
    """The newer text of the game; without it, the one that this server has now."""

    game: Annotated[str, Meta(max_length=200_000)] = ""
    seat: Id = ""


class RulesShown(ResponsePart):
    """The key of the newer text, its changes in sentences, and a refusal or null.

    The key is "" if this server has no newer text.
    """

    key: str
    changes: list[str]
    refused: RefusalShown | None


class RulesTaken(Body):
    """The newer text as it was shown, and its key; by default the text of this server.

    `token` is an idempotency key, as for a move.
    """

    to: Id
    game: Annotated[str, Meta(max_length=200_000)] = ""
    token: Token | None = None
    seat: Id = ""
