"""The words for the rows of a move: its price, its limits, and every reason to refuse it.

They are read from the row, so nothing is written twice. A price or a limit without words, and a
condition without the id of a sentence, are findings of `storypool.contract.game_rows`.
"""

import ast
import dis
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from storypool.engine.game.moves import Condition, Limit, Move, Worded
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.table import Points

REFUSING = tuple(
    name
    for name, verb in vars(Turn).items()
    if getattr(verb, "__annotations__", {}).get("return") == "Refusal"
)
"""The methods of `Turn` that make a refusal from the catalogue."""


def price(system: System, move: Move) -> str:
    """The price of a move in words: a fixed price, or the words of a computed one."""
    if move.price is None:
        return ""
    if not isinstance(move.price, Points):
        return _words_of(move.price)
    priced = (f"{n} {_word(system, purse.account, n)}" for purse, n in move.price.items())
    return ", ".join(priced) or "nothing"


def _word(system: System, name: str, n: int) -> str:
    look = system.look.get(name)
    if look is None:
        return name
    if n == 1:
        return look.word
    return look.plural or f"{look.word}s"


def limit(move: Move, named: bool = True) -> str:
    """The limits of a move in words: fixed limits, or the words of computed ones.

    Each is `named` by its group, which moves may share.
    """
    if not isinstance(move.limits, tuple):
        return _words_of(move.limits)
    return "; ".join(_limit_in_words(one, named) for one in move.limits)


def _words_of(given: object) -> str:
    """The words of a computed price or limit; "" for a plain function."""
    return given.words if isinstance(given, Worded) else ""


_SCOPES = {"check": "action", "actor": "character", "seat": "seat", "side": "side"}


def _limit_in_words(limit: Limit, named: bool) -> str:
    often = {1: "once", 2: "twice"}.get(limit.n, f"{limit.n} times")
    group = f" ({limit.group})" if named else ""
    return (
        f"{often} for each {' and '.join(_SCOPES.get(scope, scope) for scope in limit.per)}{group}"
    )


def conditions(move: Move) -> Iterator[Condition]:
    """The conditions of a move in the order of checking."""
    yield from (
        condition for condition in (move.window, move.when, *move.only_if) if condition is not None
    )


def reasons(system: System, condition: Condition) -> Iterator[str]:
    """Every sentence with which a condition can refuse, with `…` in place of blanks."""
    for key in dict.fromkeys(_refusals(condition, set())):
        # Of a sentence with plural forms, the most general one.
        for id in (f"no.{key}", f"no.{key}.other"):
            if id in system.words:
                yield re.sub(r"\{\w+\}", "…", system.words[id])


def _refusals(condition: object, visited: set[object]) -> Iterator[str]:
    """The ids of a condition's refusals: its own, its arguments' and those it calls."""
    if not isinstance(condition, FunctionType) or condition in visited:
        return
    visited.add(condition)
    codes, tested = [condition.__code__], _tested(condition)
    cells = zip(condition.__code__.co_freevars, condition.__closure__ or (), strict=True)
    held = [cell.cell_contents for name, cell in cells if name not in tested]
    yield from (given for given in held if isinstance(given, str))
    for code in codes:
        yield from _refusal_ids(code)
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
        held += [
            value for name, value in _globals(code, condition.__globals__) if name not in tested
        ]
    for one in held:
        for each in one if isinstance(one, tuple | list) else (one,):
            yield from _refusals(each, visited)


def _globals(code: CodeType, space: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The globals that code reads, by name, in order; for a module, the attribute read from it."""
    module: ModuleType | None = None
    for step in dis.get_instructions(code):
        value = space.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if module is not None and step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            value = getattr(module, step.argval, None)
        module = value if isinstance(value, ModuleType) else None
        if value is not None and module is None:
            yield step.argval, value


def _tested(condition: FunctionType) -> set[str]:
    """The names that a lambda only tests, as in `no if holds(turn) else None`; not shown."""
    if condition.__name__ != "<lambda>":
        return set()
    places = []
    for line, _, at, _ in condition.__code__.co_positions():
        if line is not None and at:
            places.append((line, at))
    if not places:  # a constant, whose position Python 3.12 does not know
        return set()
    around = [
        node for node in _lambdas(condition.__code__.co_filename) if _range(node)[0] <= min(places)
    ]
    body = max((node for node in around if max(places) <= _range(node)[1]), key=_range).body
    conditionals = [node for node in ast.walk(body) if isinstance(node, ast.IfExp)]
    within = {id(part) for node in conditionals for part in ast.walk(node.test)}
    inside, outside = set[str](), set[str]()
    for node in ast.walk(body):
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            (inside if id(node) in within else outside).add(name)
    return inside - outside


def _range(node: ast.Lambda) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


@cache
def _lambdas(file: str) -> tuple[ast.Lambda, ...]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Lambda))


def _refusal_ids(code: CodeType) -> Iterator[str]:
    """The first argument of each call of a refusing method of `Turn`, if it is a literal."""
    awaited = False
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            awaited = step.argval in REFUSING
        elif awaited and step.opname == "LOAD_CONST":
            awaited = False
            if isinstance(step.argval, str):
                yield step.argval
