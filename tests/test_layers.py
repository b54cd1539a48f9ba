"""The dependency rule of docs/architecture.md: which room may know which, read from the source without running it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "storypool"

CORE = {
    "bag": set(),
    "refusal": set(),
    "words": set(),
    "notation": {"bag", "words"},
    "dice": {"bag"},
    "table": {"bag", "dice"},
    "asks": {"bag", "notation", "refusal", "table"},
    "system": {"asks", "bag", "dice", "notation", "refusal", "table", "words"},
    "turn": {"bag", "dice", "refusal", "system", "table"},
    "rules": {"asks", "bag", "refusal", "system", "table", "turn"},
    "house": {"asks", "bag", "refusal", "rules", "system", "table", "words"},
    "catalogue": {"asks", "system", "words"},
    "story": {"bag", "dice", "rules", "system", "table", "words"},
}
"""The rooms that know no game, each with those that it may import."""

PURE = {*CORE, "economy"}
ABOVE = {
    "economy": PURE,
    "systems": {*PURE, "odds", "pictures"},
    "odds": {"bag", "dice", "words"},
    "pictures": {"bag", "odds", "words"},
    "log": {"bag", "dice", "table", "words"},
    "play": {*PURE, "log", "systems"},
    "warm": {*PURE, "log"},
    "live": {*PURE, "log", "warm", "systems"},
    "demo": {*PURE, "log", "live", "systems", "play"},
    "web": {*PURE, "log", "live", "warm", "systems", "odds", "pictures", "demo"},
    "bot": {*PURE, "log", "live", "systems", "odds", "pictures"},
    "cli": {*PURE, "log", "live", "warm", "systems", "odds", "pictures", "play", "web", "demo", "bot"},
}
"""The rooms above them, each with those that it may import besides itself."""

WORTH = "odds.worth"
"""The one module of `odds` that may draw on the rules: what an offer is worth."""

STANDARD_ONLY = {*CORE, "economy", "systems", "odds", "pictures"}
SAMPLING = "odds.sampling"
"""The one module that may import numpy, and that nothing imports but where it is asked for."""

GAMES = (
    "star ?wars|genesys|destiny|dune|c2d10|momentum|determination|villain|hope|triumph|despair|advantage|threat"
    "|ability|proficiency|setback|boost|challenge|strain|jedi|fate"
)


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name without the package's own."""
    found = {}
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imports(name: str) -> tuple[tuple[str, bool], ...]:
    """What a module imports, by dotted name, and whether only for its types."""
    return tuple(_imports(ast.parse(modules()[name].read_text(encoding="utf-8")), False))


def _imports(node: ast.AST, typing: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, typing) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are written in full"
            assert child.module is not None
            for alias in child.names:
                whole = f"{child.module}.{alias.name}"
                yield (whole if whole.removeprefix("storypool.") in modules() else child.module), typing
        else:
            asks = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
            yield from _imports(child, typing or asks)


def rooms(name: str, types: bool = False) -> set[str]:
    """The rooms of the package that a module imports, those it needs only for types if asked."""
    found = set()
    for target, typing in imports(name):
        if target.startswith("storypool.") and (types or not typing):
            found.add(target.split(".")[1])
    return found


def room(name: str) -> str:
    """The room that a module belongs to."""
    return name.split(".")[0]


def names() -> list[str]:
    """Every module but the package itself."""
    return [name for name in modules() if name]


def test_every_module_has_a_room() -> None:
    """No module stands outside the plan: a new room is first given its place in it."""
    assert set() == {room(name) for name in names()} - {*CORE, *ABOVE, "__main__"}


@pytest.mark.parametrize("name", names())
def test_module_imports_only_rooms_below(name: str) -> None:
    """A module imports its own room and those that the plan puts below it."""
    may = {**CORE, **ABOVE, "__main__": {"cli"}}[room(name)] | {room(name)}
    if name == WORTH:
        may |= PURE
    assert set() == rooms(name) - may


@pytest.mark.parametrize("name", [name for name in names() if room(name) in STANDARD_ONLY and name != SAMPLING])
def test_core_imports_only_the_standard_library(name: str) -> None:
    """From bag to the systems, odds included, nothing is imported that has to be installed."""
    outside = {target.split(".")[0] for target, _ in imports(name)} - {"storypool", "__future__"}
    assert set() == outside - set(sys.stdlib_module_names)


def test_rooms_need_types_only_from_below_too() -> None:
    """What a core room names in its types is below it as well, but for the turn that a row's sentence is given."""
    upward = {
        (name, other)
        for name in CORE
        for module in names()
        if room(module) == name
        for other in rooms(module, types=True) - CORE[name] - {name}
    }
    assert {("asks", "turn"), ("system", "turn")} == upward


@pytest.mark.parametrize("name", [name for name in names() if room(name) == "systems" and name.count(".")])
def test_systems_never_import_each_other(name: str) -> None:
    """A game imports its own package and the rooms of families, never another game; a family imports no game."""
    from storypool import systems

    games = set(systems.names())
    own = name.split(".")[1]
    others = {
        target.split(".")[2]
        for target, _ in imports(name)
        if target.startswith("storypool.systems.") and target.count(".") > 1
    } - {own}
    assert set() == others & games


def test_nothing_below_knows_the_systems() -> None:
    """The core finds no game: only what stands above the systems imports them."""
    knowing = {room(name) for name in names() if "systems" in rooms(name)}
    assert set() == knowing & {*PURE, "odds", "pictures", "log"}


@pytest.mark.parametrize("name", [name for name in names() if room(name) in {*PURE, "log", "live"}])
def test_core_names_no_game(name: str) -> None:
    """No room that serves every game has a word of one in its code, its comments or its sentences."""
    text = modules()[name].read_text(encoding="utf-8")
    if name in ("bag", "dice", "notation", "economy"):
        # Their examples are dice that players know, and one names the section it comes from; their code names none.
        text = without_docstrings(text)
    # An f-string and a comment are text too, so the source is searched and not its names alone.
    assert [] == sorted({found.group() for found in re.finditer(rf"(?i)\b(?:{GAMES})s?\b", text)})


def without_docstrings(text: str) -> str:
    """The source without its docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.Pass()
    return ast.unparse(tree)


def test_nothing_imports_the_sampling() -> None:
    """Sampling needs numpy, so no module of the package imports it before somebody asks for it."""
    heavy = {name for name in names() if any(target.split(".")[0] == "numpy" for target, _ in imports(name))}
    assert heavy <= {SAMPLING}
    assert [] == [name for name in names() if any(target == f"storypool.{SAMPLING}" for target, _ in imports(name))]


@pytest.mark.parametrize("name", [name for name in names() if room(name) in {*PURE, "systems", "odds", "pictures"}])
def test_core_has_no_ambient_chance_or_clock(name: str) -> None:
    """Chance and time are arguments from bag to the systems: no such module imports a source of either."""
    banned = {"random", "secrets", "time", "os", "uuid", "asyncio", "threading", "socket", "sqlite3"}
    found = {target.split(".")[0] for target, _ in imports(name)} & banned
    # The list of games is read from the folder that they lie in.
    assert (found - {"os"} if name == "systems" else found) == set()


def test_core_stays_small() -> None:
    """No module is longer than 650 lines, and none of the core than 550: a longer one is about more than one thing."""
    lines = {name: len(file.read_text(encoding="utf-8").splitlines()) for name, file in modules().items()}
    assert {} == {name: n for name, n in lines.items() if n > (550 if name in CORE else 650)}
