"""The plan of docs/architecture.md, read from the source: rooms, imports and types."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.batched_cases import together

ROOT = Path(__file__).parent.parent / "src" / "storypool"
PAGE = (ROOT.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")

ROOMS = (
    "words",
    "engine",
    "odds",
    "pictures",
    "gamefile",
    "systems",
    "brought",
    "worth",
    "log",
    "client",
    "play",
    "contract",
    "live",
    "discord",
    "web",
    "cli",
)
"""The rooms in their order: each may import those before it."""

EXTRA = "lab"
"""The optional room, which imports the rooms up to `play`."""

ASK_FOR_THE_EXTRA = ("web.later_points", "cli.commands.lab_command")
"""The two modules that import the optional room, inside functions that need it."""

ENGINE = (
    "folder",
    "copies",
    "bag",
    "refusal",
    "notation",
    "dice",
    "faces",
    "table",
    "events",
    "fold",
    "sight",
    "game",
    "offers",
    "waiting",
    "decisions",
    "finishing",
    "house",
    "whereabouts",
    "rules",
    "catalogue",
    "moments",
    "story",
    "ledger",
)
"""The files of the engine, in the same order."""

PURE = ("words", "engine", "odds", "pictures", "gamefile", "systems", "brought", "worth")
"""The rooms that need only the standard library, without clock and chance."""

SAMPLING = "odds.sampling"
"""The only module that may import numpy; others import it only on demand."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name without the package's."""
    found = {}
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        # The tests of a game are in its folder, but not part of the package.
        if parts[0] == "systems" and "tests" in parts[:-1]:
            continue
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def tree(name: str) -> ast.Module:
    """The source of a module."""
    return ast.parse(modules()[name].read_text(encoding="utf-8"))


@cache
def imports(name: str) -> tuple[tuple[str, bool], ...]:
    """The imports of a module by dotted name, and whether each is only for types."""
    return tuple(_imports(tree(name), False))


def _imports(node: ast.AST, typing: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, typing) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are written in full"
            assert child.module is not None
            for alias in child.names:
                whole = f"{child.module}.{alias.name}"
                yield (
                    (whole if whole.removeprefix("storypool.") in modules() else child.module),
                    typing,
                )
        else:
            asks = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
            yield from _imports(child, typing or asks)


def ours(name: str) -> set[str]:
    """The modules of the package that a module imports, including those for types."""
    return {
        target.removeprefix("storypool.")
        for target, _ in imports(name)
        if target.startswith("storypool.")
    }


def room(name: str) -> str:
    """The room of a module."""
    return name.split(".")[0]


def names(*of: str) -> list[str]:
    """Every module except the package itself, or those of these rooms."""
    return [name for name in modules() if name and (not of or room(name) in of)]


def test_every_module_has_a_room() -> None:
    """No module is outside the plan: a new room gets its place first."""
    assert {*ROOMS, EXTRA} == {room(name) for name in names()}
    assert {*ENGINE, ""} == {name.partition(".")[2].split(".")[0] for name in names("engine")}


def test_page_has_the_same_lists() -> None:
    """The page has the rooms and engine files in this module's order."""
    plan = PAGE.partition("\nsrc/storypool/\n")[2].partition("```")[0].splitlines()
    assert [*ROOMS, EXTRA] == [found[1] for line in plan if (found := re.match(r"  (\w+)/", line))]
    rows = [re.split(r" {2,}", line.strip())[:-1] for line in plan if re.match(r" {6}\w", line)]
    assert [*ENGINE] == [name.removesuffix("/") for names in rows for name in names]


def test_page_has_every_field() -> None:
    """Types on the page have all fields, and all kinds of questions and panels."""
    sketch = PAGE.partition("\n## The types\n")[2].partition("```python\n")[2].partition("```")[0]
    shown = dict(re.findall(r"^class (\w+)(.*(?:\n .*)*)", sketch, re.MULTILINE))
    rooms = [
        node
        for name in names("engine", "words")
        for node in tree(name).body
        if isinstance(node, ast.ClassDef)
    ]
    source = {node.name: node for node in rooms}
    assert len(shown) > 30
    assert set() == shown.keys() - source.keys()
    missing = dict[str, set[str]]()
    for name, text in shown.items():
        declared = {ast.unparse(one.target) for one in source[name].body if _is_field(one)}
        kinds = {one for one in source if one.endswith(name) and name in ("Ask", "Panel")} - {
            "MovesPanel"
        }
        missing[name] = {*declared, *kinds} - {name, *re.findall(r"\w+", text)}
    assert {} == {name: left for name, left in missing.items() if left}


