"""The library that a program imports: one namespace, imported on first use, and one exception."""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import storypool
from storypool import StorypoolError
from tests.batched_cases import together
from tests.test_layers import ROOMS, modules, names, tree

DOCS = Path(__file__).parent.parent / "docs"
LIBRARY = (*ROOMS[: ROOMS.index("contract") + 1], "lab")
"""The rooms whose functions a program calls."""
NOT_RAISED_TO_USERS = {
    "engine.copies": "a field that the engine itself names wrongly",
    "engine.fold": "folding imports no words (law 2): a `ValueError`, as its docstrings say",
    "lab.policies": "the next line catches it and names the file",
    "log.kinds": "the codec catches it and names the event",
}
"""Modules that raise other exceptions, with the reason."""
SERVER = ("apsw", "click", "markdown_it", "rich", "segno", "starlette", "uvicorn", "websockets")


def run(code: str) -> str:
    """The output of code in a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout.strip()


def test_namespace_has_one_definition() -> None:
    """`__all__`, the imports for type checkers and the modules of the names agree."""
    [block] = [node for node in tree("").body if "TYPE_CHECKING" in ast.dump(node) and _is_if(node)]
    imported = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    listed = {
        f"{module}.{name}" for module, texts in storypool._MODULES.items() for name in texts.split()
    }
    parts = {home for home in storypool._PARTS.values() if home != "storypool.odds"}
    assert imported == listed | parts
    assert storypool.__all__ == sorted(storypool.__all__)
    assert sorted(storypool.__all__) == sorted(
        {one.rpartition(".")[2] for one in imported} | storypool._PARTS.keys()
    )


def _is_if(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name)


@together(storypool.__all__)
def test_name_is_that_of_its_module(name: str) -> None:
    """Each name is the object of its module, and `dir` lists it."""
    assert name in dir(storypool)
    found = getattr(storypool, name)
    homes = [home for home, texts in storypool._MODULES.items() if name in texts.split()]
    if name in storypool._PARTS:
        assert found is import_module(storypool._PARTS[name])
    else:
        assert found is getattr(import_module(homes[0]), name)


def test_import_alone_imports_nothing() -> None:
    """`import storypool` brings one module, odds bring no table, and all names bring no server."""
    begin = "import sys; before = set(sys.modules); import storypool"
    assert "{'storypool'}" == run(f"{begin}; print(set(sys.modules) - before)")
    odds = run(f"{begin}; storypool.odds(storypool.d(6)); print(*sys.modules)").split()
    assert "storypool.odds.distribution" in odds
    assert set() == foreign(odds)
    assert [] == [one for one in odds if one.startswith(("storypool.engine.game", "storypool.log"))]
    every = run(
        f"{begin}; [getattr(storypool, one) for one in storypool.__all__]; print(*sys.modules)"
    )
    assert "storypool.play.local" in every.split()
    # The log's codec is msgspec, which imports typing_extensions where it is installed.
    assert foreign(every.split()) <= {"msgspec", "typing_extensions"}
    assert [] == [
        one for one in every.split() if one.startswith(("storypool.web", "storypool.cli"))
    ]


def foreign(modules: list[str]) -> set[str]:
    """The packages of others among these modules, but for those that Python begins with."""
    own = {*sys.stdlib_module_names, "storypool"}
    loaded = {one.split(".")[0] for one in run("import sys; print(*sys.modules)").split()}
    return {one.split(".")[0] for one in modules} - own - loaded


def test_one_command_brings_the_server() -> None:
    """Nobody needs an extra for it, and a program imports none of it: docs/architecture.md."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {
        re.split(r"[\[>]", one)[0].replace("-py", "").replace("-", "_")
        for one in project["dependencies"]
    }
    assert {*SERVER, "msgspec"} <= needed
    assert {"client", "discord", "metrics", "pictures", "postgres", "sampling"} == project[
        "optional-dependencies"
    ].keys()


@pytest.mark.parametrize(
    "begin", ["import storypool.odds", "from storypool.odds import d", "import storypool"]
)
def test_odds_is_function_and_package(begin: str) -> None:
    """`odds` can be called whatever was imported before, and its modules are found in it."""
    code = f"{begin}\nfrom storypool import d, ge, odds\nprint(odds(3 @ d(6)).p(ge(11)), end=' ')\n"
    assert "1/2 storypool.odds" == run(
        f"{code}import storypool.odds as o; print(o.keep and o.__name__)"
    )


