"""Proxies of a table and its parts, which note what is read of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import islice
from operator import contains, eq
from typing import Any, Protocol, TypeVar, cast

from storypool.engine.recall.ids import Id, Reads
from storypool.engine.recall.paths import MISSING, Name
from storypool.engine.table import Character, Check, Points, Purse, Seat, Table, Trait

T = TypeVar("T")


class Noting(Reads, Protocol):
    """The notes of one answer, as a proxy needs them."""

    def proxy(self, kind: type, name: Name) -> Any:
        """Return the proxy of this kind of what is there by this name."""
        ...

    def argument(self, one: Any) -> Any:
        """Return a value as the argument of a step."""
        ...

    def check(self, name: Name, checks: Name) -> Any:
        """Return the proxy of the action with this name, or None."""
        ...


class _NotingMapping(Mapping[str, Any]):
    """A mapping of a table: notes each key that is looked up, or else the whole."""

    notes: Noting
    noted_as: Name

    def __getitem__(self, key: str) -> Any:
        found = self.notes.note(self.noted_as.then(_get, self.notes.argument(key)))
        if found is MISSING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return cast(bool, self.notes.note(self.noted_as.then(contains, self.notes.argument(key))))

    def __iter__(self) -> Iterator[str]:
        return iter(self.notes.note(self.noted_as))

    def __len__(self) -> int:
        return len(self.notes.note(self.noted_as))

    def values(self) -> Any:
        """Return what there is."""
        return self.notes.note(self.noted_as).values()

    def items(self) -> Any:
        """Return what there is, with its keys."""
        return self.notes.note(self.noted_as).items()

    def __repr__(self) -> str:
        return repr(self.notes.note(self.noted_as))


class _NotingThings(_NotingMapping):
    """The things of a table by id: one looked up by an `Id` is a proxy, any other is noted as a
    whole.
    """

    kind: type

    def get(self, key: str, default: Any = None) -> Any:
        """Return the thing with this id, or the default."""
        by = self.notes.argument(key)
        if type(by) is not Name:
            found = self.notes.note(self.noted_as.then(_get, by))
            return default if found is MISSING else found
        found = self._noting(self.noted_as.then(_thing, by))
        return default if found is None else found

    def _noting(self, name: Name) -> Any:
        return self.notes.proxy(self.kind, name) if self.notes.note(name.then(_exists)) else None

    def __getitem__(self, key: str) -> Any:
        found = self.get(key, MISSING)
        if found is MISSING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        by = self.notes.argument(key)
        if type(by) is not Name:
            return cast(bool, self.notes.note(self.noted_as.then(contains, by)))
        return self._noting(self.noted_as.then(_thing, by)) is not None


class _NotingCharacters(_NotingThings):
    kind = Character


class _NotingSeats(_NotingThings):
    kind = Seat


class _NotingChecks(_NotingThings):
    """The actions of a table: notes how many there are, and what is read of each."""

    kind = Check

    def get(self, key: str, default: Any = None) -> Any:
        """Return the action with this id, or the default."""
        return self._noting(self.noted_as.then(_thing, self.notes.argument(key))) or default

    def _noting(self, name: Name) -> Any:
        return self.notes.check(name, self.noted_as)

    def __contains__(self, key: object) -> bool:
        return self.get(cast(str, key)) is not None

    def __iter__(self) -> Iterator[str]:
        return (check.id for check in self.values())

    def __len__(self) -> int:
        return cast(int, self.notes.note(self.noted_as.then(len)))

    def values(self) -> Any:
        """Return the actions, oldest first."""
        n = len(self)
        names = (
            self.noted_as.then(latest_of) if i == n else self.noted_as.then(nth_of, i)
            for i in range(1, n + 1)
        )
        return [self.notes.proxy(Check, name) for name in names]

    def items(self) -> Any:
        """Return the actions with their ids, oldest first."""
        return [(check.id, check) for check in self.values()]


class _NotingPoints(Points):
    """The balances of a table: notes the purses that are looked into, or all of them."""

    notes: Noting
    noted_as: Name

    def __getitem__(self, purse: Any) -> int:
        account, owner = map(self.notes.argument, purse)
        return cast(int, self.notes.note(self.noted_as.then(_balance, account, owner)))

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


def _exists(value: object) -> bool:
    return value is not None


def _get(of: Mapping[str, object], key: str) -> object:
    return of.get(key, MISSING)


def _thing(of: Mapping[str, T], key: str) -> T | None:
    return of.get(key)


def nth_of(of: Mapping[str, T], n: int) -> T:
    return next(islice(of.values(), n - 1, None))


def latest_of(of: Mapping[str, T]) -> T | None:
    return next(reversed(of.values()), None)  # type: ignore[call-overload]


def _balance(points: Points, account: str, owner: str) -> int:
    return points[Purse(account, owner)]


def _of_kind(
    table: Table, kinds: tuple[str, ...], at: str | None, about: str | None
) -> list[Trait]:
    return table.of_kind(*kinds, at=at, about=about)


def _traits(self: Any, *kinds: str, at: str | None = None, about: str | None = None) -> list[Trait]:
    where = map(self.notes.argument, (at, about))
    return list(self.notes.note(self.noted_as.then(_of_kind, kinds, *where)))


def _same_seat(self: Any, other: object) -> bool:
    """Whether a seat is the other one: that is noted, not which one it is."""
    if self is other or not isinstance(other, Seat):
        return self is other
    return bool(self.notes.note(self.noted_as.then(eq, self.notes.argument(other))))


def _has_id(self: Any, id: str) -> bool:
    return bool(self.notes.note(self.noted_as.then(Seat.has_id, self.notes.argument(id))))


class _Field:
    """A field of a proxy: noted when it is first read, and a plain attribute from then on."""

    def __init__(self, name: str, kind: type | None) -> None:
        self.name, self.kind = name, kind

    def __get__(self, thing: Any, cls: type | None = None) -> Any:
        if thing is None:
            return self
        name = thing.noted_as.then(getattr, self.name)
        read = thing.notes.proxy(self.kind, name) if self.kind else thing.notes.note(name)
        thing.__dict__[self.name] = read
        return read


def _noting(cls: type, parts: Mapping[str, type], **methods: Any) -> type:
    """Return the class of proxies of a frozen dataclass: each field is noted when it is read, or is
    a proxy.

    `parts` are the classes of the fields that are proxies. The dataclass's own properties and
    methods read these fields.
    """

    def whole(self: Any) -> Any:
        return self.notes.note(self.noted_as)

    def equal(self: Any, other: Any) -> bool:
        return bool(whole(self) == (whole(other) if type(other) is type(self) else other))

    members: dict[str, Any] = {
        one.name: _Field(one.name, parts.get(one.name)) for one in fields(cls)
    }
    # A changed copy notes nothing.
    members |= {"plain": cls, "__eq__": equal, **methods}
    members |= {
        "__hash__": lambda self: hash(whole(self)),
        "__repr__": lambda self: repr(whole(self)),
    }
    return type(f"Noting{cls.__name__}", (cls,), members)


_PROXIES: Mapping[type, type] = {
    Seat: _noting(Seat, {"id": Id}, __eq__=_same_seat, has_id=_has_id),
    Check: _noting(
        Check, {**dict.fromkeys(("id", "actor", "against", "by"), Id), "terms": _NotingMapping}
    ),
    Character: _noting(Character, {"id": Id, "seat": Id}),
    Table: _noting(
        Table,
        {
            "seats": _NotingSeats,
            "characters": _NotingCharacters,
            "traits": _NotingMapping,
            "checks": _NotingChecks,
            "points": _NotingPoints,
        },
        of_kind=_traits,
    ),
}
"""The classes of proxies, by what they stand for."""


@cache
def proxy_class(kind: Any) -> type:
    """Return the class of proxies of this kind: of a part of a table, or of what a game keeps in
    terms.

    A kind that is a class of proxies is returned as it is.
    """
    if kind in _PROXIES:
        return _PROXIES[kind]
    if not hasattr(kind, "__dataclass_fields__"):
        return cast(type, kind)

    def changed(self: Any, **changes: Any) -> Any:
        return self.notes.note(self.noted_as).changed(**changes)

    return _noting(kind, {}, changed=changed)
