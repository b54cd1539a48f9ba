"""Calls with more than five values give the rest by keyword."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "tools", "benchmarks", "docs")
MOST = 5
"""The most positional values."""
LIKE_VALUES = ("log", "partial", "pack")
"""Foreign functions with any number of values of one kind."""


def test_calls_have_five_positional_values() -> None:
    """A further value is given by keyword, unless the function takes a list of them."""
    calls, of_lists = list[tuple[str, str]](), {*LIKE_VALUES}
    for file in (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))):
        # Each tree is walked once and forgotten: all of them together are large.
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if node.args.vararg is not None:
                    of_lists.add(node.name)
            elif isinstance(node, ast.Call) and len(node.args) > MOST:
                name = ast.unparse(node.func).rpartition(".")[2]
                calls.append((name, f"{file.relative_to(ROOT)}:{node.lineno}: {name}"))
    assert [] == [where for name, where in calls if name not in of_lists]