def test_numbered_rolls_have_names() -> None:
    """`d6` is the roll of `d(6)`, and so for any number; type checkers know the usual ones."""
    assert storypool.odds(storypool.d(6)) == storypool.d6
    assert storypool.d6 is storypool.d6
    assert 4 == getattr(storypool, "d7").mean()  # noqa: B009  # no type checker knows it
    blocks = [node.body for node in tree("").body if isinstance(node, ast.If)]
    [usual] = [node for node in blocks[0] if isinstance(node, ast.Assign)]
    assert "d4 d6 d8 d10 d12 d20 d100" == " ".join(map(ast.unparse, usual.targets))


@pytest.mark.parametrize("name", ["dice", "d0", "d06", "d100000", "d6x", "d٣"])
def test_unknown_name_is_refused(name: str) -> None:
    """Another name is an `AttributeError`, as of any module."""
    with pytest.raises(AttributeError, match=f"'storypool' has no attribute '{name}'"):
        getattr(storypool, name)


OTHERS = {
    "odds": ["from storypool.odds import sampling"],
    "embedding": ["from storypool.engine import rules as r"],
}
"""Further imports of pages: the module that needs numpy, and the namespace of rules."""


@pytest.mark.parametrize(
    "page", ["programmers", "odds", "odds-cookbook", "embedding", "designers", "../README"]
)
def test_docs_import_the_namespace(page: str) -> None:
    """The pages import from `storypool` alone."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    lines = [line.strip(" >") for line in text.splitlines() if "import " in line]
    ours = [line for line in lines if line.startswith(("from storypool", "import storypool"))]
    others = [line for line in ours if not line.startswith("from storypool import ")]
    assert others == OTHERS.get(page, [])


# One base of all exceptions.


def _exceptions(name: str) -> Iterator[tuple[str, list[str]]]:
    """The public exceptions that a module makes of ours or the standard library's, with bases."""
    for node in tree(name).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            bases = [ast.unparse(base) for base in node.bases]
            kinds = [getattr(builtins, base, object) for base in bases]
            if "StorypoolError" in bases or any(issubclass(one, BaseException) for one in kinds):
                yield node.name, bases


def test_exceptions_have_one_base() -> None:
    """Each public exception of the package is a `StorypoolError`, with any other base after it."""
    found = {name: bases for module in names() for name, bases in _exceptions(module)}
    assert {"Refused", "PlayError", "Misused", "UnknownAxis", "TooManyDice", "BadFile"} <= {*found}
    assert {"StorypoolError"} == {name for name, of in found.items() if of[0] != "StorypoolError"}


@together(names(*LIBRARY))
def test_users_get_only_our_exceptions(name: str) -> None:
    """No module that a program calls raises an exception of the standard library itself."""
    raised = [
        f"{node.lineno}: {node.exc.func.id}"
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
        and isinstance(getattr(builtins, node.exc.func.id, None), type)
    ]
    # A mapping without a key raises what mappings raise.
    inside = [one for one in raised if not one.endswith(("KeyError", "AttributeError"))]
    assert bool(inside) == (name in NOT_RAISED_TO_USERS), inside


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("get('chess')", LookupError),
        ("odds('3d6')", TypeError),
        ("d(0)", ValueError),
        ("parse('3x6')", ValueError),
        ("odds(d(6)).p(hits=1)", LookupError),
        ("odds({d(6): -1})", ValueError),
        ("odds(d(6)).given(7)", ValueError),
        ("Axes(['hit']).net({'miss': 1})", KeyError),
        ("perform('table chess')", Exception),
        ("get('dune').notation.parse('2q')", ValueError),
        ("LocalTable('chess')", LookupError),
        ("LocalTable(7)", TypeError),
        ("LocalTable.read([], get, None)", ValueError),
        ("load('no such file')", ValueError),
        ("load(7)", TypeError),
        ("LocalTable(get('dune'), None).make('ann', 'table.say')", Exception),
        ("LocalTable(get('dune'), None).seen('ann')", Exception),
        ("LocalTable(get('dune'), None).log('ann')", Exception),
    ],
)
def test_error_is_a_sentence(code: str, kinds: type[Exception]) -> None:
    """What a program gets is a `StorypoolError`, of its kind, and one sentence or two."""
    space = {name: getattr(storypool, name) for name in storypool.__all__}
    with pytest.raises(StorypoolError) as caught:
        eval(code, space)
    assert isinstance(caught.value, kinds)
    assert str(caught.value).endswith(".")


def test_package_is_typed() -> None:
    """Type checkers read the package's own types."""
    assert (modules()[""].parent / "py.typed").is_file()
