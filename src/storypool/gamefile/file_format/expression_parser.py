"""The parser of expressions: the text of one becomes a function of a scope, and its inputs."""

from __future__ import annotations

import ast
import keyword
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from storypool.engine.refusal import nearest
from storypool.gamefile.file_format.expressions import (
    COUNTS,
    GROUP,
    JOINED,
    LARGEST,
    OTHERS,
    WORDS,
    Evaluate,
    Expression,
    ExpressionError,
    Other,
    Scope,
    are_equal,
    as_number,
    is_number,
)
from storypool.words import Phrase

__all__ = ["parse", "tree_of", "written_name"]

LONGEST = 300
"""The most characters of an expression."""
DEEPEST = 20
"""The most nested operators."""
_APART = "Z"
"""Suffix for a name that is a keyword of the parser; no key has a capital letter."""
_NAMES = re.compile(r"(?:'[^']*'|\"[^\"]*\")(?:\s+(?:not\s+)?in\b)?|\b[a-z]\w*\b")
_TAKEN = frozenset(keyword.kwlist) - WORDS
_COMPARE: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_AMONG: Mapping[type[ast.cmpop], bool] = {ast.In: True, ast.NotIn: False}
_EQUAL: Mapping[type[ast.cmpop], bool] = {ast.Eq: True, ast.NotEq: False}


def _divided(a: int, b: int) -> int:
    return a // b if b else 0


def _left_over(a: int, b: int) -> int:
    return a % b if b else 0


_ARITHMETIC: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.FloorDiv: _divided,
    ast.Mod: _left_over,
}
_DIVIDES = (_divided, _left_over)


def parse(text: str) -> Expression:
    """Parse an expression; raises `ExpressionError` for unknown syntax.

    >>> parse("1 + 2 * 3").fixed, sorted(parse("stress >= 9 and risk == 'high'").names)
    (7, ['risk', 'stress'])
    >>> parse("1 < best < 4")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    storypool.gamefile.file_format.expressions.ExpressionError: “1 < best < 4” compares more than
    two ...
    """
    if len(text) > LONGEST:
        raise _wrong("long", most=LONGEST)
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _wrong("none", text=_short(text)) from None
    reader = _Reader()
    evaluate = reader.read(tree, 0)
    return Expression(
        text,
        evaluate,
        frozenset(reader.names),
        frozenset(reader.counts),
        others=frozenset(reader.others),
        numbers=frozenset(reader.numbers),
        chosen=frozenset(reader.chosen),
        texts=frozenset(reader.texts),
        results=frozenset(_results(tree)),
        literals=frozenset(_literals(tree)),
        faults=tuple(reader.faults),
    )


def tree_of(text: str) -> ast.expr:
    """The tree of an expression, whose names are `written_name` of those in it."""
    return ast.parse(_NAMES.sub(_parsed_name, text.strip()), mode="eval").body


def written_name(name: str) -> str:
    """A name of a tree as the file writes it."""
    return name.removesuffix(_APART)


