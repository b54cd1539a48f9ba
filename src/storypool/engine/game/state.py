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
    NamedTuple,
    Protocol,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from storypool.engine.copies import replace
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

    A field may also be another state: its fields are terms of the same thing, so that it can be
    read and changed by itself too. A tuple of states is stored as a list for each of their fields.

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
    >>> @dataclass(frozen=True)
    ... class Second(State):
    ...     renamed: ClassVar = {"who": "seconds", "favours": "favours_of_seconds"}
    ...     who: str = ""
    ...     favours: int = 0
    >>> @dataclass(frozen=True)
    ... class Meeting(State):
    ...     duel: Duel = Duel()
    ...     seconds: tuple[Second, ...] = ()
    >>> meeting = Meeting.add(duel, seconds=(Second("oska", 2), Second("lio", 1)))
    >>> meeting.terms
    {'target': 3, 'seconds': ('oska', 'lio'), 'favours_of_seconds': (2, 1)}
    >>> Meeting.of(meeting).seconds[1], Meeting.of(meeting).duel.target
    (Second(who='lio', favours=1), 3)
    """

    renamed: ClassVar[Mapping[str, str]] = {}

    _remembered: ClassVar[dict[int, tuple[Mapping[str, Value], Any]]]
    _fields: ClassVar[dict[str, "_Field"]]

    def __init_subclass__(cls) -> None:
        cls._remembered, cls._fields = {}, {}

    @classmethod
    def of(cls, thing: HasTerms) -> Self:
        """Return the state in the terms of an action or a trait; a term that is missing has its
        default.

        `StateError` names the term that does not fit.
        """
        terms = thing.terms
        known = cls._remembered.get(id(terms))
        # An id names nothing else while what it names is kept.
        if known is None or known[0] is not terms:
            if len(cls._remembered) >= MAX_REMEMBERED:
                cls._remembered.clear()
            known = cls._remembered[id(terms)] = (terms, cls._read(thing, terms))
        state: Self = known[1]
        return state

    @classmethod
    def put(cls, thing: Thing, **changes: "Kept | None") -> Thing:
        """Return the thing with these fields changed; None removes a term that may be missing."""
        return cls.of(thing).changed(**changes).into(thing)

    @classmethod
    def add(cls, thing: Thing, **more: "Kept") -> Thing:
        """Return the thing with more in these fields: a tuple goes on, a number grows."""
        now = cls.of(thing)
        return cls.put(thing, **{name: getattr(now, name) + value for name, value in more.items()})

    @property
    def terms(self) -> Mapping[str, Value]:
        """The terms of something new in this state: its fields that differ from their defaults."""
        return self.into(_NEW).terms

    def changed(self, **changes: "Kept | None") -> Self:
        """Return the state with these fields changed; `StateError` for one that does not fit."""
        form = self._form()
        for name, value in changes.items():
            if name not in form or not form[name].fits(value):
                raise StateError(f"{type(self).__name__} has no {name!r} that may be {value!r}.")
        return dataclasses.replace(self, **changes)

    def into(self, thing: Thing) -> Thing:
        """Return the thing with this state; terms of fields that are the same stay as they are."""
        before, terms = self.of(thing)._stored(), dict(thing.terms)
        for term, value in self._stored().items():
            if value is None:
                terms.pop(term, None)
            elif value != before[term]:
                # What is stored is plain: a log that was read again holds the same.
                terms[term] = value.value if isinstance(value, Enum) else value
        if terms == thing.terms:
            return thing
        return replace(thing, terms=terms)  # type: ignore[type-var]  # it is a dataclass

    def _stored(self) -> dict[str, Value | None]:
        """The terms that the state is stored as; those of parts are among them."""
        terms: dict[str, Value | None] = {}
        for name, field in self._form().items():
            value = getattr(self, name)
            if field.part is None:
                terms[field.term] = value
            elif field.many:
                rows = [one._stored() for one in value]
                terms |= {term: tuple(row[term] for row in rows) for term in field.part()._stored()}
            else:
                terms |= value._stored()
        return terms

    @classmethod
    def _read(cls, thing: HasTerms, terms: Mapping[str, Value]) -> Self:
        """The state in these terms of a thing."""
        found = dict[str, Any]()
        for name, field in cls._form().items():
            if field.part is not None:
                found[name] = (field.part._listed if field.many else field.part._read)(thing, terms)
            elif field.term in terms:
                found[name] = value = terms[field.term]
                if not field.fits(value):
                    what = f"{name!r} of {thing.id!r} is {value!r}"
                    raise StateError(f"{what}, which is no {cls.__name__} of this game.")
        # As its `__init__` would, but quicker: a field that is left out is its class's default.
        state = object.__new__(cls)
        state.__dict__.update(found)
        return state

    @classmethod
    def _listed(cls, thing: HasTerms, terms: Mapping[str, Value]) -> tuple[Self, ...]:
        """The states whose fields are lists in these terms of a thing, item by item."""
        names = [*cls()._stored()]
        found = [terms.get(name, ()) for name in names]
        lists = [value for value in found if isinstance(value, tuple)]
        if len(lists) < len(names) or len(set(map(len, lists))) > 1:
            raise StateError(f"{', '.join(names)} of {thing.id!r} are no lists of the same length.")
        rows = zip(*lists, strict=True)
        return tuple(cls._read(thing, dict(zip(names, row, strict=True))) for row in rows)

    @classmethod
    def _form(cls) -> Mapping[str, "_Field"]:
        """How each field is stored, by its name."""
        if not cls._fields:
            hints, renamed = get_type_hints(cls), cls.renamed
            names = [field.name for field in fields(cls)]
            cls._fields |= {name: _field(renamed.get(name, name), hints[name]) for name in names}
        return cls._fields


Kept = Value | State | tuple[State, ...]
"""What a field may be."""


class _Field(NamedTuple):
    """How a field is stored: as one term, or as a part, or `many` of them, in terms of their own."""

    term: str
    kinds: Kinds
    part: type[State] | None = None
    many: bool = False

    def fits(self, value: object) -> bool:
        """Whether the field may have this value."""
        if self.part is None:
            return _fits(value, self.kinds)
        if not self.many:
            return isinstance(value, self.part)
        return isinstance(value, tuple) and all(isinstance(one, self.part) for one in value)


def _field(term: str, hint: object) -> _Field:
    of = get_args(hint)[0] if get_origin(hint) is tuple else hint
    if isinstance(of, type) and issubclass(of, State):
        return _Field(term, ((), ()), of, of is not hint)
    return _Field(term, _kinds(hint))


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
