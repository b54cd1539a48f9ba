"""The server's interface as TypeScript declarations, for checking the page.

`Wire.OfferShown` in a comment of the page is `OfferShown` of the OpenAPI document.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Literal, get_args, get_origin, get_type_hints

from storypool.engine.game.panels import KINDS, Panel, binds_of
from storypool.web.app import ENDPOINTS
from storypool.web.interface.openapi import document_of
from storypool.web.interface.schemas import Schema

ALIASES = """\
/** What a term, an answer or an entry of a sheet holds: its question or its panel says which. */
type Value = any;
/** What happened, as one seat may read it. */
type Event = NonNullable<RecordShown["event"]>;
/** Why something did not work, as the page shows it. */
type Reason = Pick<RefusalShown, "text" | "remedy" | "rule">;
/** A panel of one kind, and what it binds. */
type Panel<Kind extends keyof Binds> = PanelShown & { kind: Kind; binds: Binds[Kind] };
"""
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
VALUE = {"string", "number", "boolean", "Array<string>"}
"""The kinds of values in a move's arguments."""


def declarations() -> str:
    """The namespace `Wire` with every shape of the interface."""
    named = document_of(ENDPOINTS)["components"]["schemas"]
    forms = "".join(_interface(name, schema) for name, schema in named.items())
    panels = "".join(map(_binds, KINDS))
    return f"declare namespace Wire {{\n{ALIASES}{forms}type Binds = {{\n{panels}}}\n}}\n"


def _binds(kind: type[Panel]) -> str:
    hints, fields = get_type_hints(kind), ""
    for field in dataclasses.fields(kind):
        if field.name in binds_of(kind):
            mark = ":" if field.default is dataclasses.MISSING else "?:"
            fields += f" {field.name}{mark} {_of_hint(hints[field.name])};"
    return f"  {kind.kind}: {{{fields} }};\n"


def _of_hint(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(map(json.dumps, get_args(hint)))
    return {str: "string", int: "number", bool: "boolean"}.get(hint, "Array<string>")


def _interface(name: str, schema: Schema) -> str:
    needed = schema.get("required", ())
    fields = []
    for field, form in schema["properties"].items():
        key = field if field in needed else f"{field}?"
        fields.append(f"  {key}: {_type(form)};\n")
    return f"/** {schema['description']} */\ninterface {name} {{\n{''.join(fields)}}}\n"


def _type(schema: Schema) -> str:
    if ref := schema.get("$ref"):
        return str(ref).rpartition("/")[2]
    if either := schema.get("anyOf") or schema.get("oneOf"):
        kinds = dict.fromkeys(map(_type, either))
        return "Value" if VALUE <= kinds.keys() else " | ".join(kinds)
    if values := schema.get("enum"):
        return " | ".join(map(json.dumps, values))
    if "const" in schema:
        return json.dumps(schema["const"])
    if row := schema.get("prefixItems"):
        return f"[{', '.join(map(_type, row))}]"
    if "items" in schema:
        return f"Array<{_type(schema['items'])}>"
    if "additionalProperties" in schema:
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    if schema.get("type") == "object":
        return "Record<string, unknown>"
    return PLAIN.get(schema.get("type", ""), "any")
