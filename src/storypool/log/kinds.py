"""How values are stored, each by its type: as plain JSON data and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from storypool.engine.bag import Bag, Multiset
from storypool.engine.table import Points, Purse, Use, Value
from storypool.words import Phrase

Data = dict[str, Any]
Upcast = Callable[[Data], Data]


class Kind(NamedTuple):
    """The JSON form of a sort of value (`TypeError` for others), and its reverse; None: as is."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any] | None = None


def wrong(expected: Phrase, found: object) -> TypeError:
    """The error for a value of another kind, with at most its first 60 characters."""
    shown = repr(found)
    return TypeError(
        Phrase(
            "log.wrong", expected=expected, found=shown if len(shown) <= 60 else shown[:60] + " ..."
        )
    )


def only(type_: type, kind: str) -> Kind:
    """The kind of values of exactly this type, JSON unchanged; errors name it `log.kind.KIND`."""
    expected = Phrase(f"log.kind.{kind}")

    def write(value: Any) -> Any:
        if type(value) is not type_:
            raise wrong(expected, value)
        return value

    return Kind(write)


def one_of(*words: str) -> Kind:
    """The kind of texts that are one of these words."""

    def write(value: Any) -> Any:
        if type(value) is not str or value not in words:
            raise wrong(Phrase("log.kind.one_of", known=", ".join(words)), value)
        return value

    return Kind(write)


def or_none(kind: Kind) -> Kind:
    """The kind of values of this kind, and of None."""
    write, read = kind
    return Kind(
        lambda value: None if value is None else write(value),
        read and (lambda data: None if data is None else read(data)),
    )


def many(kind: Kind) -> Kind:
    """The kind of tuples of values of this kind, lists in JSON."""
    one_written, one_read = kind

    def write(value: Any) -> list[Any]:
        if type(value) is not tuple:
            raise wrong(Phrase("log.kind.tuple"), value)
        return [one_written(one) for one in value]

    return Kind(write, (lambda data: tuple([one_read(one) for one in data])) if one_read else tuple)


def named(kind: Kind) -> Kind:
    """The kind of mappings from texts to values of this kind, objects in JSON."""
    one_written, one_read = kind

    def write(value: Any) -> Data:
        if not isinstance(value, Mapping):
            raise wrong(Phrase("log.kind.mapping"), value)
        return {TEXT.write(name): one_written(one) for name, one in value.items()}

    return Kind(
        write, one_read and (lambda data: {name: one_read(one) for name, one in data.items()})
    )


def _write_value(value: Any) -> Any:
    if type(value) in (str, int, bool):
        return value
    if type(value) is tuple and {type(one) for one in value} in (set(), {str}, {int}):
        return list(value)
    raise wrong(Phrase("log.kind.value"), value)


def _write_bag(bag: Any) -> Data:
    if type(bag) is not Bag:
        raise wrong(Phrase("log.kind.bag"), bag)
    return {TEXT.write(name): NUMBER.write(n) for name, n in bag.items()}


def _write_points(points: Any) -> Data:
    if type(points) is not Points or any(Purse.read(str(purse)) != purse for purse in points):
        raise wrong(Phrase("log.kind.points"), points)
    return {TEXT.write(name): NUMBER.write(n) for name, n in points.written().items()}


def _write_use(use: Any) -> str:
    if type(use) is not Use or Use.read(str(use)) != use:
        raise wrong(Phrase("log.kind.use"), use)
    return str(use)


TEXT = only(str, "text")
NUMBER = only(int, "number")
YES_NO = only(bool, "yes_no")
TEXTS = many(TEXT)
AUDIENCE = or_none(TEXTS)
USE = Kind(_write_use, Use.read)

KINDS: Mapping[Any, Kind] = {
    str: TEXT,
    int: NUMBER,
    bool: YES_NO,
    Value: Kind(_write_value, lambda data: tuple(data) if type(data) is list else data),
    Bag: Kind(_write_bag, Bag),
    Points: Kind(
        _write_points, lambda data: Points({Purse.read(name): n for name, n in data.items()})
    ),
    Use: USE,
    Multiset[Use]: Kind(
        lambda uses: {str(use): n for use, n in uses.items()},
        lambda data: Multiset({Use.read(text): n for text, n in data.items()}),
    ),
    frozenset[str]: Kind(sorted, frozenset),
}
"""The kinds of the types that nothing is derived from."""