def _is_field(node: ast.stmt) -> TypeGuard[ast.AnnAssign]:
    """Whether a statement of a class declares a public field."""
    if not isinstance(node, ast.AnnAssign) or "ClassVar" in ast.unparse(node.annotation):
        return False
    return not ast.unparse(node.target).startswith("_")


def test_module_names_are_unique() -> None:
    """Only folders of games repeat file names; others belong to one module or room."""
    outside = [name for name in names() if room(name) != "systems" or name.count(".") < 2]
    counted = Counter(name.rpartition(".")[2] for name in outside)
    assert [] == [name for name, n in counted.items() if n > 1]


@together(names(*ROOMS, EXTRA))
def test_modules_import_only_rooms_below(name: str) -> None:
    """Modules import their room and earlier ones; two also import the optional one."""
    last = "play" if room(name) == EXTRA else room(name)
    may = {*ROOMS[: ROOMS.index(last) + 1], "__version__"}
    may |= {EXTRA} if room(name) == EXTRA or name in ASK_FOR_THE_EXTRA else set()
    assert set() == {room(target) for target in ours(name)} - may


def test_web_does_not_import_its_program() -> None:
    """The rest of `web` does not need `web.serving`, which starts and replaces servers."""
    rest = [name for name in names("web") if not name.startswith("web.serving")]
    assert [] == [name for name in rest if any(one.startswith("web.serving") for one in ours(name))]


@pytest.mark.parametrize("name", ASK_FOR_THE_EXTRA)
def test_optional_room_is_imported_on_demand(name: str) -> None:
    """Only functions import it, when called, and not their modules."""
    functions = [node for node in ast.walk(tree(name)) if isinstance(node, ast.FunctionDef)]
    inside = [
        node
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom)
    ]
    asked = [
        node
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ImportFrom) and f"storypool.{EXTRA}" in str(node.module)
    ]
    assert asked
    assert all(node in inside for node in asked)


@pytest.mark.parametrize("name", names("engine"))
def test_engine_builds_up_file_by_file(name: str) -> None:
    """Engine files import only earlier ones of the plan, including types."""
    own = name.partition(".")[2].split(".")[0]
    may = {*ENGINE[: ENGINE.index(own) + 1]} if own else set()
    assert (
        set()
        == {
            target.split(".")[1]
            for target in ours(name)
            if room(target) == "engine" and "." in target
        }
        - may
    )


def test_imports_have_no_cycle() -> None:
    """No module imports itself through others, including types."""
    left = {
        name: {target for target in ours(name) if target in modules()} - {name} for name in names()
    }
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    assert {} == left


@together([name for name in names(*PURE) if name != SAMPLING])
def test_core_imports_only_the_standard_library(name: str) -> None:
    """From words to worth no module imports an installed package."""
    outside = {target.split(".")[0] for target, _ in imports(name)} - {"storypool", "__future__"}
    assert set() == outside - set(sys.stdlib_module_names)


@together([name for name in names("systems") if name.count(".")])
def test_systems_never_import_each_other(name: str) -> None:
    """A game imports its folder and families, never another game; a family imports no game."""
    from storypool import systems

    others = {target.split(".")[1] for target in ours(name) if target.startswith("systems.")} - {
        name.split(".")[1]
    }
    assert set() == others & set(systems.names())


@together([name for name in names("systems") if name.count(".") > 1])
def test_games_use_one_rules_module(name: str) -> None:
    """Rules use only `engine.rules`; rolls and odds import directly from their modules."""
    drawn = {target for target in ours(name) if room(target) == "engine"}
    light = {f"engine.{name}" for name in ("folder", "bag", "dice", "notation", "refusal", "table")}
    assert drawn <= ({"engine.rules"} if "engine.rules" in drawn else light)


