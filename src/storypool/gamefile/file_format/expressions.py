"""The language of game files: numbers, names, comparisons, `min`, `max`, and counts of dice.

An expression is text such as "stress + 1" or "best == 6 and position == 'risky'". It is parsed
once (`expression_parser`), to a function of a scope. It has no loops, calls no code, and always
terminates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import NamedTuple

from storypool.words import Phrase, StorypoolError

__all__ = [
    "WORDS",
    "Expression",
    "ExpressionError",
    "Other",
    "Scope",
    "Value",
    "are_equal",
    "as_number",
    "as_value",
    "constant",
    "expressions_in",
    "is_number",
]

LARGEST = 1_000_000
"""The largest number of an expression; results are clamped to it and to its opposite."""

CHOSEN = ","
"""The sign between several answers to one question."""
WORDS = frozenset({"and", "or", "not", "if", "else"})
"""The words of the language, which cannot be names."""

Value = int | str | bool


class ExpressionError(StorypoolError, ValueError):
    """An expression that cannot be read; the sentence says why, and what to write instead."""


class Other(NamedTuple):
    """A reading of what a question means: of a character an entry, points, or statements.

    Of a statement its rank or its kind.
    """

    question: str
    function: str
    """`points`, `traits`, or "" for an entry of the sheet."""
    name: str

    def __str__(self) -> str:
        """As it is written."""
        name = f"{self.function}({self.name})" if self.function else self.name
        return f"{self.question}.{name}"


class Scope:
    """The names of an expression: `value` looks one up, `call` counts."""

    def value(self, name: str) -> Value:
        """The current value of this name."""
        raise NotImplementedError

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """A count; `about` are the names and numbers between the parentheses."""
        raise NotImplementedError

    def is_chosen(self, name: str, text: str) -> bool:
        """Whether this is among the answers to a question for several."""
        return text in str(self.value(name)).split(CHOSEN)

    def is_text(self, name: str, text: str) -> bool:
        """Whether this is the text of a name; that of a question for an entry is its key."""
        return self.value(name) == text

    def other(self, read: Other) -> Value:
        """A number of the character whom a question means, or their secret answer.

        Of a statement its rank or its kind.
        """
        raise NotImplementedError

    def is_other(self, read: Other, text: str) -> bool:
        """Whether this is the text of a secret answer; of one with an entry, which one it is."""
        return are_equal(self.other(read), text)


Evaluate = Callable[[Scope], Value]


@dataclass(frozen=True)
class Expression:
    """A parsed expression, called with a scope. `names`, `counts` and `others` are its inputs.

    `others` are among the `names` too, as they are written.
    """

    text: str
    evaluate: Evaluate = field(compare=False)
    names: frozenset[str] = frozenset()
    counts: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    others: frozenset[Other] = frozenset()
    numbers: frozenset[str] = frozenset()
    """The names that are used as numbers."""
    chosen: frozenset[tuple[str, str]] = frozenset()
    """The names among whose answers a text is looked for, each with that text."""
    texts: frozenset[tuple[str, str]] = frozenset()
    """The names that are compared with a text, each with that text."""
    results: frozenset[str] = frozenset()
    """The names that can be the value of the whole."""
    literals: frozenset[str] = frozenset()
    """The texts that can be the value of the whole."""
    faults: tuple[Phrase, ...] = field(default=(), compare=False)
    """The parts that would be 0 without a word."""

    def __call__(self, scope: Scope) -> Value:
        """The value in this scope."""
        return self.evaluate(scope)

    def number(self, scope: Scope) -> int:
        """The value as a number: yes is 1, a text its number, else 0."""
        value = self.evaluate(scope)
        n = value if type(value) is int else as_number(value)
        if -LARGEST <= n <= LARGEST:
            return n
        return max(-LARGEST, min(LARGEST, n))

    def holds(self, scope: Scope) -> bool:
        """Whether the value is true, or a number other than 0."""
        return bool(self.evaluate(scope))

    @cached_property
    def fixed(self) -> int | None:
        """Its constant number; None if it reads anything."""
        if self.names or self.counts:
            return None
        return self.number(Scope())


GROUP: Mapping[str, Callable[[Sequence[int]], int]] = {"best": max, "lowest": min, "sum": sum}
"""The counts of a number of all characters who act together."""
COUNTS: Mapping[str, tuple[int, str]] = {
    "dice": (1, "dice(light)"),
    "shows": (2, "shows(light, 6)"),
    "traits": (1, "traits(harm)"),
    "chose": (2, "chose(guard, feint)"),
    "hand": (1, "hand(street)"),
    "left": (1, "left(street)"),
    **{name: (1, f"{name}(sneak)") for name in GROUP},
}
"""The counts: how many words stand between the parentheses, and an example."""
JOINED = "joined"
"""The term of an action: how many characters have joined the one who acts."""
OTHERS = ("points", "traits")
"""The counts of the character whom a question means, as in `foe.points(stress)`."""


def constant(n: int | str) -> Expression:
    """The expression that is always this number or text.

    >>> constant(3).fixed
    3
    """
    literals = frozenset({n}) if isinstance(n, str) else frozenset[str]()
    return Expression(str(n), lambda scope: n, literals=literals)


def expressions_in(row: object) -> Iterator[Expression]:
    """All expressions of a game file, or of a part of it."""
    if isinstance(row, Expression):
        yield row
    elif isinstance(row, Mapping):
        for one in row.values():
            yield from expressions_in(one)
    elif isinstance(row, tuple):
        for one in row:
            yield from expressions_in(one)
    elif is_dataclass(row):
        for one in fields(row):
            yield from expressions_in(getattr(row, one.name))


def as_number(value: Value) -> int:
    """A value as a number: yes is 1, a text its number, else 0."""
    if isinstance(value, str):
        return int(value) if is_number(value) else 0
    return int(value)


def is_number(text: str) -> bool:
    """Whether a text is written as a whole number of at most seven digits."""
    return text.removeprefix("-").isdecimal() and len(text) < 8


def as_value(given: object) -> Value:
    """An answer as a value; several are joined, and "" stands for none."""
    if isinstance(given, tuple | list):
        return CHOSEN.join(map(str, given))
    return given if isinstance(given, int | str) else ""


def are_equal(one: Value, other: Value) -> bool:
    """Whether two values are equal; a text that is a number equals that number."""
    if isinstance(one, str) is isinstance(other, str):
        return one == other
    text, number = (one, other) if isinstance(one, str) else (other, one)
    return is_number(str(text)) and int(text) == number
