"""The documentation of the interface as an OpenAPI document, generated from the endpoints."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from pkgutil import resolve_name
from typing import get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from storypool import __version__
from storypool.web.endpoint import Endpoint, Nothing, phrase
from storypool.web.interface import asyncapi, problems
from storypool.web.interface.examples import Example, examples
from storypool.web.interface.forms import ErrorShown
from storypool.web.interface.schemas import Schema, Shapes, needed_of
from storypool.web.wire import encode

PUBLIC = "answers"
"""The tag of the endpoints that need no sign-in."""
TAGS = {
    "tables": "Open a table, play at it, read it and close it.",
    "live": "Follow a table as it is played.",
    "joining": "Links, sessions, seats, and claims to seats.",
    PUBLIC: "Games, their words and odds, and the server itself: for everybody, without a session.",
    "host": "The host's lasting links and tokens, and the figures.",
    "workshop": "Games of one page: their mistakes, their odds, and evenings of them.",
}

HEADERS: Schema = {
    "RateLimit-Policy": {
        "description": "The rates at which the request was counted; without them in a cache.",
        "schema": {"type": "string"},
        "example": '"client";q=600;w=3, "session";q=150;w=4',
    },
    "RateLimit": {
        "description": "What is left of each, and the seconds until there is more.",
        "schema": {"type": "string"},
        "example": '"client";r=599;t=1, "session";r=149;t=1',
    },
    "Retry-After": {
        "description": "The seconds after which to try again.",
        "schema": {"type": "integer", "minimum": 1},
    },
}


def document_of(endpoints: Sequence[Endpoint], cookie: str = "storypool-8230") -> Schema:
    """The whole interface as an OpenAPI 3.1 document; `cookie` is the name of the cookie."""
    shapes = Shapes()
    paths: dict[str, Schema] = {}
    for endpoint in endpoints:
        path = re.sub(r":\w+}", "}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, shapes)
    asyncapi.messages(shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Storypool",
            "version": __version__,
            "description": (
                "A live table for role-playing games. The messages of the live feed are among the "
                "schemas; /api/asyncapi.json has when they are sent. The examples of a refusal are "
                "its sentences; their blanks in braces are filled in."
            ),
        },
        "servers": [{"url": "/", "description": "The server that this document comes from."}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(shapes.named.items())),
            "examples": _examples(endpoints),
            "headers": HEADERS,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": cookie},
            },
        },
    }


def _operation(endpoint: Endpoint, shapes: Shapes) -> Schema:
    title, _, more = endpoint.title.partition("\n\n")
    operation: Schema = {
        "operationId": endpoint.call.__name__,
        "summary": " ".join(title.split()),
        "tags": [endpoint.tag],
        "parameters": [*_in_path(endpoint), *_in_query(endpoint, shapes)],
        "responses": _responses(endpoint, shapes),
    }
    if more.strip():
        operation["description"] = " ".join(more.split())
    operation["security"] = _security(endpoint)
    if endpoint.raw:
        content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        operation["requestBody"] = {"required": True, "content": content}
    elif endpoint.body is not Nothing:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": shapes.of(endpoint.body)}},
        }
    if example := examples().get(endpoint.call.__name__):
        _show(example, operation)
    return operation


def _show(example: Example, operation: Schema) -> None:
    """Add an example of the request and of its answer to a route."""
    for one in operation["parameters"]:
        values = {"path": example.path, "query": example.query}[one["in"]]
        if one["name"] in values:
            one["example"] = values[one["name"]]
    if "requestBody" in operation:
        content_of(operation["requestBody"])["example"] = example.body
    content_of(operation["responses"][str(example.status)])["example"] = example.answer


def content_of(part: Schema) -> Schema:
    """The one kind of content of a request or of an answer."""
    (content,) = part["content"].values()
    shown: Schema = content
    return shown


def _security(endpoint: Endpoint) -> list[Schema]:
    """The required sign-in: signed-in clients, any client, or none where it does not count."""
    if endpoint.tag == PUBLIC:
        return []
    anybody: list[Schema] = [] if 401 in map(problems.status_of, endpoint.errors) else [{}]
    return [*anybody, {"token": []}, {"session": []}]


def _in_path(endpoint: Endpoint) -> list[Schema]:
    names = re.findall(r"{(\w+)", endpoint.path)
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]


def _in_query(endpoint: Endpoint, shapes: Shapes) -> list[Schema]:
    if endpoint.query is Nothing:
        return []
    hints = get_type_hints(endpoint.query, include_extras=True)
    needed = needed_of(endpoint.query)
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": shapes.of(kind)}
        for name, kind in hints.items()
    ]


def _responses(endpoint: Endpoint, shapes: Shapes) -> Schema:
    gives = resolve_name(endpoint.gives) if isinstance(endpoint.gives, str) else endpoint.gives
    schema = shapes.of(gives)
    responses: Schema = {}
    for status in endpoint.status:
        responses[str(status)] = {
            "description": phrase(status),
            "headers": _headers("RateLimit-Policy", "RateLimit"),
            "content": {endpoint.media: {"schema": schema}},
        }
    schema = shapes.of(ErrorShown)
    for status, keys in groupby(problems_of(endpoint), problems.status_of):
        examples = {key: {"$ref": f"#/components/examples/{key}"} for key in keys}
        responses[str(status)] = {
            "description": f"{phrase(status)}: {_codes(examples)}.",
            "content": {"application/json": {"schema": schema, "examples": examples}},
        }
    responses["429"]["headers"] = _headers(*HEADERS)
    return responses


def _headers(*names: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def problems_of(endpoint: Endpoint) -> list[str]:
    """The keys of every problem that an endpoint may answer with, by status."""
    takes = endpoint.raw or endpoint.body is not Nothing
    return problems.in_order(
        [
            *problems.ANY,
            *endpoint.errors,
            *(() if endpoint.by_link else ("token",)),
            *(() if endpoint.method == "GET" else problems.UNSAFE),
            *(problems.TAKES if takes else ()),
            *(() if endpoint.body is Nothing else ("json",)),
        ]
    )


def _codes(keys: Iterable[str]) -> str:
    return ", ".join(sorted({problems.shown(key).code for key in keys}))


def _examples(endpoints: Sequence[Endpoint]) -> Schema:
    """Each problem that can come from these endpoints as an example, with its sentence."""
    keys = problems.in_order(key for one in endpoints for key in problems_of(one))
    return {key: _example(problems.shown(key)) for key in keys}


def _example(one: problems.ProblemShown) -> Schema:
    error = {"code": one.code, "text": one.text, "rule": "", "remedy": one.remedy, "field": ""}
    return {"summary": one.text, "value": {"error": {**error, "overridable": False}}}


def routes(endpoints: Sequence[Endpoint], cookie: str) -> list[Route]:
    """The routes of both documents, which are generated on first use, and of their page."""

    @cache
    def documents() -> tuple[bytes, bytes]:
        return encode(document_of(endpoints, cookie)), encode(asyncapi.document())

    # No coroutines: the framework runs them in a thread, and to make the documents takes some 50
    # ms.
    def as_json(_: Request) -> Response:
        return Response(documents()[0], media_type="application/json")

    def live_as_json(_: Request) -> Response:
        return Response(documents()[1], media_type="application/json")

    def as_page(_: Request) -> Response:
        return RedirectResponse("/help/interface")

    return [
        Route("/api/openapi.json", as_json, methods=["GET"]),
        Route("/api/asyncapi.json", live_as_json, methods=["GET"]),
        Route("/api/docs", as_page, methods=["GET"]),
    ]
