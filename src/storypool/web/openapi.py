"""The documentation of the interface, generated from the endpoints: OpenAPI 3.1, and a plain page."""

from __future__ import annotations

import dataclasses
import html
import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from storypool import __version__
from storypool.engine.bag import Bag
from storypool.engine.table import Points, Use
from storypool.web.endpoint import Endpoint, Nothing, phrase
from storypool.web.forms import Error
from storypool.web.wire import encode

Schema = dict[str, Any]

ALWAYS = (400, 429)
"""Statuses that any request may get."""
PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    object: {},
    Any: {},
    dict: {"type": "object"},
    Bag: {"type": "object", "additionalProperties": {"type": "integer"}},
    Points: {"type": "object", "additionalProperties": {"type": "integer"}},
    Use: {"type": "string"},
}
META = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum", "pattern": "pattern"}
META |= {"description": "description"}


class Shapes:
    """JSON schemas of Python types; each class is described once, under its name.

    Not `msgspec.json.schema_components`: it describes input, where a default makes a field optional, while a response
    has every field. Nor does it accept a default that is a `Bag`, or a union of two kinds of tuples.
    """

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type."""
        if kind in PLAIN:
            return dict(PLAIN[kind])
        origin, args = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(args[0], args[1:])
        if origin is Literal:
            return {"enum": list(args)}
        if origin in (Union, types.UnionType):
            return self._union(args)
        if origin in (list, Sequence) or (origin is tuple and len(args) == 2 and args[1] is Ellipsis):
            return {"type": "array", "items": self.of(args[0])}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(*args)
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            items = [self.of(one) for one in get_type_hints(kind, include_extras=True).values()]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, msgspec.Struct)):
            return self._class(kind)
        raise TypeError(f"{kind!r} has no schema: give it one here.")

    def _annotated(self, kind: Any, metas: Sequence[Any]) -> Schema:
        schema = self.of(kind)
        size = {"array": "Items", "object": "Properties"}.get(str(schema.get("type")), "Length")
        for meta in metas:
            for name, key in {**META, "min_length": f"min{size}", "max_length": f"max{size}"}.items():
                if getattr(meta, name, None) is not None:
                    schema[key] = getattr(meta, name)
        return schema

    def _union(self, args: Sequence[Any]) -> Schema:
        kinds = [self.of(one) for one in args if one is not msgspec.UnsetType]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}

    def _mapping(self, key: Any, value: Any) -> Schema:
        schema: Schema = {"type": "object", "additionalProperties": self.of(value)}
        names = self.of(key)
        return schema if names == {"type": "string"} else {**schema, "propertyNames": names}

    def _class(self, kind: type) -> Schema:
        name = kind.__name__
        if name not in self.named:
            self.named[name] = {}
            hints = get_type_hints(kind, include_extras=True)
            schema: Schema = {"type": "object", "description": _first_line(kind)}
            schema["properties"] = {field: self.of(hint) for field, hint in hints.items()}
            if needed := _needed(kind):
                schema["required"] = needed
            if getattr(getattr(kind, "__struct_config__", None), "forbid_unknown_fields", False):
                schema["additionalProperties"] = False
            self.named[name] = schema
        return {"$ref": f"#/components/schemas/{name}"}


def _needed(kind: type) -> list[str]:
    if issubclass(kind, msgspec.Struct):
        # Input may leave out a field with a default; output has every field.
        read = kind.__struct_config__.forbid_unknown_fields
        return [field.name for field in msgspec.structs.fields(kind) if field.required or not read]
    return [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def document_of(endpoints: Sequence[Endpoint]) -> Schema:
    """Return the whole interface as an OpenAPI 3.1 document."""
    shapes = Shapes()
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        path = re.sub(r":\w+}", "}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Storypool",
            "version": __version__,
            "description": "A live table for role-playing games. The live feed is described in docs/api.md.",
        },
        "paths": paths,
        "components": {
            "schemas": dict(sorted(shapes.named.items())),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "storypool-8230"},
            },
        },
    }


def _operation(endpoint: Endpoint, shapes: Shapes) -> Schema:
    title, _, more = endpoint.title.partition("\n")
    operation: Schema = {
        "operationId": endpoint.call.__name__,
        "summary": title,
        "tags": [endpoint.tag],
        "parameters": [*_in_path(endpoint), *_in_query(endpoint, shapes)],
        "responses": _responses(endpoint, shapes),
    }
    if more.strip():
        operation["description"] = " ".join(more.split())
    if 401 in endpoint.errors:
        operation["security"] = [{"token": []}, {"session": []}]
    if endpoint.raw:
        content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        operation["requestBody"] = {"required": True, "content": content}
    elif endpoint.body is not Nothing:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": shapes.of(endpoint.body)}},
        }
    return operation


def _in_path(endpoint: Endpoint) -> list[Schema]:
    names = re.findall(r"{(\w+)", endpoint.path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _in_query(endpoint: Endpoint, shapes: Shapes) -> list[Schema]:
    if endpoint.query is Nothing:
        return []
    hints = get_type_hints(endpoint.query, include_extras=True)
    needed = _needed(endpoint.query)
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": shapes.of(kind)}
        for name, kind in hints.items()
    ]


def _responses(endpoint: Endpoint, shapes: Shapes) -> Schema:
    schema = shapes.of(endpoint.gives)
    responses: Schema = {}
    for status in endpoint.status:
        responses[str(status)] = {"description": phrase(status), "content": {endpoint.media: {"schema": schema}}}
    error = {"application/json": {"schema": shapes.of(Error)}}
    takes = endpoint.raw or endpoint.body is not Nothing
    unsafe = (403,) if endpoint.method != "GET" else ()
    always = {
        *ALWAYS,
        *unsafe,
        *((408, 413) if takes else ()),
        *((503,) if "{table}" in endpoint.path or takes else ()),
    }
    for status in sorted({*endpoint.errors, *always}):
        responses[str(status)] = {"description": phrase(status), "content": error}
    return responses


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Return the routes of the document and of the page."""
    document = document_of(endpoints)
    json, page = encode(document), page_of(document)

    async def as_json(_: Request) -> Response:
        return Response(json, media_type="application/json")

    async def as_page(_: Request) -> Response:
        return HTMLResponse(page)

    return [Route("/api/openapi.json", as_json, methods=["GET"]), Route("/api/docs", as_page, methods=["GET"])]


