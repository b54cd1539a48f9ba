"""The page about panels and looks, made from the panels of the engine."""

import inspect
from collections.abc import Iterator
from typing import get_args

from storypool.engine import rules as rules  # It has every kind of panel.
from storypool.engine.game.kit import Colour, Outline, Pattern
from storypool.engine.game.panels import KINDS, Panel, binds_of
from storypool.web.server_settings import STATIC

HEAD = """# Panels and looks

A game lists its panels in `System.panels`, in the order of the page.
A panel is a class with a title and fields that bind it, by name, to moves, questions, traits, \
terms or balances.
A wrong field is a type error.
`words` name the things that a panel binds.
The page draws kinds and knows no game.
A game without a panel still has every move, under "More".
"""


def panels_page() -> str:
    """The page as Markdown."""
    kinds = (line for kind in KINDS for line in _panel(kind))
    return "\n".join([HEAD, *kinds, *_looks()]) + "\n"


def _panel(kind: type[Panel]) -> Iterator[str]:
    needed = {name for name in binds_of(kind) if not hasattr(kind, name)}
    yield f"## {kind.__name__}\n"
    yield f"Kind `{kind.kind}`. {inspect.cleandoc(kind.__doc__ or '')}\n"
    yield "| bind | what it is |\n|---|---|"
    for name, about in binds_of(kind).items():
        optional = "" if name in needed else " (optional)"
        yield f"| `{name}` | {about}{optional} |"
    if kind.takes:
        yield f"| words | {kind.takes} |"
    yield ""


def _looks() -> Iterator[str]:
    yield "## Looks\n"
    yield "`System.look` says how each die, symbol and account is shown (`engine/game/kit.py`).\n"
    yield "| field | values |\n|---|---|"
    for name, values in (("outline", Outline), ("pattern", Pattern), ("colour", Colour)):
        yield f"| `{name}` | {', '.join(f'`{value}`' for value in get_args(values) if value)} |"
    files = sorted(file.stem for file in (STATIC / "glyphs").glob("*.svg"))
    glyphs = ", ".join(f"`{name}`" for name in files if not name.startswith("die-"))
    yield f"| `glyph` | {glyphs}, or the name of a file in the game's own `glyphs/` |"
