"""Write down what a version gives to others: `python -m tools.released 0.2.0`, which a release does
by itself.

`tests/released/VERSION.json` lists its routes and their fields, its stable names, the commands with
their options, the moves of each game with what they ask, and the keys of game files. A later
version has all of it, or has announced in docs/upgrades.md what is gone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from storypool import systems
from storypool.cli.group import storypool
from storypool.gamefile.authoring.format_schema import json_schema
from storypool.web.app import ENDPOINTS
from storypool.web.interface.openapi import document_of
from tools import forms, names

FOLDER = names.ROOT / "tests" / "released"
STORED = (
    "What is stored has more fields or events than were written down. Where a version was released"
    " with the form of now, add a step to MIGRATIONS, which may be empty, in log/disk/database.py"
    " and log/shared/relations.py. Then run 'python -m tools.forms', add a golden log to tests/logs"
    " that holds what is new, and commit that."
)


def public() -> dict[str, list[str]]:
    """Return what others can rely on, by kind: each as the text by which it is announced when it is
    to go.
    """
    found = {
        "routes": (f"{one.method} {one.path}" for one in ENDPOINTS),
        "fields": _fields(document_of(ENDPOINTS)["components"]["schemas"]),
        "names": (f"{module}.{name}" for module in names.MODULES for name in names.stable(module)),
        "options": _options(storypool, click.Context(storypool), ""),
        "moves": _moves(),
        "game files": _fields({"": json_schema(), **json_schema()["$defs"]}),
    }
    return {kind: sorted(set(texts)) for kind, texts in found.items()}


def _fields(schemas: dict[str, dict[str, object]]) -> Iterator[str]:
    for name, schema in schemas.items():
        properties = schema.get("properties")
        for key in properties if isinstance(properties, dict) else ():
            yield f"{name}.{key}".removeprefix(".")


def _options(command: click.Command, context: click.Context, path: str) -> Iterator[str]:
    if path:
        yield path
    for param in command.params if path else ():
        yield from (
            f"{path} {option}"
            for option in (*param.opts, *param.secondary_opts)
            if option.startswith("--")
        )
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _options(found, context, f"{path} {name}".strip())


def _moves() -> Iterator[str]:
    for key in systems.names():
        for move in systems.get(key).by_key.values():
            yield f"{key} {move.key}"
            yield from (f"{key} {move.key} {ask.name}=" for ask in move.asks)


def main(arguments: list[str]) -> int:
    """Write down what the version of this name gives; 1 where its form was not written down."""
    if forms.forms() != forms.written_forms():
        print(STORED, file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    lines = (f'"{kind}": [\n{_lines(texts)}\n]' for kind, texts in public().items())
    (FOLDER / f"{arguments[0]}.json").write_text(
        "{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8"
    )
    return 0


def _lines(texts: list[str]) -> str:
    return ",\n".join(f" {json.dumps(text)}" for text in texts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
