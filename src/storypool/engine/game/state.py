"""A game's state in the terms of an action or a trait, declared once as a small frozen class."""

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
from storypool.words import StorypoolError

__all__ = ["HasTerms", "State", "StateError"]


class HasTerms(Protocol):
    """A thing with terms: an action or a trait.

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
"""The types of a field: those of single values, and those of the items of tuples."""

_NEW = Trait("", "", "")

MAX_REMEMBERED = 1024
"""The most states that each class caches; beyond that its cache is cleared."""


class StateError(StorypoolError, ValueError):
    """The terms of an action or a trait do not fit the class that its game declares for them."""


@dataclass(frozen=True)
class State:
    """The base of a game's state of an action, a conflict, a scene: a term for each field.

    A field is a text, a number, yes or no, or a tuple of texts or of numbers, with its default; one
    that may be None is a term that may be missing. Terms that no field names are left alone.
    `renamed` has, by field, the terms with another name than the field, such as one that is not a
    name in Python.

    A field may also be another state: its fields are terms of the same thing, so it can be read and
    changed alone too. A tuple of states is stored as a list for each of their fields.

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
    _known: ClassVar["_Form | None"]

    def __init_subclass__(cls) -> None:
        cls._remembered, cls._known = {}, None

    @classmethod
    def of(cls, thing: HasTerms) -> Self:
        """The state in the terms of an action or a trait; a missing term has its default.

        `StateError` names the term that does not fit.
        """
        terms = thing.terms
        known = cls._remembered.get(id(terms))
        # An `id` is unique only while its object is kept.
        if known is None or known[0] is not terms:
            if len(cls._remembered) >= MAX_REMEMBERED:
                cls._remembered.clear()
            known = cls._remembered[id(terms)] = (terms, cls._read(thing, terms))
        state: Self = known[1]
        return state

    @classmethod
    def put(cls, thing: Thing, **changes: "Kept | None") -> Thing:
        """The thing with these fields changed; None removes a term that may be missing."""
        cls._validate(changes)
        return cls._written(thing, changes)

    @classmethod
    def add(cls, thing: Thing, **more: "Kept") -> Thing:
        """The thing with more in these fields: a tuple goes on, a number grows."""
        now = cls.of(thing)
        return cls.put(thing, **{name: getattr(now, name) + value for name, value in more.items()})

    @property
    def terms(self) -> Mapping[str, Value]:
        """The terms of something new in this state: its fields that differ from their defaults."""
        return self.into(_NEW).terms

    def changed(self, **changes: "Kept | None") -> Self:
        """The state with these fields changed; `StateError` for one that does not fit."""
        self._validate(changes)
        return dataclasses.replace(self, **changes)

    def into(self, thing: Thing) -> Thing:
        """The thing with this state; terms of fields that are the same stay as they are."""
        return self._written(thing, self._values())

    @classmethod
    def _validate(cls, changes: Mapping[str, object]) -> None:
        """Raise `StateError` for a field that is not there, or may not be this."""
        form = cls._form()
        for name, value in changes.items():
            if not form.fits(name, value):
                raise StateError(f"{cls.__name__} has no {name!r} that may be {value!r}.")

    @classmethod
    def _written(cls, thing: Thing, values: Mapping[str, Any]) -> Thing:
        """The thing with these fields, as far as they are not as before."""
        now, terms = cls.of(thing), dict(thing.terms)
        before = cls._stored({name: getattr(now, name) for name in values})
        for term, value in cls._stored(values).items():
            if value is None:
                terms.pop(term, None)
            elif value != before[term]:
                # Store plain values: a log that is read again holds the same.
                terms[term] = value.value if isinstance(value, Enum) else value
        if terms == thing.terms:
            return thing
        return replace(thing, terms=terms)  # type: ignore[type-var]  # it is a dataclass

    def _values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def _stored(cls, values: Mapping[str, Any]) -> dict[str, Value | None]:
        """The terms that these fields are stored as; those of parts are among them."""
        form, terms = cls._form(), dict[str, Value | None]()
        for name, value in values.items():
            if name in form.fields:
                terms[form.fields[name][0]] = value
                continue
            part, many = form.parts[name]
            states = value if many else (value,)
            rows: list[dict[str, Any]] = [part._stored(one._values()) for one in states]
            if not many:
                terms |= rows[0]
                continue
            for term in part._form().terms:
                terms[term] = tuple(row[term] for row in rows)
        return terms

    @classmethod
    def _read(cls, thing: HasTerms, terms: Mapping[str, Value]) -> Self:
        """The state in these terms of a thing."""
        form, found = cls._form(), dict[str, Any]()
        for term, value in terms.items():
            if (name := form.names.get(term)) is not None:
                if not _fits(value, form.fields[name][1]):
                    what = f"{name!r} of {thing.id!r} is {value!r}"
                    raise StateError(f"{what}, which is no {cls.__name__} of this game.")
                found[name] = value
        for name, (part, many) in form.parts.items():
            if not terms.keys().isdisjoint(part._form().terms):
                found[name] = (part._listed if many else part._read)(thing, terms)
        # Like `__init__`, but quicker: a field that is left out is its class's default.
        state = object.__new__(cls)
        state.__dict__.update(found)
        return state

    @classmethod
    def _listed(cls, thing: HasTerms, terms: Mapping[str, Value]) -> tuple[Self, ...]:
        """The states whose fields are lists in these terms of a thing, item by item."""
        names = cls._form().terms
        found = [terms.get(name, ()) for name in names]
        lists = [value for value in found if isinstance(value, tuple)]
        if len(lists) < len(names) or len(set(map(len, lists))) > 1:
            raise StateError(f"{', '.join(names)} of {thing.id!r} are no lists of the same length.")
        rows = zip(*lists, strict=True)
        return tuple(cls._read(thing, dict(zip(names, row, strict=True))) for row in rows)

    @classmethod
    def _form(cls) -> "_Form":
        """The stored form of the class."""
        if cls._known is None:
            cls._known = _form_of(cls)
        return cls._known


