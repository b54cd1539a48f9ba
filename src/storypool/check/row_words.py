"""What the rows of a move say of themselves in words: its price, its limits, and every reason why
it is refused.

They are read from the row, so nothing is written twice. A price or a limit without words, and a
condition without the id of a sentence, is missing here, and a finding in
`storypool.check.game_rows`.
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
    """What a move costs, in words: a fixed price, or the words of one that is worked out."""
    if move.price is None:
        return ""
    if not isinstance(move.price, Points):
        return _words_of(move.price)
    priced = (f"{n} {_word(system, purse.account, n)}" for purse, n in move.price.items())
    return ", ".join(priced) or "nothing"


def _word(system: System, name: str, n: int) -> str:
    look = system.look.get(name)
    return name if look is None else look.word if n == 1 else look.plural or f"{look.word}s"


def limit(move: Move, named: bool = True) -> str:
    """How often a move can be made, in words: fixed limits, or the words of those worked out.

    Each is `named` by its group, which moves may share.
    """
    if not isinstance(move.limits, tuple):
        return _words_of(move.limits)
    return "; ".join(_limited(one, named) for one in move.limits)


def _words_of(given: object) -> str:
    """The words of a price or a limit that is worked out; "" for a plain function."""
    return given.words if isinstance(given, Worded) else ""


_SCOPES = {"check": "action", "actor": "character", "seat": "seat", "side": "side"}


def _limited(limit: Limit, named: bool) -> str:
    often = {1: "once", 2: "twice"}.get(limit.n, f"{limit.n} times")
    group = f" ({limit.group})" if named else ""
    return (
        f"{often} for each {' and '.join(_SCOPES.get(scope, scope) for scope in limit.per)}{group}"
    )


def conditions(move: Move) -> Iterator[Condition]:
    """Yield the conditions of a move in the order in which they are checked."""
    yield from (
        condition for condition in (move.window, move.when, *move.only_if) if condition is not None
    )


def reasons(system: System, condition: Condition) -> Iterator[str]:
    """Yield every sentence with which a condition can refuse; `…` is in place of what is filled
    in.
    """
    for key in dict.fromkeys(_refusals(condition, set())):
        # Of a sentence with plural forms, the most general one.
        for id in (f"no.{key}", f"no.{key}.other"):
            if id in system.words:
                yield re.sub(r"\{\w+\}", "…", system.words[id])


def _refusals(condition: object, been: set[object]) -> Iterator[str]:
    """Yield the ids of a condition's refusals: its own, those it is given, those of the conditions
    it calls.
    """
    if not isinstance(condition, FunctionType) or condition in been:
        return
    been.add(condition)
    codes, tested = [condition.__code__], _tested(condition)
    cells = zip(condition.__code__.co_freevars, condition.__closure__ or (), strict=True)
    held = [cell.cell_contents for name, cell in cells if name not in tested]
    yield from (given for given in held if isinstance(given, str))
    for code in codes:
        yield from _spoken(code)
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
        held += [
            value for name, value in _globals(code, condition.__globals__) if name not in tested
        ]
    for one in held:
        for each in one if isinstance(one, tuple | list) else (one,):
            yield from _refusals(each, been)


def _globals(code: CodeType, space: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the globals that code reads, by name, in order; of a module, the name and value read
    from it.
    """
    module: ModuleType | None = None
    for step in dis.get_instructions(code):
        value = space.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if module is not None and step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            value = getattr(module, step.argval, None)
        module = value if isinstance(value, ModuleType) else None
        if value is not None and module is None:
            yield step.argval, value


def _tested(condition: FunctionType) -> set[str]:
    """Return the names that a lambda only tests, as in `no if holds(turn) else None`: that is not
    shown.
    """
    if condition.__name__ != "<lambda>":
        return set()
    places = [
        (line, at)
        for line, _, at, _ in condition.__code__.co_positions()
        if line is not None and at
    ]
    if not places:  # a constant, whose place Python 3.12 does not know
        return set()
    around = [
        node for node in _lambdas(condition.__code__.co_filename) if _range(node)[0] <= min(places)
    ]
    body = max((node for node in around if max(places) <= _range(node)[1]), key=_range).body
    within = {
        id(part)
        for node in ast.walk(body)
        if isinstance(node, ast.IfExp)
        for part in ast.walk(node.test)
    }
    inside, outside = set[str](), set[str]()
    for node in ast.walk(body):
        if isinstance(node, ast.Name | ast.Attribute):
            (inside if id(node) in within else outside).add(
                node.id if isinstance(node, ast.Name) else node.attr
            )
    return inside - outside


def _range(node: ast.Lambda) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


@cache
def _lambdas(file: str) -> tuple[ast.Lambda, ...]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Lambda))


def _spoken(code: CodeType) -> Iterator[str]:
    """Yield the first argument of each call of a refusing method of `Turn`, when it is a
    literal.
    """
    awaited = False
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            awaited = step.argval in REFUSING
        elif awaited and step.opname == "LOAD_CONST":
            awaited = False
            if isinstance(step.argval, str):
                yield step.argval
