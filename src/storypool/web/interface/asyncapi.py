"""The documentation of the live feed: an AsyncAPI 3.0 document with the schemas of OpenAPI.

OpenAPI 3.1 has schemas of JSON Schema 2020-12, AsyncAPI 3.0 those of draft 7. It is not 3.1: that
differs in bindings that this feed does not use, and generators read 3.0 alone.
"""

from typing import Any

from storypool import __version__
from storypool.web.interface.live_forms import CLIENT_MESSAGES, SERVER_MESSAGES
from storypool.web.interface.schemas import Schema, Shapes, summary, tag_of
from storypool.web.interface.table_forms import BriefOffer
from storypool.web.network.cross_origin import PROTOCOL, TOKEN

CHANNEL = "/api/tables/{table}/live"


def messages(shapes: Shapes) -> dict[str, Schema]:
    """The messages of the feed by name; their schemas become components of `shapes`."""
    return {
        kind.__name__: {"name": tag_of(kind), "title": summary(kind), "payload": shapes.of(kind)}
        for kind in (*SERVER_MESSAGES, *CLIENT_MESSAGES)
    }


def document() -> Schema:
    """The document; an application sends the messages that clients receive."""
    shapes = Shapes()
    described = messages(shapes)
    # The entries of a message with changes are of many kinds: offers are what a client reads first.
    shapes.of(BriefOffer)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Storypool's live feed",
            "version": __version__,
            "description": (
                "One WebSocket for each seat at a table. Unknown types are ignored on both sides."
            ),
        },
        "channels": {
            "live": {
                "address": CHANNEL,
                "description": (
                    "Opened by a session or a bearer token that speaks for the seat. A page offers "
                    f"its token as a subprotocol: {PROTOCOL}, {TOKEN}TOKEN."
                ),
                "parameters": {"table": {"description": "The id of the table."}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in described},
                "bindings": {
                    "ws": {
                        "method": "GET",
                        "query": {
                            "type": "object",
                            "properties": {
                                "seat": {"type": "string", "description": "Whose feed it is."}
                            },
                        },
                    }
                },
            }
        },
        "operations": {
            "tell": _operation("send", "What the server sends to a seat.", SERVER_MESSAGES),
            "hear": _operation("receive", "What a client sends.", CLIENT_MESSAGES),
        },
        "components": {
            "messages": described,
            "schemas": in_draft_7(dict(sorted(shapes.named.items()))),
        },
    }


def in_draft_7(schema: Any) -> Any:
    """A schema as AsyncAPI writes it: a row has `items`, and there is no discriminator.

    The values of an AsyncAPI discriminator are the names of schemas; ours are the constants of
    their `type`, which tell the schemas apart on their own.
    """
    if isinstance(schema, list):
        return [in_draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    same = {key: in_draft_7(one) for key, one in schema.items() if not _is_discriminator(key, one)}
    if "prefixItems" in same:
        same["items"] = same.pop("prefixItems")
    return same


def _is_discriminator(key: str, value: Any) -> bool:
    """Whether this is the keyword, and not a property of that name."""
    return key == "discriminator" and "mapping" in value


def _operation(action: str, about: str, kinds: tuple[type, ...]) -> Schema:
    refs = [{"$ref": f"#/channels/live/messages/{kind.__name__}"} for kind in kinds]
    return {
        "action": action,
        "channel": {"$ref": "#/channels/live"},
        "summary": about,
        "messages": refs,
    }
