"""The names that others can rely on, and the pages that `dev.py docs` makes of them."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path

from tools.names_reference import body, file_of_module, home, names_page, texts_below

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "storypool"
GUIDES = ("embedding", "odds", "adding-a-game", "api", "odds-tables", "fair-dice")

RULES = "storypool.engine.rules"
MODULES = ("storypool", "storypool.odds.rerolls", "storypool.odds.sampling")
"""The modules with stable names, which each lists in `__all__`, in the order of the page."""

HOMES = (
    "storypool.play",
    "storypool.systems",
    "storypool.odds",
    "storypool.engine.refusal",
    "storypool.log.export",
)
"""Modules whose `__all__` programs imported from before `storypool` had these names."""

STABLE = """# The stable names

These names keep their meaning ([how long](docs/upgrades.md)).
An object that they take or return keeps what the guides show of it.
Every other name may change with any version.
"""
OF_RULES = """# The names for rules

What the rules of a game are written with: `from storypool.engine import rules as r`.
A game of another package has them as long as `ENGINE` is the same ([how long](docs/upgrades.md)).
"""


def stable_page() -> str:
    """The page of stable names, as Markdown."""
    return names_page(STABLE, {module: stable(module) for module in MODULES})


def rules_page() -> str:
    """The page of the names for rules, as Markdown."""
    return names_page(OF_RULES, {RULES: stable(RULES)})


def stable(dotted: str) -> tuple[str, ...]:
    """The stable names of a module: its `__all__`; of the rules, all names that they unite."""
    if dotted != RULES:
        return tuple(import_module(dotted).__all__)
    found = [name for name in vars(import_module(dotted)) if not name.startswith("_")]
    return tuple(sorted(set(found) - {"annotations"}))


def about(dotted: str, name: str) -> str:
    """The first sentence about a name where it is defined, or ""."""
    value = getattr(import_module(dotted), name)
    if (
        inspect.ismodule(value)
        or inspect.isroutine(value)
        or (inspect.isclass(value) and value.__doc__)
    ):
        return _first(value.__doc__)
    return _first(texts_below(home(dotted, name)).get(name))


def example(dotted: str, name: str) -> Path | None:
    """The file with a tested example of this name, a guide before a docstring; None without one."""
    word = re.compile(rf"\b{name}\b")
    guides = [ROOT / "docs" / f"{guide}.md" for guide in GUIDES]
    for path in [*guides, file_of_module(dotted), home(dotted, name)]:
        if any(word.search(code) for code in _examples(path)):
            return path
    if dotted != RULES:
        return None
    of_a_game = (path for path in _games() if word.search(_code(path)))
    return next(of_a_game, None)


@cache
def _examples(path: Path) -> tuple[str, ...]:
    """The lines of tested examples in a page or a module, with their output."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
        return tuple(text.splitlines())
    return tuple(
        line
        for block in re.findall(r"^ *>>> .*?(?=\n\s*\n|\"{3})", text, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
    )


@cache
def _games() -> tuple[Path, ...]:
    """The files of the small game of the docs, then those of the games here, run by their plays."""
    small = sorted((ROOT / "docs" / "example").rglob("*.py"))
    listed = sorted((SRC / "systems").glob("*/**/*.py"))
    return (*small, *(path for path in listed if "tests" not in path.relative_to(SRC).parts))


@cache
def _code(path: Path) -> str:
    """The source of a module without its imports."""
    kept = [node for node in body(path) if not isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(map(ast.unparse, kept))


def _first(text: str | None) -> str:
    """The first sentence of a docstring."""
    paragraph = " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.:;])\s(?=[A-Z`])", paragraph)[0].rstrip(":;")