class _Reader:
    """Compiles the tree of an expression to functions, and notes its inputs."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.counts: set[tuple[str, tuple[str, ...]]] = set()
        self.others: set[Other] = set()
        self.numbers: set[str] = set()
        self.texts: set[tuple[str, str]] = set()
        self.chosen: set[tuple[str, str]] = set()
        self.faults: list[Phrase] = []

    def read(self, tree: ast.expr, depth: int) -> Evaluate:
        if depth > DEEPEST:
            raise _wrong("deep", most=DEEPEST)
        match tree:
            case ast.Constant(value=bool() | int() | str() as value):
                return lambda scope: value
            case ast.Name(id=written):
                name = written.removesuffix(_APART)
                self.names.add(name)
                return lambda scope: scope.value(name)
            case ast.Attribute(value=ast.Name(id=question), attr=entry):
                return self._other(question, "", entry)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                one = self.read(operand, depth + 1)
                return lambda scope: not one(scope)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                negated = self._number(operand, depth)
                return lambda scope: -negated(scope)
            case ast.BoolOp(op=op, values=values):
                return self._either(isinstance(op, ast.Or), values, depth)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                function, a, b = (
                    _ARITHMETIC[type(op)],
                    self._number(left, depth),
                    self._number(right, depth),
                )
                if function in _DIVIDES and _is_nought(right, b):
                    self.faults.append(Phrase("gamefile.silent.divided", text=_unparsed(tree)))
                return _worked_out(function, a, b)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared(left, ops, others, depth)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                when, then, other = (self.read(part, depth + 1) for part in (test, body, orelse))
                return lambda scope: then(scope) if when(scope) else other(scope)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._called(name.removesuffix(_APART), args, depth)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=question), attr=function),
                args=[ast.Name(id=name)],
                keywords=[],
            ) if function in OTHERS:
                return self._other(question, function, name)
        raise _wrong("more", text=_unparsed(tree))

    def _other(self, *written: str) -> Evaluate:
        read = _other(*written)
        self.others.add(read)
        self.names.add(str(read))
        return lambda scope: scope.other(read)

    def _number(self, tree: ast.expr, depth: int) -> Callable[[Scope], int]:
        one = self.read(tree, depth + 1)
        self.numbers |= {*_results(tree)}
        for text in _literals(tree):
            if not is_number(text):
                self.faults.append(Phrase("gamefile.silent.text", text=_short(text)))

        return cast("Callable[[Scope], int]", one) if _is_number(tree) else _as_number(one)

    def _either(self, either: bool, values: Iterable[ast.expr], depth: int) -> Evaluate:
        first, *rest = [self.read(value, depth + 1) for value in values]
        for part in rest:
            first = _one_of(first, part) if either else _both(first, part)
        return first

    def _compared(
        self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr], depth: int
    ) -> Evaluate:
        if len(ops) > 1:
            raise _wrong("pairs", text=_unparsed(ast.Compare(left, ops, others)))
        op, right = type(ops[0]), others[0]
        if op in _AMONG:
            return self._among(left, right, _AMONG[op])
        fixed = right.value if isinstance(right, ast.Constant) else None
        if op in _EQUAL:
            if isinstance(left, ast.Constant):
                left, right = right, left
            equal = _EQUAL[op]
            one, other = self.read(left, depth + 1), self.read(right, depth + 1)
            match left, right:
                case ast.Name(id=written), ast.Constant(value=str() as text):
                    name = written.removesuffix(_APART)
                    self.texts.add((name, text))
                    return lambda scope: scope.is_text(name, text) is equal
                case ast.Attribute(value=ast.Name(id=question), attr=entry), ast.Constant(
                    value=str() as text
                ):
                    read = _other(question, "", entry)
                    self.texts.add((str(read), text))
                    return lambda scope: scope.is_other(read, text) is equal
                case _, ast.Constant(value=int()):
                    self.numbers |= {*_results(left)}
            return lambda scope: are_equal(one(scope), other(scope)) is equal
        if op in _COMPARE:
            function, a, b = _COMPARE[op], self._number(left, depth), self._number(others[0], depth)
            if isinstance(fixed, int):
                return lambda scope: function(a(scope), fixed)
            return lambda scope: function(a(scope), b(scope))
        raise _wrong("compare")

    def _among(self, left: ast.expr, right: ast.expr, among: bool) -> Evaluate:
        """Whether a text is, or is not, among the answers to a question."""
        match left, right:
            case ast.Constant(value=str() as text), ast.Name(id=written):
                name = written.removesuffix(_APART)
                self.names.add(name)
                self.chosen.add((name, text))
                return lambda scope: scope.is_chosen(name, text) is among
        raise _wrong("among")

    def _called(self, name: str, args: list[ast.expr], depth: int) -> Evaluate:
        if name in ("min", "max") and args:
            parts = [self._number(arg, depth) for arg in args]
            lowest = name == "min"
            first, *rest = parts
            for part in rest:
                first = _lower(first, part) if lowest else _higher(first, part)
            return first
        if name not in COUNTS:
            known = ("min", "max", *COUNTS)
            near = nearest(name, known)
            known_words = ", ".join(known)
            raise _wrong(
                "function.near" if near else "function",
                name=_short(name),
                near="".join(near[:1]),
                known=known_words,
            )
        n, example = COUNTS[name]
        about = tuple(_word(arg) for arg in args)
        if len(about) != n or not all(about):
            raise _wrong("counts", name=name, example=example)
        self.counts.add((name, about))
        if name in GROUP:
            self.names.add(JOINED)
        return lambda scope: scope.call(name, about)


def _worked_out(
    function: Callable[[int, int], int], a: Callable[[Scope], int], b: Callable[[Scope], int]
) -> Callable[[Scope], int]:
    def within_bounds(scope: Scope) -> int:
        n = function(a(scope), b(scope))
        # Most numbers are within them, and this is quicker than `min` and `max`.
        if -LARGEST <= n <= LARGEST:
            return n
        return LARGEST if n > 0 else -LARGEST

    return within_bounds


def _is_number(tree: ast.expr) -> bool:
    """Whether the value of an expression is a whole number, whatever it reads."""
    match tree:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.BinOp() | ast.UnaryOp(op=ast.USub()) | ast.Call(func=ast.Name(id="min" | "max")):
            return True
    return False


def _as_number(one: Evaluate) -> Callable[[Scope], int]:
    def number(scope: Scope) -> int:
        value = one(scope)
        if type(value) is int:
            return value
        return as_number(value)

    return number


# Of two parts a function is quicker than one of a list, and expressions seldom have more.


def _one_of(one: Evaluate, other: Evaluate) -> Evaluate:
    return lambda scope: True if one(scope) else bool(other(scope))


def _both(one: Evaluate, other: Evaluate) -> Evaluate:
    return lambda scope: bool(other(scope)) if one(scope) else False


def _lower(one: Callable[[Scope], int], other: Callable[[Scope], int]) -> Callable[[Scope], int]:
    def lower(scope: Scope) -> int:
        a, b = one(scope), other(scope)
        return b if b < a else a

    return lower


def _higher(one: Callable[[Scope], int], other: Callable[[Scope], int]) -> Callable[[Scope], int]:
    def higher(scope: Scope) -> int:
        a, b = one(scope), other(scope)
        return b if b > a else a

    return higher


def _other(*written: str) -> Other:
    return Other(*(part.removesuffix(_APART) for part in written))


def _wrong(key: str, **values: object) -> ExpressionError:
    return ExpressionError(Phrase(f"gamefile.expression.{key}", **values))


def _word(tree: ast.expr) -> str:
    match tree:
        case ast.Name(id=name):
            return name.removesuffix(_APART)
        case ast.Constant(value=int() as n):
            return str(n)
    return ""


def _parsed_name(found: re.Match[str]) -> str:
    """A name as it is parsed; texts between quotes and words of the language are unchanged."""
    if found[0] in _TAKEN:
        return found[0] + _APART
    return found[0]


def _is_nought(tree: ast.expr, number: Callable[[Scope], int]) -> bool:
    """Whether an expression that reads nothing is 0."""
    reads = any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(tree))
    return not reads and number(Scope()) == 0


def _results(tree: ast.expr) -> Iterator[str]:
    """The names that can be the value of an expression."""
    match tree:
        case ast.Name(id=name):
            yield name.removesuffix(_APART)
        case ast.Attribute(value=ast.Name(id=question), attr=entry):
            yield f"{question.removesuffix(_APART)}.{entry.removesuffix(_APART)}"
        case ast.IfExp(body=body, orelse=orelse):
            yield from _results(body)
            yield from _results(orelse)


def _literals(tree: ast.expr) -> Iterator[str]:
    """The texts that can be the value of an expression."""
    match tree:
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _literals(body)
            yield from _literals(orelse)


def _unparsed(tree: ast.expr) -> str:
    return _short(re.sub(rf"\b({'|'.join(sorted(_TAKEN))}){_APART}\b", r"\1", ast.unparse(tree)))


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
