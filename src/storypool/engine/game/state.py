"""What a game keeps in the terms of an action or a trait, as a small frozen class that it declares
once.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Protocol,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from storypool.engine.copies import replace
from storypool.engine.recall import kept_in
from storypool.engine.table import Trait, Value

__all__ = ["HasTerms", "State", "StateError"]


class HasTerms(Protocol):
    """What has terms: an action or a trait.

    >>> from storypool.engine.table import Trait
    >>> one: HasTerms = Trait("t1", "duel", "At dawn")
    >>> one.terms
    {}
    """

    @property
    def id(self) -> str: ...

    @property
    def terms(self) -> Mapping[str, Value]: ...


Thing = TypeVar("Thing", bound=HasTerms)

Kinds = tuple[tuple[object, ...], tuple[object, ...]]
"""What a field may be: the types of single values, and those of the items of tuples."""

_NEW = Trait("", "", "")

MAX_REMEMBERED = 1024
"""The most states that each class caches; beyond that its cache is cleared."""


class StateError(ValueError):
    """The terms of an action or a trait do not fit the class that its game declares for them."""


@dataclass(frozen=True)
class State:
    """The base of what a game keeps about an action, a conflict, a scene: each field is a term of
    the same name.

    A field is a text, a number, yes or no, or a tuple of texts or of numbers, with its default; one
    that may be None is a term that may be missing. Terms that no field names are left alone.
    `renamed` has, by field, the terms with another name than the field, such as one that is no name
    in Python.

    >>> from storypool.engine.table import Trait
    >>> @dataclass(frozen=True)
    ... class Duel(State):
    ...     side: str = "players"
    ...     acted: tuple[str, ...] = ()
    ...     target: int | None = None
    >>> duel = Duel.put(Trait("t1", "duel", "At dawn"), target=3)
    >>> duel.terms, Duel.of(duel).side, Duel.of(duel).target
    ({'target': 3}, 'players', 3)
    >>> Duel.add(Duel.put(duel, acted=("pash",)), acted=("vey",), target=1).terms
    {'target': 4, 'acted': ('pash', 'vey')}
    >>> Duel.put(duel, side=1)
    Traceback (most recent call last):
    ...
    storypool.engine.game.state.StateError: Duel has no 'side' that may be 1.
    """

    renamed: ClassVar[Mapping[str, str]] = {}

    _remembered: ClassVar[dict[int, tuple[Mapping[str, Value], Any]]]
    _kinds: ClassVar[dict[str, Kinds]]
    _names: ClassVar[dict[str, str]]

    def __init_subclass__(cls) -> None:
        cls._remembered, cls._kinds, cls._names = {}, {}, {}

    @classmethod
    def of(cls, thing: HasTerms) -> Self:
        """Return the state in the terms of an action or a trait; a term that is missing has its
        default.

        `StateError` names the term that does not fit.
        """
        terms = thing.terms
        if type(terms) is not dict and (noting := kept_in(terms, cls)) is not None:
            return noting
        known = cls._remembered.get(id(terms))
        # An id names nothing else while what it names is kept.
        if known is None or known[0] is not terms:
            if len(cls._remembered) >= MAX_REMEMBERED:
                cls._remembered.clear()
            known = cls._remembered[id(terms)] = (terms, cls._read(thing))
        state: Self = known[1]
        return state

    @classmethod
    def put(cls, thing: Thing, **changes: Value | None) -> Thing:
        """Return the action or the trait with these fields changed; None removes a term that may be
        missing.
        """
        before, terms = cls.of(thing), dict(thing.terms)
        cls._validate(changes)
        for name, value in changes.items():
            _write(terms, cls.renamed.get(name, name), value, getattr(before, name))
        if terms == thing.terms:
            return thing
        return replace(thing, terms=terms)  # type: ignore[type-var]  # every thing with terms is a dataclass

    @classmethod
    def add(cls, thing: Thing, **more: Value) -> Thing:
        """Return the action or the trait with more in these fields: a tuple goes on, a number
        grows.
        """
        before = cls.of(thing)
        return cls.put(
            thing, **{name: getattr(before, name) + value for name, value in more.items()}
        )

    @property
    def terms(self) -> Mapping[str, Value]:
        """The terms of something new in this state: its fields that differ from their defaults."""
        return self.into(_NEW).terms

    def changed(self, **changes: Value | None) -> Self:
        """Return the state with these fields changed; `StateError` for one that does not fit, or is
        not there.
        """
        self._validate(changes)
        return dataclasses.replace(self, **changes)

    def into(self, thing: Thing) -> Thing:
        """Return the action or the trait with this state; terms of fields that are the same stay as
        they are.
        """
        before, terms = self.of(thing), dict(thing.terms)
        for field in fields(self):
            term = self.renamed.get(field.name, field.name)
            _write(terms, term, getattr(self, field.name), getattr(before, field.name))
        return replace(thing, terms=terms)  # type: ignore[type-var]  # every thing with terms is a dataclass

    @classmethod
    def _validate(cls, changes: Mapping[str, Value | None]) -> None:
        """Raise `StateError` for a field that is not there, or may not be this."""
        kinds = cls._fields()
        for name, value in changes.items():
            if name not in kinds or not _fits(value, kinds[name]):
                raise StateError(f"{cls.__name__} has no {name!r} that may be {value!r}.")

    @classmethod
    def _read(cls, thing: HasTerms) -> Self:
        kinds = cls._fields()
        names = cls._names
        found: dict[str, Any] = {
            names[term]: value for term, value in thing.terms.items() if term in names
        }
        for name, value in found.items():
            if not _fits(value, kinds[name]):
                raise StateError(
                    f"{name!r} of {thing.id!r} is {value!r}, which is no {cls.__name__} of this"
                    " game."
                )
        # As its `__init__` would, but quicker: a field that is left out is its default, which the
        # class has.
        state = object.__new__(cls)
        state.__dict__.update(found)
        return state

    @classmethod
    def _fields(cls) -> Mapping[str, Kinds]:
        """Return what each field may be, by its name."""
        if not cls._kinds:
            hints = get_type_hints(cls)
            cls._kinds |= {field.name: _kinds(hints[field.name]) for field in fields(cls)}
            cls._names |= {cls.renamed.get(name, name): name for name in cls._kinds}
        return cls._kinds


def _write(terms: dict[str, Value], name: str, value: Value | None, before: Value | None) -> None:
    """Write a field into terms where it has changed."""
    if value is None:
        terms.pop(name, None)
    elif value != before:
        # What is stored is plain: a log that was read again holds the same.
        terms[name] = value.value if isinstance(value, Enum) else value


def _kinds(hint: object) -> Kinds:
    every = get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)
    listed = tuple(get_args(kind)[0] for kind in every if get_origin(kind) is tuple)
    return tuple(kind for kind in every if get_origin(kind) is not tuple), listed


def _fits(value: object, kinds: Kinds) -> bool:
    """Whether a value is of one of these kinds."""
    alone, listed = kinds
    if isinstance(value, tuple):
        return any(all(_is(one, (kind,)) for one in value) for kind in listed)
    return _is(value, alone)


def _is(value: object, kinds: tuple[object, ...]) -> bool:
    """Whether a value has one of these types; yes and no are no numbers."""
    return type(value) in kinds or (str in kinds and isinstance(value, str))
