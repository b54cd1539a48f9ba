"""The reference of names of the library: signatures and docstrings, read from the source."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path

from storypool.web.help.contents import PACKAGE

BLANK = "\n\n"
LONG = 88
SELF = re.compile(r"^(self|cls)(, /)?(, |$)")
PLAIN = re.compile(r"(`[^`]*`)|([*_<\[\]])")


def names_page(title: str, modules: Mapping[str, Sequence[str]]) -> str:
    """The page of some modules and their names, as Markdown; `title` is its beginning."""
    lines = (line for module, names in modules.items() for line in _module(module, names))
    return "\n".join([title, *lines])


def _module(module: str, names: Sequence[str]) -> Iterator[str]:
    yield f"## {module}\n"
    yield from _markdown(ast.get_docstring(_tree(file_of_module(module))) or "")
    for name in names:
        yield f"### {name}\n"
        yield from _name(home(module, name), name)


def _name(path: Path, name: str) -> Iterator[str]:
    defined = (
        one for one in reversed(body(path)) if isinstance(one, ast.ClassDef | ast.FunctionDef)
    )
    node = next((one for one in defined if one.name == name), None)
    if node is None:
        yield from _markdown(texts_below(path).get(name) or ast.get_docstring(_tree(path)) or "")
        return
    kind = "class" if isinstance(node, ast.ClassDef) else "def"
    yield f"```python\n{_broken(f'{kind} {name}{_signature(node)}')}\n```\n"
    yield from _markdown(ast.get_docstring(node) or "")
    methods = (
        one
        for one in node.body
        if isinstance(one, ast.FunctionDef) and isinstance(node, ast.ClassDef)
    )
    for one in methods:
        if not one.name.startswith("_") and (text := ast.get_docstring(one)):
            is_read = any("property" in ast.unparse(each) for each in one.decorator_list)
            call = one.name if is_read else f"{one.name}{_signature(one)}"
            yield f"- `{call}`: {_plain(' '.join(text.partition(BLANK)[0].split()))}"
    yield ""


def _signature(node: ast.ClassDef | ast.FunctionDef) -> str:
    """The signature of a call: of a class its fields, or its bases."""
    if isinstance(node, ast.FunctionDef):
        gives = (
            f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
        )
        return f"({SELF.sub('', ast.unparse(node.args))}){gives}"
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            return _signature(one)
    fields = [ast.unparse(one) for one in node.body if isinstance(one, ast.AnnAssign)]
    fields = [one for one in fields if not one.startswith("_")]
    return f"({', '.join(fields or map(ast.unparse, node.bases))})"


def _broken(text: str) -> str:
    """A signature; a long one has each argument on its own line."""
    depth, parts = 0, [""]
    for letter in text if len(text) > LONG else "":
        depth += (letter in "([{") - (letter in ")]}")
        parts[-1] += letter
        if depth == 1 and letter in "(,":
            parts.append("")
    return "\n    ".join(part.strip() for part in parts) if len(text) > LONG else text


def _markdown(text: str) -> Iterator[str]:
    """The paragraphs of a docstring as Markdown; examples and indented text become code."""
    for part in inspect.cleandoc(text).split(BLANK):
        if part.startswith((">>>", "    ")):
            yield f"```python\n{inspect.cleandoc(part)}\n```\n"
        else:
            yield f"{_plain(part)}\n"


def _plain(text: str) -> str:
    """A text without marks, except between backticks."""
    return PLAIN.sub(lambda found: found[1] or f"\\{found[2]}", text)


def file_of_module(dotted: str) -> Path:
    """The file of a module of this package."""
    place = PACKAGE.joinpath(*dotted.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def home(dotted: str, name: str) -> Path:
    """The file that defines a name, which a module may import, or be."""
    path = file_of_module(dotted)
    for node in _imports(path):
        given = {one.name for one in node.names}
        if name in given and (inside := file_of_module(f"{node.module}.{name}")).is_file():
            return inside
        if name in given or ("*" in given and name in import_module(node.module or "").__all__):
            return home(node.module or "", name)
    return path


def _imports(path: Path) -> Iterator[ast.ImportFrom]:
    """The imports of names at the top of a module, including those for types."""
    for node in body(path):
        for one in node.body if isinstance(node, ast.If) else (node,):
            if isinstance(one, ast.ImportFrom) and one.module:
                yield one


@cache
def texts_below(path: Path) -> dict[str, str]:
    """The text below each assignment of a module, by name."""
    found = dict[str, str]()
    for node, below in pairwise(body(path)):
        match node:
            case ast.Assign(targets=targets):
                pass
            case ast.AnnAssign(target=target):
                targets = [target]
            case _:
                continue
        if (
            isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found |= {one.id: below.value.value for one in targets if isinstance(one, ast.Name)}
    return found


def body(path: Path) -> list[ast.stmt]:
    """The statements of a module."""
    return _tree(path).body


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