Kept = Value | State | tuple[State, ...]
"""The value of a field."""


class _Form(NamedTuple):
    """The stored form of a class of states.

    `fields` has the term of each field with its kinds, and `names` the field of each term; `parts`
    the fields that are states, and whether there are many. `terms` are all terms, including those
    of parts.
    """

    fields: Mapping[str, tuple[str, Kinds]]
    names: Mapping[str, str]
    parts: Mapping[str, tuple[type[State], bool]]
    terms: tuple[str, ...]

    def fits(self, name: str, value: object) -> bool:
        """Whether there is a field of this name that may have this value."""
        if name in self.fields:
            return _fits(value, self.fields[name][1])
        if name not in self.parts:
            return False
        part, many = self.parts[name]
        if not many:
            return isinstance(value, part)
        return isinstance(value, tuple) and all(isinstance(one, part) for one in value)


def _form_of(cls: type[State]) -> _Form:
    hints, known, parts = get_type_hints(cls), dict[str, tuple[str, Kinds]](), dict[str, Any]()
    for field in fields(cls):
        hint = hints[field.name]
        of = get_args(hint)[0] if get_origin(hint) is tuple else hint
        if isinstance(of, type) and issubclass(of, State):
            parts[field.name] = of, of is not hint
        else:
            known[field.name] = cls.renamed.get(field.name, field.name), _kinds(hint)
    names = {term: name for name, (term, _) in known.items()}
    terms = [*names]
    for part, _ in parts.values():
        terms += part._form().terms
    return _Form(known, names, parts, tuple(terms))


def _kinds(hint: object) -> Kinds:
    every = get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)
    listed = tuple(get_args(kind)[0] for kind in every if get_origin(kind) is tuple)
    return tuple(kind for kind in every if get_origin(kind) is not tuple), listed


def _fits(value: object, kinds: Kinds) -> bool:
    """Whether a value is of one of these kinds."""
    alone, listed = kinds
    if isinstance(value, tuple):
        return any(_are(value, kind) for kind in listed)
    return _is(value, alone)


def _are(values: tuple[object, ...], kind: object) -> bool:
    return all(_is(one, (kind,)) for one in values)


def _is(value: object, kinds: tuple[object, ...]) -> bool:
    """Whether a value has one of these types; a bool is not a number."""
    return type(value) in kinds or (str in kinds and isinstance(value, str))
