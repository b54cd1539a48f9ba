"""Write docs/names.md, the stable names of the library: `python -m tools.names`."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from storypool.web.help.names_reference import body, file_of_module, home, texts_below
from tools.sentences import laid_out

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "storypool"
PAGE = ROOT / "docs" / "names.md"
GUIDES = ("embedding", "odds", "adding-a-game", "api", "odds-tables", "fair-dice")

RULES = "storypool.engine.rules"
MODULES = (
    "storypool.play",
    "storypool.systems",
    "storypool.systems.odds_system",
    "storypool.odds",
    "storypool.odds.rerolls",
    "storypool.odds.sampling",
    "storypool.odds.question",
    "storypool.pictures.charts",
    "storypool.pictures.maps",
    "storypool.engine.decisions",
    "storypool.engine.offers",
    "storypool.engine.waiting",
    "storypool.engine.sight",
    "storypool.engine.fold",
    "storypool.engine.story",
    "storypool.engine.refusal",
    "storypool.engine.table",
    "storypool.engine.game.state",
    "storypool.engine.events",
    "storypool.engine.dice",
    "storypool.engine.bag",
    "storypool.engine.notation",
    "storypool.log.codec",
    "storypool.log.export",
    "storypool.log.verified",
    "storypool.words",
    "storypool.words.languages",
    RULES,
)
"""The public modules, in the order of the page: each lists its stable names in `__all__`, or is
`RULES`.
"""

HEAD = """# The stable names

This page is made by `python -m tools.names` from what each public module gives; a test holds them together, and
sees that each name has an example that runs. These names keep their meaning: what changes in a later version is in the
[list of changes](../CHANGELOG.md), with what to do. Every other name may go without notice. In the help, which a
server shows at `/help`, the pages after this one have their signatures and the whole of what is written about them.
"""


def page() -> str:
    """Return the page of stable names, as Markdown."""
    return laid_out("\n".join([HEAD, *(line for module in MODULES for line in _module(module))]))


def _module(dotted: str) -> Iterator[str]:
    module = import_module(dotted)
    yield f"## {dotted}\n"
    yield f"{_first(module.__doc__)}\n"
    yield "| name | what it is | example |\n|---|---|---|"
    for name in stable(dotted):
        yield f"| `{name}` | {_cell(about(dotted, name))} | {_link(example(dotted, name))} |"
    yield ""


def stable(dotted: str) -> tuple[str, ...]:
    """Return the stable names of a module: its `__all__`; of the rules, those of the modules that
    they unite.
    """
    if dotted != RULES:
        return tuple(import_module(dotted).__all__)
    found = [name for name in vars(import_module(dotted)) if not name.startswith("_")]
    return tuple(sorted(set(found) - {"annotations"}))


def about(dotted: str, name: str) -> str:
    """Return the first sentence that is written about a name where it is defined, or "" if there is
    none.
    """
    value = getattr(import_module(dotted), name)
    if (
        inspect.ismodule(value)
        or inspect.isroutine(value)
        or (inspect.isclass(value) and value.__doc__)
    ):
        return _first(value.__doc__)
    return _first(texts_below(home(dotted, name)).get(name))


def example(dotted: str, name: str) -> Path | None:
    """Return the file with an example of this name that a test runs, a guide before a docstring;
    None without one.
    """
    word = re.compile(rf"\b{name}\b")
    guides = [ROOT / "docs" / f"{guide}.md" for guide in GUIDES]
    for path in [*guides, file_of_module(dotted), home(dotted, name)]:
        if any(word.search(code) for code in _examples(path)):
            return path
    if dotted != RULES:
        return None
    of_a_game = (path for path in _games() if word.search(_code(path)))
    return next(of_a_game, None) or _elsewhere(name)


def _elsewhere(name: str) -> Path | None:
    """Return an example of a name of the rules that is a stable name of another module too."""
    others = (dotted for dotted in MODULES if dotted != RULES and name in stable(dotted))
    return next((path for dotted in others if (path := example(dotted, name))), None)


@cache
def _examples(path: Path) -> tuple[str, ...]:
    """Return the lines that a page or a module shows as examples and a test runs, with what comes
    out.
    """
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
    """Return the files of the small game of the docs, and then those of the listed games, whose
    plays run them.
    """
    small = sorted((ROOT / "docs" / "example").rglob("*.py"))
    listed = sorted((SRC / "systems").glob("*/**/*.py"))
    return (*small, *(path for path in listed if "tests" not in path.relative_to(SRC).parts))


@cache
def _code(path: Path) -> str:
    """Return a module without its imports."""
    kept = [node for node in body(path) if not isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(map(ast.unparse, kept))


def _first(text: str | None) -> str:
    """Return the first sentence of a docstring."""
    paragraph = " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.:;])\s(?=[A-Z`])", paragraph)[0].rstrip(":;")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _link(path: Path | None) -> str:
    if path is None:
        return ""
    place = path.relative_to(ROOT)
    target = f"../{place}" if place.parts[0] != "docs" else str(Path(*place.parts[1:]))
    return f"[{place.name if place.parts[0] == 'docs' else Path(*place.parts[2:])}]({target})"


def main() -> int:
    """Write the page; the exit code is 0."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
