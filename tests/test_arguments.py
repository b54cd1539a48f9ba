"""A call with more than five values says which is which: the ones beyond are given by keyword."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "tools", "benchmarks", "docs")
MOST = 5
"""The most values that are given by place alone."""
LIKE_VALUES = ("log", "partial", "pack")
"""Functions of others that take any number of values of one kind."""


@cache
def trees() -> dict[Path, ast.Module]:
    """Every file of Python, parsed."""
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, methods and nested ones among them."""
    return (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def takes_a_list(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function takes any number of values."""
    return function.args.vararg is not None


def test_no_call_has_more_than_five_values_by_place() -> None:
    """A value beyond the fifth is given by keyword, unless the function takes a list of them."""
    of_lists = {
        one.name for tree in trees().values() for one in functions(tree) if takes_a_list(one)
    }
    found = []
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or len(node.args) <= MOST:
                continue
            name = ast.unparse(node.func).rpartition(".")[2]
            if name not in of_lists and name not in LIKE_VALUES:
                found.append(f"{file.relative_to(ROOT)}:{node.lineno}: {name}")
    assert [] == found