def page_of(document: Schema) -> str:
    """Return the document as a plain page."""
    rows = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            codes = " ".join(operation["responses"])
            what = (
                f"<h3><code>{method.upper()} {html.escape(path)}</code></h3><p>{html.escape(operation['summary'])}</p>"
            )
            rows.append(f"{what}{_body_of(operation)}<p>Answers: {codes}.</p>")
    schemas = [
        f'<h3 id="{name}">{name}</h3><p>{html.escape(schema["description"])}</p><ul>{_fields_of(schema)}</ul>'
        for name, schema in document["components"]["schemas"].items()
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<title>Storypool: the interface</title><h1>The interface</h1>"
        '<p>The machine-readable form: <a href="/api/openapi.json">openapi.json</a>.</p>'
        f"<h2>Routes</h2>{''.join(rows)}<h2>Shapes</h2>{''.join(schemas)}</html>"
    )


def _body_of(operation: Schema) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    refs = [media["schema"].get("$ref", "") for media in content.values()]
    name = "".join(refs).rpartition("/")[2]
    return f'<p>Takes: <a href="#{name}">{name}</a>.</p>' if name else ""


def _fields_of(schema: Schema) -> str:
    needed = schema.get("required", ())
    return "".join(
        f"<li><code>{html.escape(name)}</code>{'' if name in needed else ' (may be left out)'}</li>"
        for name in schema["properties"]
    )
