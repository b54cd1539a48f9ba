"""A table and a seat that note what is read of them, and questions about them of which the answers are noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import wraps
from operator import contains, eq, getitem
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from storypool.engine.recall.paths import MISSING, Name, View
from storypool.engine.table import Check, Points, Seat, Table, Trait

T = TypeVar("T")
P = ParamSpec("P")


class Notes:
    """What one answer reads of a view, in order."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.read: dict[Name, None] = {}
        self.asked: dict[Name, Any] = {}
        """What questions about the table have found."""
        self._made: dict[Name, Any] = {}

    def note(self, name: Name) -> Any:
        """Note a name, and return what is there."""
        self.read[name] = None
        return self.view.value(name)

    def noting(self, kind: type, name: Name) -> Any:
        """Return what is there by this name as a thing that notes what is read of it; each time the same one."""
        made = self._made.get(name)
        if made is None:
            cls = _NOTING.get(kind, kind)
            made = self._made[name] = object.__new__(cls)
            object.__setattr__(made, "notes", self)
            object.__setattr__(made, "noted_as", name)
        return made

    def found(self, name: Name) -> Any:
        """Return what a question about the table found: actions and tables note what is read of them in turn."""
        value = self.view.value(name)
        if isinstance(value, Table):
            return self.noting(Table, name)
        if isinstance(value, tuple):
            self.note(name.then(_count))
            return tuple(self.found(name.then(getitem, n)) for n in range(len(value)))
        if not isinstance(value, (Check, type(None))):
            return self.note(name)
        self.note(name.then(_exists))
        return value and self.noting(Check, name)


def question(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Decorate a function of a table so that what it finds is noted, and not all that it looks through.

    Further arguments are values, or things that note what is read of them.
    """

    @wraps(function)
    def ask(table: Table, /, *arguments: P.args, **named: P.kwargs) -> T:
        notes: Notes | None = getattr(table, "notes", None)
        if notes is None:
            return function(table, *arguments, **named)
        of: Name = table.noted_as  # type: ignore[attr-defined]
        name = of.then(function, *(getattr(one, "noted_as", one) for one in arguments))
        if name not in notes.asked:
            notes.asked[name] = notes.found(name)
        return cast(T, notes.asked[name])

    return cast(Callable[Concatenate[Table, P], T], ask)


class _NotingMapping(Mapping[str, Any]):
    """A mapping of a table: notes each key that is looked up, or the whole."""

    notes: Notes
    noted_as: Name

    def __getitem__(self, key: str) -> Any:
        found = self.notes.note(self.noted_as.then(_get, key))
        if found is MISSING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return cast(bool, self.notes.note(self.noted_as.then(contains, key)))

    def __iter__(self) -> Iterator[str]:
        return iter(self.notes.note(self.noted_as))

    def __len__(self) -> int:
        return len(self.notes.note(self.noted_as))

    def __repr__(self) -> str:
        return repr(self.notes.note(self.noted_as))


class _NotingChecks(_NotingMapping):
    """The actions of a table: notes which there are, and of each what is read of it."""

    def __getitem__(self, key: str) -> Any:
        if key not in self:
            raise KeyError(key)
        return self.notes.noting(Check, self.noted_as.then(getitem, key))

    def __iter__(self) -> Iterator[str]:
        return iter(self.notes.note(self.noted_as.then(tuple)))

    def __len__(self) -> int:
        return len(self.notes.note(self.noted_as.then(tuple)))


class _NotingPoints(Points):
    """The balances of a table: notes the purses that are looked into, or all of them."""

    notes: Notes
    noted_as: Name

    def __getitem__(self, purse: Any) -> int:
        return cast(int, self.notes.note(self.noted_as.then(getitem, purse)))

    def __contains__(self, purse: object) -> bool:
        return self[purse] != 0

    @property
    def _counts(self) -> dict[Any, int]:  # type: ignore[override]
        return cast(Points, self.notes.note(self.noted_as))._counts

    def __hash__(self) -> int:
        return hash(self.notes.note(self.noted_as))

    def __repr__(self) -> str:
        return repr(self.notes.note(self.noted_as))

    @classmethod
    def _of(cls, counts: dict[Any, int]) -> Any:
        return Points._of(counts)


def _count(value: tuple[object, ...] | None) -> int | None:
    return None if value is None else len(value)


def _exists(value: object) -> bool:
    return value is not None


def _get(of: Mapping[str, object], key: str) -> object:
    return of.get(key, MISSING)


def _of_kind(table: Table, kinds: tuple[str, ...], at: str | None, about: str | None) -> list[Trait]:
    return table.of_kind(*kinds, at=at, about=about)


def _traits(self: Any, *kinds: str, at: str | None = None, about: str | None = None) -> list[Trait]:
    return list(self.notes.note(self.noted_as.then(_of_kind, kinds, at, about)))


def _same_seat(self: Any, other: object) -> bool:
    """Note whether a seat is the other one, and not which one it is."""
    return isinstance(other, Seat) and bool(self.notes.note(self.noted_as.then(eq, other)))


def _has_id(self: Any, id: str) -> bool:
    return bool(self.notes.note(self.noted_as.then(Seat.has_id, id)))


class _Field:
    """A field of a thing that notes: it is noted when it is read first, and from then on is a plain attribute."""

    def __init__(self, name: str, kind: type | None) -> None:
        self.name, self.kind = name, kind

    def __get__(self, thing: Any, cls: type | None = None) -> Any:
        if thing is None:
            return self
        name = thing.noted_as.then(getattr, self.name)
        read = thing.notes.noting(self.kind, name) if self.kind else thing.notes.note(name)
        thing.__dict__[self.name] = read
        return read


def _noting(cls: type, parts: Mapping[str, type], **methods: Any) -> type:
    """Return a subclass of a frozen dataclass of which each field notes that it is read, or is a part that notes.

    What the dataclass works out from its fields, it works out from these.
    """

    def whole(self: Any) -> Any:
        return self.notes.note(self.noted_as)

    def equal(self: Any, other: Any) -> bool:
        return bool(whole(self) == (whole(other) if type(other) is type(self) else other))

    members: dict[str, Any] = {one.name: _Field(one.name, parts.get(one.name)) for one in fields(cls)}
    # A changed copy notes nothing.
    members |= {"plain": cls, "__eq__": equal, **methods}
    members |= {"__hash__": lambda self: hash(whole(self)), "__repr__": lambda self: repr(whole(self))}
    return type(f"Noting{cls.__name__}", (cls,), members)


_PARTS = {
    "characters": _NotingMapping,
    "traits": _NotingMapping,
    "checks": _NotingChecks,
    "points": _NotingPoints,
}
_NOTING: Mapping[type, type] = {
    Seat: _noting(Seat, {}, __eq__=_same_seat, has_id=_has_id),
    Check: _noting(Check, {}),
    Table: _noting(Table, _PARTS, of_kind=_traits),
}
"""The classes that note what is read of a thing, by what they stand for."""