def plain_value(value: Any) -> Any:
    """A value that JSON does not know, in the form that it has in every record and table."""
    if isinstance(value, Points):
        return value.written()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Use):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


_REQUIRED = object()


class Kinds:
    """The kinds of all types: those of `known`, and what follows from them for fields and unions.

    A `lenient` reader passes over keys that it does not know, as those of a newer server.
    """

    def __init__(self, known: Mapping[Any, Kind], lenient: bool = False) -> None:
        self.lenient = lenient
        self._kinds: dict[Any, Kind] = dict(known)
        self._forms: dict[Any, Form] = {}

    def of(self, hint: Any) -> Kind:
        """The kind of values of a type; `TypeError` for a type that has none."""
        if hint not in self._kinds:
            self._kinds[hint] = self._derived(hint)
        return self._kinds[hint]

    def form(self, made: Any) -> Form:
        """The form of a class, made once."""
        if made not in self._forms:
            self._forms[made] = Form(made, self)
        return self._forms[made]

    def _derived(self, hint: Any) -> Kind:
        origin, args = get_origin(hint), get_args(hint)
        if origin is Literal:
            return one_of(*args)
        if origin in (Union, UnionType) and NoneType in args:
            other: Any = reduce(or_, (one for one in args if one is not NoneType))
            return or_none(self.of(other))
        if origin is tuple and args[1:] == (...,):
            return many(self.of(args[0]))
        if origin is Mapping and args[0] is str:
            return named(self.of(args[1]))
        if dataclasses.is_dataclass(hint) or hasattr(hint, "_fields"):
            form = self.form(hint)
            return Kind(form.write, form.read)
        raise TypeError(f"{hint!r} cannot be stored: give it a kind in KINDS.")


class Form:
    """The JSON form of a class: each field by name and type, left out at its default."""

    def __init__(self, made: Any, of: Kinds) -> None:
        self.made, self._is_lenient = made, of.lenient
        hints, defaults = get_type_hints(made), _defaults(made)
        kinds = {name: of.of(hint) for name, hint in hints.items() if name in defaults}
        self.keys = list(kinds)
        self._writes = [(key, kind.write, defaults[key]) for key, kind in kinds.items()]
        self._reads = [(key, kind.read) for key, kind in kinds.items() if kind.read]
        # Empty bags are many and immutable: share one of each between all values read.
        self._empty = {
            key: default for key, default in defaults.items() if isinstance(default, Multiset)
        }

    def write(self, value: Any) -> Data:
        """The value as plain JSON data; `TypeError` if it would not round-trip."""
        if type(value) is not self.made:
            raise wrong(Phrase("log.kind.made", name=self.made.__name__), value)
        data = {}
        for key, write, default in self._writes:
            if (one := getattr(value, key)) != default:
                try:
                    data[key] = write(one)
                except TypeError as error:
                    raise TypeError(Phrase("log.at", key=key, why=error)) from None
        return data

    def read(self, data: Any) -> Any:
        """The value from plain JSON data; an error for unknown or missing keys or another shape.

        Texts and numbers are not checked: all stored data went through `write`, which checks each.
        """
        if self._is_lenient:
            data = {key: data[key] for key in self.keys if key in data}
        made = {**self._empty, **data}
        for key, read in self._reads:
            if key in data:
                made[key] = read(data[key])
        return self.made(**made)


def _defaults(made: Any) -> Data:
    if not dataclasses.is_dataclass(made):
        return {key: made._field_defaults.get(key, _REQUIRED) for key in made._fields}
    missing = dataclasses.MISSING
    defaults: Data = {}
    for one in dataclasses.fields(made):
        if not one.init:
            continue  # It follows from the others.
        if one.default_factory is not missing:
            defaults[one.name] = one.default_factory()
        else:
            defaults[one.name] = _REQUIRED if one.default is missing else one.default
    return defaults


STORED = Kinds(KINDS)
"""The kinds of what is stored."""
kind_of, form_of = STORED.of, STORED.form
