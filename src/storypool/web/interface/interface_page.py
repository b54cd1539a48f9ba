"""The help page about every route, shape and refusal, as Markdown from the OpenAPI document."""

import json
from urllib.parse import urlencode

from storypool.web.interface import problems
from storypool.web.interface.openapi import content_of
from storypool.web.interface.schemas import Schema

HEAD = """# The routes and shapes of the server

What can be asked of a server, and what it answers; [the server's interface](docs/api.md) explains
it. This page is made from the document that a server gives at `/api/openapi.json`.
"""


def text_of(document: Schema) -> str:
    """The document as Markdown: each route with its description, and each shape with its fields."""
    operations = [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    common = set[str].intersection(*(_refusals_of(one) for _, one in operations))
    routes = (
        f"### `{name}`\n\n{operation['summary']} {operation.get('description', '')}\n\n"
        f"{_body_of(operation)}{_answers_of(operation, common)}\n\n{_example_of(name, operation)}"
        for name, operation in operations
    )
    shapes = (
        f"### {name}\n\n{schema['description']}\n\n{_fields_of(schema)}\n"
        for name, schema in document["components"]["schemas"].items()
    )
    refusals = [
        f"- {one.status} `{one.code}`: {one.text} {one.remedy}".rstrip()
        for one in map(problems.shown, document["components"]["examples"])
    ]
    parts = [
        *(
            "## Routes\n",
            f"Any request may be refused with {', '.join(sorted(common))}.\n",
            *routes,
        ),
        *("## Refusals\n", *refusals, ""),
        *("## Shapes\n", *shapes),
    ]
    return "\n".join([HEAD, *parts])


def _refusals_of(operation: Schema) -> set[str]:
    """The statuses and codes of the refusals of a route."""
    refused = {
        status: one["description"].partition(": ")[2].rstrip(".").split(", ")
        for status, one in operation["responses"].items()
        if int(status) >= 400
    }
    return {f"{status} `{code}`" for status, codes in refused.items() for code in codes}


def _answers_of(operation: Schema, common: set[str]) -> str:
    """The successful statuses, and the refusals that not every route has."""
    given = ", ".join(status for status in operation["responses"] if int(status) < 400)
    own = sorted(_refusals_of(operation) - common)
    return f"Answers: {given}." + (f" [Refusals](#refusals): {', '.join(own)}." if own else "")


def _example_of(name: str, operation: Schema) -> str:
    """The example of a route as it is sent and answered."""
    parameters, query = operation["parameters"], []
    for one in parameters:
        if one["in"] == "path":
            name = name.replace(f"{{{one['name']}}}", one["example"])
        elif "example" in one:
            query.append((one["name"], one["example"]))
    sent = content_of(operation["requestBody"])["example"] if "requestBody" in operation else ""
    address = f"{name}?{urlencode(query)}" if query else name
    request = "\n".join(filter(None, (address, _written(sent))))
    for status, one in operation["responses"].items():
        if "example" in (content := content_of(one)):
            return f"```\n{request}\n\n{status}\n{_written(content['example'])}\n```\n"
    return ""


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _body_of(operation: Schema) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    refs = [media["schema"].get("$ref", "") for media in content.values()]
    name = "".join(refs).rpartition("/")[2]
    return f"Takes: [{name}](#{name.lower()}).\n\n" if name else ""


def _fields_of(schema: Schema) -> str:
    lines = []
    for name in schema["properties"]:
        optional = "" if name in schema.get("required", ()) else " (may be left out)"
        lines.append(f"- `{name}`{optional}\n")
    return "".join(lines)
