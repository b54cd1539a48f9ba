"""Write the page about the keys of game files, and their JSON Schema: `python -m
tools.game_files`.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from storypool.gamefile.authoring.format_schema import json_schema, key_lines, name_of
from storypool.gamefile.file_format.expressions import COUNTS
from storypool.gamefile.names import RESERVED
from tools.sentences import laid_out

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "game-file-keys.md"
SCHEMA = ROOT / "docs" / "game-file.schema.json"

HEAD = """# Every key of a game file

This page is made by `python -m tools.game_files` from `src/storypool/gamefile/file_format/schema.py`, and so is
[the JSON Schema](game-file.schema.json), by which an editor completes a file; a test holds them together.
[A game on one page](a-game-on-one-page.md) teaches the format by a game that grows.

A name that is read, in an expression or as a reference, is one of the file: a die, a symbol, points, an entry of the
sheet, a question or a term of the action, a number that is read off the dice, an option, `outcome`, or `face`.

## Expressions

Numbers, texts between single quotes, names, `+ - * /` (whole numbers, rounded down), `== != < <= > >=`, `and`, `or`,
`not`, `a if b else c`, `min(...)` and `max(...)`. And what is counted: {counts}.

These names mean something by themselves, so nothing in a file can have them:
{reserved}.
Any other key of small letters, digits and `_` can be one, up to 30 characters, beginning with a letter.
"""


def page() -> str:
    """Return the page about the keys, as Markdown."""
    counts = ", ".join(f"`{example}`" for _, example in COUNTS.values())
    reserved = ", ".join(f"`{name}`" for name in sorted(RESERVED))
    head = HEAD.replace("{counts}", counts).replace("{reserved}", reserved)
    return laid_out("\n".join([head, *_tables()]))


def _tables() -> Iterator[str]:
    for kind, lines in key_lines():
        yield f"## {name_of(kind)[0].upper()}{name_of(kind)[1:]}\n"
        yield f"{inspect.cleandoc(kind.__doc__ or '')}\n"
        yield "| key | holds | if left out | what it means | example |\n|---|---|---|---|---|"
        for line in lines:
            example = line.example.replace("|", "\\|")
            yield f"| `{line.name}` | {line.holds} | {line.default} | {line.about} | `{example}` |"
        yield ""


def schema() -> str:
    """Return the JSON Schema as text."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write both; the exit code is 0."""
    PAGE.write_text(page(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
