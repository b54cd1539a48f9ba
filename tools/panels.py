"""Write docs/panels.md from the panels of the engine: `python -m tools.panels`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from storypool.engine.game.kit import Colour, Outline, Pattern
from storypool.engine.game.panels import KINDS, Panel, binds_of
from tools.sentences import laid_out

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "panels.md"
GLYPHS = ROOT / "src" / "storypool" / "web" / "static" / "glyphs"

HEAD = """# Panels and looks

This page is made by `python -m tools.panels` from `src/storypool/engine/game/panels.py`; a test holds the two together.

A game lists in `System.panels` what the page shows of it, in order: panels, each a class with a title and what it
binds, by name, to moves, questions, traits, terms or balances. A wrong field is a type error. `words` are what a panel
calls the things that it binds. The page draws kinds and knows no game; a kind that no game binds is never drawn, and a
game without a panel still has every move, under "More".
"""


def page() -> str:
    """Return the page about panels and looks, as Markdown."""
    kinds = (line for kind in KINDS for line in _panel(kind))
    return laid_out("\n".join([HEAD, *kinds, *_looks()]) + "\n")


def _panel(kind: type[Panel]) -> Iterator[str]:
    needed = {name for name in binds_of(kind) if not hasattr(kind, name)}
    yield f"## {kind.__name__}\n"
    yield f"Kind `{kind.kind}`. {inspect.cleandoc(kind.__doc__ or '')}\n"
    yield "| bind | what it is |\n|---|---|"
    for name, about in binds_of(kind).items():
        yield f"| `{name}` | {about}{'' if name in needed else ' (may be left out)'} |"
    if kind.takes:
        yield f"| words | {kind.takes} |"
    yield ""


def _looks() -> Iterator[str]:
    yield "## Looks\n"
    yield (
        "`System.look` says how each die, symbol and account is shown (`engine/game/kit.py`). There"
        " are these:\n"
    )
    yield "| field | values |\n|---|---|"
    for name, values in (("outline", Outline), ("pattern", Pattern), ("colour", Colour)):
        yield f"| `{name}` | {', '.join(f'`{value}`' for value in get_args(values) if value)} |"
    glyphs = sorted(file.stem for file in GLYPHS.glob("*.svg") if not file.stem.startswith("die-"))
    own = "or the name of a file in the game's own `glyphs/`"
    yield f"| `glyph` | {', '.join(f'`{name}`' for name in glyphs)}, {own} |"


def main() -> int:
    """Write the page; the exit code is 0."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
