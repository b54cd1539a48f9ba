"""Write down what a version promises: `python -m tools.released 0.2.0`, which a release runs.

`tests/released/VERSION.json` lists its routes, kinds of events, stable names, and the keys of game
files. A later version has all of it, or has announced in docs/upgrades.md what is gone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from storypool.gamefile.authoring.format_schema import json_schema
from storypool.log import codec
from storypool.web.app import ENDPOINTS
from tools import forms, names

FOLDER = names.ROOT / "tests" / "released"
STORED = (
    "What is stored has more fields or events than were written down. Where a version was released"
    " with the form of now, add a step to MIGRATIONS, which may be empty, in log/disk/database.py"
    " and log/shared/relations.py. Then run 'python -m tools.forms', add a golden log to tests/logs"
    " that holds what is new, and commit that."
)


def public() -> dict[str, list[str]]:
    """The promises, by kind: each as the text that announces its end."""
    found = {
        "routes": (f"{one.method} {one.path}" for one in ENDPOINTS),
        "events": iter(codec.EVENTS),
        "names": (
            f"{module}.{name}"
            for module in (*names.MODULES, *names.HOMES)
            for name in names.stable(module)
        ),
        "game files": _fields({"": json_schema(), **json_schema()["$defs"]}),
    }
    return {kind: sorted(set(texts)) for kind, texts in found.items()}


def _fields(schemas: dict[str, dict[str, object]]) -> Iterator[str]:
    for name, schema in schemas.items():
        properties = schema.get("properties")
        for key in properties if isinstance(properties, dict) else ():
            yield f"{name}.{key}".removeprefix(".")


def main(arguments: list[str]) -> int:
    """Write down the promises of this version."""
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