@together(names("words", "engine", "odds", "pictures", "worth", "log", "lab", "contract", "live"))
def test_core_names_no_game(name: str) -> None:
    """Code, comments and sentences of shared rooms have no word of a game."""
    text = modules()[name].read_text(encoding="utf-8")
    if name in ("engine.bag", "engine.dice", "engine.notation", "engine.ledger", "worth.grid"):
        # Their examples are dice that players know, and one names the section it comes from; their
        # code names none.
        text = without_docstrings(text)
    # An f-string and a comment are text too, so the source is searched and not its names alone.
    assert [] == sorted(
        {found.group() for found in re.finditer(rf"(?i)\b(?:{words_of_games()})s?\b", text)}
    )


@cache
def words_of_games() -> str:
    """The keys and declared words of all games as an expression; spaces are optional."""
    from storypool import systems
    from storypool.contract.material import material

    own = {word for key in systems.names() for word in (key, *material(key).words.get("own", ()))}
    assert len(own) > 20
    return "|".join(re.escape(word).replace(r"\ ", " ?") for word in sorted(own))


def without_docstrings(text: str) -> str:
    """The source without its docstrings."""
    parsed = ast.parse(text)
    for node in ast.walk(parsed):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.Pass()
    return ast.unparse(parsed)


@together([name for name in names("systems") if name.count(".") > 1])
def test_games_name_no_audience(name: str) -> None:
    """The engine hides records: rules get a visible context and mark secrets, not seats."""
    assert "seen_by" not in modules()[name].read_text(encoding="utf-8")


def test_nothing_imports_sampling() -> None:
    """Sampling needs numpy, so no module imports it before a caller needs it."""
    heavy = {
        name
        for name in names()
        if any(target.split(".")[0] == "numpy" for target, _ in imports(name))
    }
    assert heavy <= {SAMPLING}
    assert [] == [
        name
        for name in names()
        if any(target == f"storypool.{SAMPLING}" for target, _ in imports(name))
    ]


@together(names(*PURE))
def test_core_has_no_ambient_chance_or_clock(name: str) -> None:
    """Chance and time are arguments from bag to systems, and no module imports their sources."""
    banned = {
        "random",
        "secrets",
        "time",
        "os",
        "uuid",
        "asyncio",
        "threading",
        "socket",
        "sqlite3",
    }
    found = {target.split(".")[0] for target, _ in imports(name)} & banned
    # The lists of games are read from the folders that they are in.
    assert (found - {"os"} if name in ("systems", "systems.game_files") else found) == set()


def test_no_room_is_crowded() -> None:
    """A folder has at most 20 modules, not counting a game's files for tests."""
    beside = Counter(
        name.rpartition(".")[0] for name in modules() if modules()[name].name != "__init__.py"
    )
    scripts = Counter(str(file.parent.relative_to(ROOT)) for file in ROOT.rglob("*.js"))
    assert {} == {folder: n for folder, n in (beside | scripts).items() if n > 20}


def test_files_stay_small() -> None:
    """A file has at most 500 lines; above 400 it is reviewed, and split only by subject."""
    lines = {
        name: len(file.read_text(encoding="utf-8").splitlines()) for name, file in modules().items()
    }
    assert {} == {name: n for name, n in lines.items() if n > 500}


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@pytest.mark.slow
def test_comprehensions_do_not_nest() -> None:
    """Comprehensions and conditional expressions do not contain each other or themselves.

    A loop or a named function is easier to read.
    """
    assert {} == {name: lines for name in modules() if (lines := sorted(_nested(tree(name))))}


def _nested(module: ast.Module) -> Iterator[int]:
    """The lines of comprehensions and conditional expressions that contain what they may not."""
    for node in ast.walk(module):
        if isinstance(node, (*COMPREHENSIONS, ast.IfExp)):
            inside = [one for one in ast.walk(node) if one is not node]
            kinds = ast.IfExp if isinstance(node, ast.IfExp) else (*COMPREHENSIONS, ast.IfExp)
            if any(isinstance(one, kinds) for one in inside):
                yield node.lineno


def test_class_names_are_unique() -> None:
    """Outside of games no two public classes share a name."""
    found: dict[str, list[str]] = {}
    for name in modules():
        if not (room(name) == "systems" and "." in name):
            for node in tree(name).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, []).append(name)
    assert {} == {name: places for name, places in found.items() if len(places) > 1}
