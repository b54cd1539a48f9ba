"""The page about the keys of game files, made from their schema."""

import inspect
from collections.abc import Iterator

from storypool.gamefile.authoring.format_schema import key_lines, name_of
from storypool.gamefile.file_format.expressions import COUNTS
from storypool.gamefile.names import RESERVED

HEAD = """# Every key of a game file

[A game on one page](docs/a-game-on-one-page.md) teaches the format by a game that grows.
With [the JSON Schema](docs/game-file.schema.json) an editor completes a file.

A name in an expression or a reference is one of the file: a die, a symbol, points, an entry of the
sheet, a question or a term of the action, a number read off the dice, an option, `outcome`, or
`face`.
In a file with several actions, `action` is the key of the open one.

## Expressions

Numbers, texts between single quotes, names, `+ - * /` (whole numbers, rounded down),
`== != < <= > >=`, `and`, `or`, `not`, `a if b else c`, `min(...)` and `max(...)`.
And counts: {counts}.

These names have a meaning of their own, so nothing in a file can have them:
{reserved}.
Any other key of small letters, digits and `_` can be a name, up to 30 characters, beginning with
a letter.
"""


def game_file_page() -> str:
    """The page as Markdown."""
    counts = ", ".join(f"`{example}`" for _, example in COUNTS.values())
    reserved = ", ".join(f"`{name}`" for name in sorted(RESERVED))
    head = HEAD.replace("{counts}", counts).replace("{reserved}", reserved)
    return "\n".join([head, *_tables()])


def _tables() -> Iterator[str]:
    for kind, lines in key_lines():
        yield f"## {name_of(kind)[0].upper()}{name_of(kind)[1:]}\n"
        yield f"{inspect.cleandoc(kind.__doc__ or '')}\n"
        yield "| key | holds | if left out | what it means | example |\n|---|---|---|---|---|"
        for line in lines:
            example = line.example.replace("|", "\\|")
            yield f"| `{line.name}` | {line.holds} | {line.default} | {line.about} | `{example}` |"
        yield ""
