"""Fill docs/adding-a-game.md with the code of the example game: `python -m tools.example`."""

from __future__ import annotations

import ast
import itertools
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "adding-a-game.md"
EXAMPLE = ROOT / "docs" / "example"
KINDS = {".py": "python", ".toml": "toml", ".json": "json", ".play": ""}

BLOCK = re.compile(
    r"(?m)^<!-- (?P<file>[\w./-]+)(?:: (?P<names>[^>]+?))? -->\n(?:```\w*\n.*?^```\n)?", re.DOTALL
)
"""A mark that names a file, or definitions in it, with the block below it if there is one."""


def page(text: str) -> str:
    """The page with the present contents of the files in its marked blocks."""
    return BLOCK.sub(
        lambda mark: f"{mark.group().splitlines()[0]}\n{_block(mark['file'], mark['names'])}", text
    )


def _block(file: str, names: str | None) -> str:
    path = EXAMPLE / file
    source = path.read_text(encoding="utf-8")
    if names is not None:
        source = (
            _section(source, names)
            if path.suffix == ".toml"
            else _apart(_definitions(source, names.split()))
        )
    return f"```{KINDS[path.suffix]}\n{source.strip()}\n```\n"


def _section(source: str, names: str) -> str:
    """The text of a section of a TOML file."""
    found = [part for part in source.split("\n\n") if part.startswith(f"[{names}")]
    assert found, f"no section {names}"
    tomllib.loads(found[0])
    return found[0]


def _definitions(source: str, names: list[str]) -> list[str]:
    """The source of these functions and constants, with decorators and docstrings."""
    lines = source.splitlines()
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        start = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]) - 1
        while start and lines[start - 1].startswith("#"):
            start -= 1
        for name in named(node):
            found[name] = "\n".join(lines[start : node.end_lineno])
    return [found[name] for name in names]


def _apart(parts: list[str]) -> str:
    """Join definitions, with two blank lines around each of several lines."""
    text = parts[0]
    for before, part in itertools.pairwise(parts):
        text += ("\n\n\n" if "\n" in before or "\n" in part else "\n") + part
    return text


def named(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    return [target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)]


def main() -> int:
    """Fill the page; the exit code is 0."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
